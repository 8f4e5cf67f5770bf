"""Example calls that the present snapshot answers: made from the provision that most others cite."""

from typing import NamedTuple
from urllib.parse import quote, urlencode
from uuid import UUID

import numpy as np

from serving.contract.records import IN_FORCE
from serving.snapshot.edges import EdgeTable
from serving.snapshot.nodes import NodeTable

_LOOKED_AT = 2_000
"""Provisions that are looked at, the most cited first."""


class Example(NamedTuple):
    """The provision that examples are made of, and words that it is found by."""

    node_id: UUID
    citation: str
    heading: str
    words: str

    @property
    def paths(self) -> tuple[str, str, str]:
        """Paths below `/api/v1`: a search, a citation to resolve, and the provision that both lead to."""
        search = urlencode({"q": self.words, "limit": 3}, quote_via=quote)
        resolve = urlencode({"citation": self.citation}, quote_via=quote)
        return f"search?{search}", f"resolve?{resolve}", f"node/{self.node_id}"


def example_of(nodes: NodeTable, edges: EdgeTable) -> Example:
    """Return the example of a snapshot, which has at least one provision."""
    most_cited = np.argsort(-edges.counts(len(nodes)), kind="stable")[:_LOOKED_AT].tolist()
    row = max(most_cited, key=lambda row: _merit(nodes, row))
    citation, heading = nodes.citation(row), nodes.heading(row).rstrip(".")
    return Example(nodes.id(row), citation, heading, heading.lower() or citation)


def _merit(nodes: NodeTable, row: int) -> tuple[bool, bool, bool]:
    """Return a sort key for examples: live sections first, with text and a heading of several words."""
    heading = nodes.heading(row)
    return (
        nodes.level(row) == "section" and nodes.status(row) == IN_FORCE,
        len(nodes.text_bytes(row)) > 200,
        heading.isascii() and 2 <= heading.count(" ") <= 4,
    )
