"""Loading a selection: the one that was loaded last serves again, unless anything that it is made of differs."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from assets.registry import Registry
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import load_selection
from assets.workspace import Workspace


@pytest.fixture
def workspace(small_workspace: Workspace, tmp_path: Path) -> Workspace:
    """A workspace of its own with the accepted tables of the small one."""
    shutil.copytree(small_workspace.root / "accepted", tmp_path / "accepted")
    return replace(small_workspace, root=tmp_path)


def test_it_is_read_once_while_nothing_changes(workspace: Workspace, registry: Registry) -> None:
    first = load_selection(workspace, registry)
    assert load_selection(workspace, registry) is first


def test_another_choice_or_place_is_another_selection(
    workspace: Workspace, small_workspace: Workspace, registry: Registry
) -> None:
    every = load_selection(workspace, registry)
    one = load_selection(workspace, registry, [every.bodies[0].body.key])
    assert len(one) < len(every)
    again = load_selection(workspace, registry)
    assert again.inputs == every.inputs
    elsewhere = load_selection(small_workspace, registry)
    assert {body.folder for body in elsewhere.bodies}.isdisjoint(body.folder for body in again.bodies)


def test_a_table_that_changed_is_read_again(workspace: Workspace, registry: Registry) -> None:
    before = load_selection(workspace, registry)
    report = before.bodies[0].folder / "report.json"
    text = report.read_text(encoding="utf-8")
    assert '"complete"' in text
    report.write_text(text.replace("{", '{"added": 1, ', 1), encoding="utf-8")
    after = load_selection(workspace, registry)
    assert after is not before
    assert after.inputs != before.inputs


def test_an_entry_that_changed_is_read_again(workspace: Workspace, registry: Registry) -> None:
    before = load_selection(workspace, registry)
    entries = tuple(replace(body, name=f"{body.name}, revised") for body in registry.code_bodies)
    after = load_selection(workspace, replace(registry, code_bodies=entries))
    assert {body.body.name for body in after.bodies} == {
        f"{body.body.name}, revised" for body in before.bodies
    }


@pytest.mark.parametrize(("complete", "told"), [(False, ("17",)), (True, ())])
def test_titles_that_are_whole_are_told_of_a_code_that_is_not(
    workspace: Workspace, registry: Registry, complete: bool, told: tuple[str, ...]
) -> None:
    report = load_selection(workspace, registry).bodies[0].folder / "report.json"
    raw = json.loads(report.read_text(encoding="utf-8"))
    units = [{"label": "Title 17", "title": "17"}, {"label": "Title 18", "title": None}]
    report.write_text(json.dumps({**raw, "complete": complete, "units": units}), encoding="utf-8")
    (entry, *_) = code_body_entries(load_selection(workspace, registry))
    assert entry.whole_titles == told


@pytest.mark.parametrize("complete", [False, True])
def test_all_titles_of_a_code_are_told_where_citations_name_them_and_it_is_not_complete(
    workspace: Workspace, registry: Registry, complete: bool
) -> None:
    titles = {"17": "Copyrights", "54": "Parks"}
    bodies = tuple(replace(body, titles=titles) for body in registry.code_bodies)
    for body in load_selection(workspace, registry).bodies:
        report = body.folder / "report.json"
        raw = json.loads(report.read_text(encoding="utf-8"))
        report.write_text(json.dumps({**raw, "complete": complete}), encoding="utf-8")
    selection = load_selection(workspace, replace(registry, code_bodies=bodies))
    told = [
        ("17", "54") if "{title}" in body.body.citation and not complete else () for body in selection.bodies
    ]
    assert ("17", "54") in told or complete
    assert [entry.titles for entry in code_body_entries(selection)] == told
