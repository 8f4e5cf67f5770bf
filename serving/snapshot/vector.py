"""Search by vectors: the nearest chunks of a snapshot, reduced to their provisions, by any index of them.

An index only proposes chunks. What they are worth is the cosine with their vectors, whatever the index.
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from serving.snapshot.filters import Filters
from serving.snapshot.passages import PassageVectors

CHUNKS_PER_NODE = 3
"""Chunks that are proposed at first for each provision that is asked for, at least."""


class VectorHit(NamedTuple):
    """The best chunk of a provision; `distance` is cosine distance, 0 to 2."""

    chunk_row: int
    node_row: int
    distance: float


class VectorIndex(ABC):
    """The vectors of a snapshot's chunks. Searches may run in any thread, and let go of the interpreter lock.

    Attributes:
        indexed: whether an index proposes chunks; otherwise every vector is compared.
        passages: the vectors themselves.
    """

    indexed: bool
    passages: PassageVectors

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of chunks."""

    @abstractmethod
    def search(self, vector: np.ndarray, *, filters: Filters, limit: int) -> list[VectorHit]:
        """Return the `limit` nearest provisions, nearest first, each with its best chunk.

        Args:
            vector: vector of the snapshot's dimension, of any length but zero.
            filters: applied before the search, so that a narrow one still fills the list.
            limit: most provisions, not chunks.
        """


class Measured(NamedTuple):
    """Chunks in the order of their distance from a query, nearest first, with their provisions."""

    chunks: np.ndarray
    nodes: np.ndarray
    distances: np.ndarray

    def where(self, chosen: np.ndarray) -> "Measured":
        """Return those for which `chosen` holds."""
        return Measured(self.chunks[chosen], self.nodes[chosen], self.distances[chosen])

    def best(self, limit: int) -> list[VectorHit]:
        """Return the nearest chunk of each provision, of so many provisions at most."""
        _, first = np.unique(self.nodes, return_index=True)
        first.sort()
        first = first[:limit]
        columns = (column[first].tolist() for column in self)
        return list(map(VectorHit._make, zip(*columns, strict=True)))


def measure(passages: PassageVectors, nodes: np.ndarray, vector: np.ndarray, chunks: np.ndarray) -> Measured:
    """Set chunks in the order of their exact cosine distances.

    Args:
        passages: the vectors.
        nodes: the provision of each chunk of the snapshot.
        vector: the query's.
        chunks: rows of distinct chunks.
    """
    distances = 1.0 - passages.similarity(vector, chunks)
    order = np.lexsort((chunks, distances))
    return Measured(chunks[order], nodes[chunks[order]], distances[order])
