"""Successors and duplicates in the answers of nodes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from assets.citations.build import build_citation_index
from assets.registry import Registry
from assets.release.responses import build_response_store
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import load_selection
from assets.workspace import Workspace
from serving.contract.identity import node_id
from serving.contract.layout import NODES
from serving.snapshot.nodes import NodeTable
from tests.conftest import Law

Answers = dict[str, dict[str, Any]]


def section(path: str, num: str, heading: str, status: str = "in_force", *, reason: str = "") -> Law:
    notes = (("codification", None, reason),) if reason else ()
    text = f"The words of {heading}." if status == "in_force" else ""
    return Law(path, "t1", "section", num, heading, f"1 Sample Code § {num}", text, status, notes=notes)


LAW = (
    Law("t1", None, "title", "1", "Housing", "1 Sample Code"),
    section("t1/s101", "101", "Keys"),
    section("t1/s102@act-1", "102", "Locks"),
    section("t1/s102@act-2", "102", "Bolts"),
    section("t1/s102@act-3", "102", "Chains", "repealed"),
    section(
        "t1/s103", "103", "Doors", "renumbered", reason="Section was renumbered section 101 of this title."
    ),
    section(
        "t1/s104",
        "104",
        "Windows",
        "transferred",
        reason="Section was transferred to section 102 of this title.",
    ),
    section(
        "t1/s105",
        "105",
        "Roofs",
        "transferred",
        reason="Section was transferred to section 999 of this title.",
    ),
    section("t1/s106", "106", "Walls", "renumbered"),
    section("t1/s107", "107", "Floors", "repealed"),
)


@pytest.fixture(scope="module")
def answers(
    tmp_path_factory: pytest.TempPathFactory, write_law: Callable[..., Workspace], registry: Registry
) -> Answers:
    """The answers of all provisions, by the end of their identifiers."""
    root: Path = tmp_path_factory.mktemp("related")
    selection = load_selection(write_law(root, {"sample-code": LAW}), registry)
    index, store = root / "index", root / "store"
    index.mkdir()
    store.mkdir()
    build_citation_index(selection, index)
    build_response_store(selection, store, references=index)
    nodes = NodeTable(store / NODES, code_body_entries(selection))
    found: Answers = {}
    for law in LAW:
        row = nodes.find(node_id(f"/sample/code/{law.path}"))
        assert row is not None
        found[law.path.removeprefix("t1/")] = orjson.loads(nodes.body(row).plain)
    return found


def _id(path: str) -> str:
    return str(node_id(f"/sample/code/t1/{path}"))


def test_a_dead_provision_names_what_it_has_become(answers: Answers) -> None:
    assert answers["s103"]["successor"] == {"citation": "1 Sample Code § 101", "nodeId": _id("s101")}


def test_a_new_place_that_several_share_or_none_holds_has_no_id(answers: Answers) -> None:
    assert answers["s104"]["successor"] == {"citation": "1 Sample Code § 102", "nodeId": None}
    assert answers["s105"]["successor"] == {"citation": "1 Sample Code § 999", "nodeId": None}


def test_live_provisions_with_one_number_name_each_other(answers: Answers) -> None:
    assert answers["s102@act-1"]["duplicateOf"] == [_id("s102@act-2")]
    assert answers["s102@act-2"]["duplicateOf"] == [_id("s102@act-1")]


def test_others_have_neither(answers: Answers) -> None:
    assert {path for path, answer in answers.items() if "successor" in answer} == {"s103", "s104", "s105"}
    assert {path for path, answer in answers.items() if "duplicateOf" in answer} == {
        "s102@act-1",
        "s102@act-2",
    }
