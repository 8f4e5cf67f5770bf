"""Provisions that cite a provision: those that its `citedByCount` counts, a page at a time."""

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
    rows = citing_rows(snapshot, target)
    places = {
        source: tuple(dict.fromkeys(Span(edge.start, edge.end) for edge in group))
        for source, group in groupby(snapshot.edges.to_node(target), key=lambda edge: edge.source)
    }
    shown = rows[page.offset : page.offset + page.limit]
    return CitingProvisions(
        node_id=str(node),
        citation=snapshot.nodes.citation(target),
        results=tuple(_describe(snapshot, row, places[row]) for row in shown),
        page=page.page,
        page_size=page.limit,
        total=len(rows),
    )


def citing_rows(snapshot: Snapshot, target: int) -> list[int]:
    """Return the rows of the provisions that refer to the one in a row, by code body and then by number."""
    # The count of a node leaves out what it says of itself.
    rows = [row for row in snapshot.edges.sources(target) if row != target]
    if len(rows) < 2:
        return rows
    nodes = snapshot.nodes
    order = nodes.code_body_indexes()
    return sorted(rows, key=lambda row: (order[row], by_number(nodes.citation(row)), row))


def _describe(snapshot: Snapshot, row: int, places: tuple[Span, ...]) -> CitingProvision:
    node_id, citation, heading, level, status, _ = snapshot.nodes.describe(row)
    body = snapshot.nodes.code_body(row)
    return CitingProvision(node_id, citation, heading, body.jurisdiction, body.id, level, status, places)
