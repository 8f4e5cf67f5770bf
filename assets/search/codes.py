"""Build the short codes of vectors, by which a server finds the nearest (`serving.snapshot.codes`)."""

from math import ceil, isqrt
from pathlib import Path

import faiss
import numpy as np

CODED_FROM = 2_000
"""Vectors from which on they have codes: to compare each of fewer takes as long, and is exact."""
_LEARNED_FROM = 100_000
"""Vectors that codes and lists are learned from: more change neither what is found nor how fast."""
PRECISE, SHORT = 2, 4
"""Dimensions that four bits stand for: short codes tell less of the order, and are compared twice as fast."""
_AT_ONCE = 65_536
_LEAST_SHARE, _LEAST_LOOKED_AT = 1 / 6, 50_000
"""Share of the lists that a search looks at, at least, and vectors that they hold together, if there are so
many: of few, the nearest are in many lists. The curve is in docs/decisions/vector-index.md."""
_LEAST_IN_LIST = 40
"""Vectors of a list in the mean, at least: of fewer its middle cannot be told."""


def code_lists(rows: int) -> int:
    """Return the lists into which the codes of so many vectors are parted."""
    return max(1, min(2 * isqrt(rows), rows // _LEAST_IN_LIST))


def in_unit_length(vectors: np.ndarray) -> np.ndarray:
    """Return vectors in unit length, those of zeros as they are: (n, dimension) float32."""
    wide: np.ndarray = vectors.astype(np.float32)
    wide /= np.maximum(np.linalg.norm(wide, axis=-1, keepdims=True), 1e-12)
    return wide


def build_codes(vectors: np.ndarray, path: Path, *, lists: int, dimensions: int = PRECISE) -> None:
    """Write the codes of vectors, and in how many lists a search looks; the same vectors give the same codes.

    Args:
        vectors: (n, dimension), nearly of unit length, such as a mapped file.
        path: the file to write.
        lists: lists into which they are parted: 1 where all are always looked at.
        dimensions: those that four bits stand for.
    """
    rows, dimension = vectors.shape
    kind = f"IVF{lists},PQ{dimension // dimensions}x4fs"
    index = faiss.index_factory(dimension, kind, faiss.METRIC_INNER_PRODUCT)
    learned_from = max(_LEARNED_FROM, lists * _LEAST_IN_LIST)
    index.train(in_unit_length(vectors[:: max(1, rows // learned_from)]))
    for first in range(0, rows, _AT_ONCE):
        index.add(in_unit_length(vectors[first : first + _AT_ONCE]))
    share = max(_LEAST_SHARE, min(1.0, _LEAST_LOOKED_AT / rows))
    index.nprobe = ceil(lists * share)
    faiss.write_index(index, str(path))
