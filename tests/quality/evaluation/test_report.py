"""Reports of runs, and what is left to be judged of them."""

from pathlib import Path

from assets.release.evaluation.judgements import EvaluationSet, Query
from assets.release.evaluation.runs import Run, read_run
from tests.quality.evaluation.pool import unjudged
from tests.quality.evaluation.report import comparison, table

QUERIES = (
    Query("lay-1", "lay", "may I", None, "train"),
    Query("lay-2", "lay", "must I", None, "train"),
    Query("name-1", "name", "Some Act", "us", "train"),
    Query("nothing-1", "nothing", "zzz", None, "train"),
)
ASKED = EvaluationSet(
    QUERIES, {"lay-1": {"a": 3}, "lay-2": {"b": 2, "c": 0}, "name-1": {"a": 3}, "nothing-1": {"a": 1}}
)


def _run(name: str, **ranked: list[str]) -> Run:
    listed = {query.id: ranked.get(query.id.replace("-", "_"), []) for query in QUERIES}
    return Run(name, "2026.01.01-1", listed, dict.fromkeys(listed, 2.0))


GOOD = _run("hybrid", lay_1=["a"], lay_2=["c", "b", "x"], name_1=["a", "y"])
POOR = _run("keyword", lay_1=["x", "a"], name_1=["a"], nothing_1=["z"])


def test_figures_are_means_by_kind_of_what_some_law_answers() -> None:
    lines = list(table(GOOD, ASKED, QUERIES))
    assert lines[2].startswith("| lay (2) | 0.815 [")
    assert lines[2].endswith("| 0.750 | 1.000 | 1.000 | 0.833 |")
    assert lines[3].startswith("| name (1) | 1.000 [1.000, 1.000]")
    assert lines[4].startswith("| all (3) | 0.877 [")
    assert "1 of the 1 queries" in lines[5]
    assert "p50 2.0 ms" in lines[6]


def test_a_comparison_pairs_the_same_queries() -> None:
    lines = list(comparison(GOOD, POOR, ASKED, QUERIES))
    assert lines[2].startswith("| lay (2) | 0.815 | +0.500 |")
    assert lines[3].startswith("| name (1) | 1.000 | +0.000 |")
    some = Run("semantic", GOOD.snapshot, {"name-1": ["y"]}, {"name-1": 1.0})
    assert [line[:13] for line in comparison(GOOD, some, ASKED, QUERIES)][2:] == [
        "| name (1) | ",
        "| all (1) | 1",
    ]


def test_what_is_judged_is_not_judged_again() -> None:
    left = [(query.id, node) for query, node in unjudged([GOOD, POOR], ASKED, QUERIES)]
    assert sorted(left) == [("lay-1", "x"), ("lay-2", "x"), ("name-1", "y"), ("nothing-1", "z")]
    deep = _run("semantic", lay_1=[f"n{place}" for place in range(30)])
    assert len(unjudged([deep], ASKED, QUERIES)) == 10
    assert unjudged([deep, deep], ASKED, QUERIES) == unjudged([deep], ASKED, QUERIES)
    assert [node for _, node in unjudged([deep], ASKED, QUERIES)] != [f"n{place}" for place in range(10)]


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    GOOD.write(tmp_path / "run.json")
    assert read_run(tmp_path / "run.json") == GOOD
