"""An evaluation set of the test's own beside the reviewed data."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from serving.contract.identity import node_id

CHECKOUT = Path(__file__).resolve().parents[4]
MARGINS = "[margins]\nall = 0.02\nkind = 0.05\nleast_of_kind = 2\nleast = 3\n"
ASKED = {
    "lay-1": ("lay", "my old flat owner never paid back my money", "/sample/code/t1/s102"),
    "lay-2": ("lay", "must I get a permission before I dig for water", "/sample/code/t2/s201"),
    "keyword-1": ("keyword", "security deposit", "/sample/code/t1/s102"),
    "keyword-2": ("keyword", "dog licence", "/sample/code/t1/s104"),
    "nothing-1": ("nothing", "xkqzv brrlph", None),
    "elsewhere-1": ("lay", "may I copy a page of a book", "/us/usc/t17/s107"),
}
"""Questions of the small law with the provision that answers each; the last is answered by law that is not held."""


@pytest.fixture
def write_set() -> Callable[[Path], None]:
    """Write the evaluation set of `ASKED` into a folder."""

    def write(folder: Path) -> None:
        folder.mkdir()
        queries = [
            {"id": name, "kind": kind, "query": text, "jurisdiction": None, "split": "heldout"}
            for name, (kind, text, _) in ASKED.items()
        ]
        queries.append(queries[0] | {"id": "lay-3", "split": "train"})
        lines = "".join(f"{json.dumps(query)}\n" for query in queries)
        (folder / "queries.jsonl").write_text(lines, encoding="utf-8")
        rows = [
            f"{name}\t{node_id(answer)}\t3\t{answer}\tseed\n"
            for name, (_, _, answer) in ASKED.items()
            if answer
        ]
        judged = "query\tnode\tgrade\tcitation\tby\n" + "".join(rows)
        (folder / "judgements.tsv").write_text(judged, encoding="utf-8")
        (folder / "gate.toml").write_text(MARGINS, encoding="utf-8")

    return write


@pytest.fixture
def own_datasets(tmp_path: Path, write_set: Callable[[Path], None]) -> Path:
    """The reviewed data, with the evaluation set of `ASKED`."""
    folder = tmp_path / "datasets"
    folder.mkdir()
    for path in (CHECKOUT / "datasets").iterdir():
        if path.name != "evaluation":
            (folder / path.name).symlink_to(path)
    write_set(folder / "evaluation")
    return folder
