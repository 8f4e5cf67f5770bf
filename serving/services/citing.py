"""Provisions that cite a provision: those that its `citedByCount` counts, a page at a time."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from serving.contract.reading_order import by_number
from serving.services.nodes import find_node
from serving.services.requests import PageRequest, Span
from serving.snapshot.store import Snapshot


class CitingProvision(NamedTuple):
    """A provision that refers to another; `places` are the characters of its text that do so."""

    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: str
    level: str
    status: str
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CitingProvisions:
    """One page of the provisions that refer to the one with that id and citation; `total` counts all."""

    node_id: str
    citation: str
    results: tuple[CitingProvision, ...]
    page: int
    page_size: int
    total: int


def citing_provisions(snapshot: Snapshot, node: UUID, page: PageRequest) -> CitingProvisions:
    """Return a page of the provisions that refer to a node, by code body and then by number.

    Raises:
        NotFoundError: the snapshot has no such node.
    """
    target = find_node(snapshot, node)
    # The count of a node leaves out what it says of itself.
    edges = [edge for edge in snapshot.edges.to_node(target) if edge.source != target]
    places = {
        source: tuple(dict.fromkeys(Span(edge.start, edge.end) for edge in group))
        for source, group in groupby(edges, key=lambda edge: edge.source)
    }
    rows = _in_reading_order(snapshot, places)
    shown = rows[page.offset : page.offset + page.limit]
    return CitingProvisions(
        node_id=str(node),
        citation=snapshot.nodes.citation(target),
        results=tuple(_describe(snapshot, row, places[row]) for row in shown),
        page=page.page,
        page_size=page.limit,
        total=len(rows),
    )


def _in_reading_order(snapshot: Snapshot, rows: Iterable[int]) -> list[int]:
    nodes = snapshot.nodes
    order = {body.id: place for place, body in enumerate(snapshot.code_bodies)}
    return sorted(rows, key=lambda row: (order[nodes.code_body(row).id], by_number(nodes.citation(row)), row))


def _describe(snapshot: Snapshot, row: int, places: tuple[Span, ...]) -> CitingProvision:
    node_id, citation, heading, level, status, _ = snapshot.nodes.describe(row)
    body = snapshot.nodes.code_body(row)
    return CitingProvision(node_id, citation, heading, body.jurisdiction, body.id, level, status, places)
