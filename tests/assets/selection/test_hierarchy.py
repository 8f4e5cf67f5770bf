"""The tree over a selection: neighbours in reading order, the same from both sides."""

import pytest

from assets.registry import Registry
from assets.selection.hierarchy import build_hierarchy
from assets.selection.selection import Selection, load_selection
from assets.workspace import Workspace


@pytest.fixture
def selection(small_workspace: Workspace, registry: Registry) -> Selection:
    """The selection of the small workspace."""
    return load_selection(small_workspace, registry)


def test_whoever_follows_a_node_is_preceded_by_it(selection: Selection) -> None:
    hierarchy = build_hierarchy(selection)
    linked = 0
    for position, following in enumerate(hierarchy.following):
        if following >= 0:
            assert hierarchy.previous[following] == position
            linked += 1
    for position, before in enumerate(hierarchy.previous):
        if before >= 0:
            assert hierarchy.following[before] == position
            linked -= 1
    assert linked == 0


def test_sections_follow_sections_and_chapters_chapters(selection: Selection) -> None:
    hierarchy = build_hierarchy(selection)
    citable = selection.provisions.column("citable").to_pylist()
    levels = selection.provisions.column("level").to_pylist()
    chained = 0
    for position, following in enumerate(hierarchy.following):
        if following >= 0:
            assert following > position, "in reading order"
            assert citable[following] == citable[position]
            assert citable[position] or levels[following] == levels[position]
            chained += 1
    assert chained


def test_a_chain_passes_by_nobody_and_stays_in_its_code_body(selection: Selection) -> None:
    hierarchy = build_hierarchy(selection)
    citable = selection.provisions.column("citable").to_pylist()
    for body in selection.bodies:
        span = range(body.first, body.first + body.count)
        sections = [position for position in span if citable[position]]
        assert [hierarchy.following[position] for position in sections] == [*sections[1:], -1]
