"""Vector search of an open snapshot by short codes, which all workers share."""

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from serving.contract.layout import VECTOR_CODES
from serving.snapshot.codes import Selected, opened_codes, select
from serving.snapshot.filters import Filters
from serving.snapshot.passages import PassageVectors, unit
from serving.snapshot.vector import (
    CHUNKS_PER_NODE,
    VectorHit,
    VectorIndex,
    measure,
)

_PROPOSED = 500
"""Chunks that the codes propose, at least: they tell less of the order than the vectors do."""
_REMEMBERED = 8
"""Filters whose chunks are remembered, at a bit for each chunk."""


class CodeIndex(VectorIndex):
    """Vectors whose short codes propose the nearest.

    Args:
        folder: folder of the codes and the vectors.
        nodes: the provision of each chunk.
        dimension: dimension of the vectors.
        passing: tells for each provision whether it passes filters.

    Raises:
        SnapshotCorruptError: a file is missing or does not hold as many vectors.
    """

    indexed = True

    def __init__(
        self,
        folder: Path,
        nodes: np.ndarray,
        *,
        dimension: int,
        passing: Callable[[Filters], np.ndarray],
    ) -> None:
        self._nodes = nodes
        self._codes = opened_codes(folder / VECTOR_CODES, (len(nodes), dimension))
        self._selected = lru_cache(_REMEMBERED)(partial(_selected, passing, nodes))
        self.passages = PassageVectors(folder, rows=len(nodes), dimension=dimension)

    def __len__(self) -> int:
        return len(self._nodes)

    def search(self, vector: np.ndarray, *, filters: Filters, limit: int) -> list[VectorHit]:
        """Return the nearest provisions, as of any index."""
        if limit < 1:
            return []
        selected, direction = self._selected(filters), unit(vector)
        count, everywhere = max(limit * CHUNKS_PER_NODE, _PROPOSED), False
        while True:
            proposed = self._codes.nearest(direction, count, selected, everywhere=everywhere)
            hits = measure(self.passages, self._nodes, vector, proposed.rows).best(limit)
            if proposed.is_all or len(hits) >= limit:
                return hits
            # Many chunks of few provisions are near, or few that pass lie in the lists that were looked at.
            count, everywhere = 2 * count, True


def _selected(
    passing: Callable[[Filters], np.ndarray], nodes: np.ndarray, filters: Filters
) -> Selected | None:
    return select(passing(filters)[nodes])
