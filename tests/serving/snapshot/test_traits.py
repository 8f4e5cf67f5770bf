"""Traits of provisions, against the tables that they are computed from."""

from collections.abc import Callable

from serving.snapshot.store import Snapshot
from serving.snapshot.traits import KINDS


def test_traits_are_those_of_each_row(snapshot: Snapshot) -> None:
    traits = snapshot.traits
    nodes = snapshot.nodes
    assert {len(column) for column in traits} == {len(nodes)}
    for row in range(len(nodes)):
        assert traits.is_section[row] == (nodes.level(row) == "section")
        assert traits.heading_words[row] == 1 + len(nodes.heading(row).encode()) / 8
        for name, tags in KINDS.items():
            assert getattr(traits, name)[row] == (not tags.isdisjoint(nodes.tags(row)))


def test_what_is_cited_more_counts_more(snapshot: Snapshot, row: Callable[[str], int]) -> None:
    edges = snapshot.edges
    for number in range(len(snapshot.nodes)):
        assert edges.counts(len(snapshot.nodes))[number] == len(edges.to_node(number))
