"""References of a snapshot that lead to a node, found from either end."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from serving.contract.records import SNAPSHOT_REFERENCES
from serving.snapshot.table import integers, map_table


class Edge(NamedTuple):
    """A reference: rows of both nodes, the span in the source's text, FROM_MARKUP or FROM_TEXT."""

    source: int
    start: int
    end: int
    target: int
    origin: int


class EdgeTable:
    """Table of `references.arrow`."""

    __slots__ = ("_by_target", "_end", "_origin", "_source", "_start", "_target")

    def __init__(self, path: Path) -> None:
        batch = map_table(path, SNAPSHOT_REFERENCES)
        self._source = integers(batch.column("source"), "I")
        self._start = integers(batch.column("start"), "I")
        self._end = integers(batch.column("end"), "I")
        self._target = integers(batch.column("target"), "I")
        self._origin = integers(batch.column("origin"), "B")
        self._by_target = integers(batch.column("by_target"), "I")

    def __len__(self) -> int:
        return len(self._source)

    def to_node(self, row: int) -> list[Edge]:
        """Return the references that lead to a node, in the order of their sources."""
        return [self._edge(place) for place in self._leading_to(row)]

    def sources(self, row: int) -> list[int]:
        """Return the nodes whose references lead to a node, each once."""
        return list(dict.fromkeys(self._source[place] for place in self._leading_to(row)))

    def count_to(self, row: int) -> int:
        """Return how many references lead to a node."""
        return len(self._leading_to(row))

    def counts(self, nodes: int) -> np.ndarray:
        """Return how many references lead to each of the nodes, by row."""
        return np.bincount(np.asarray(self._target), minlength=nodes)

    def _leading_to(self, row: int) -> Sequence[int]:
        by_target, target = self._by_target, self._target.__getitem__
        first = last = bisect_left(by_target, row, key=target)
        # Nothing refers to most nodes.
        if first < len(by_target) and target(by_target[first]) == row:
            last = bisect_right(by_target, row, lo=first, key=target)
        places: Sequence[int] = by_target[first:last]
        return places

    def _edge(self, place: int) -> Edge:
        return Edge(
            self._source[place],
            self._start[place],
            self._end[place],
            self._target[place],
            self._origin[place],
        )
