"""Reading the evaluation set."""

import json
from pathlib import Path

import pytest

from assets.release.evaluation.judgements import EvaluationSet, read_evaluation_set

LAY: dict[str, object] = {
    "id": "lay-1",
    "kind": "lay",
    "query": 'keep "my" cat',
    "jurisdiction": None,
    "split": "train",
    "why": "x",
}
HELD = LAY | {"id": "lay-2", "jurisdiction": "dc", "split": "heldout"}
HEADER = "query\tnode\tgrade\tcitation\tby"


def _read(folder: Path, queries: list[dict[str, object]], *rows: str) -> EvaluationSet:
    lines = "".join(f"{json.dumps(query)}\n" for query in queries)
    (folder / "queries-1.jsonl").write_text(lines, encoding="utf-8")
    (folder / "judgements-1.tsv").write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return read_evaluation_set(folder)


def test_grades_stand_with_their_query(tmp_path: Path) -> None:
    read = _read(tmp_path, [LAY, HELD], 'lay-1\tn1\t3\tD.C. Code § "1"\tseed', "lay-1\tn2\t0\tx\tpool")
    assert read.grades == {"lay-1": {"n1": 3, "n2": 0}}
    assert [query.id for query in read.of_split("train")] == ["lay-1"]
    assert [query.jurisdiction for query in read.of_split(None)] == [None, "dc"]


@pytest.mark.parametrize(
    ("queries", "row"),
    [
        ([LAY, LAY], ""),
        ([LAY | {"split": "test"}], ""),
        ([LAY], "lay-9\tn1\t3\tx\tseed"),
        ([LAY], "lay-1\tn1\t4\tx\tseed"),
    ],
)
def test_a_set_that_contradicts_itself_is_refused(
    tmp_path: Path, queries: list[dict[str, object]], row: str
) -> None:
    with pytest.raises(ValueError, match=r"twice|split|no query"):
        _read(tmp_path, queries, *([row] if row else []))
