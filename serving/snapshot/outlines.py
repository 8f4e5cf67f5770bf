"""Outlines of vectors: a third of their dimensions, which tell of most that they are not near a query."""

import numpy as np

DIRECTIONS = 128
"""Directions that are kept. Of 384, 64 leave half of the vectors that may be near, and 128 one in 20."""
_SAMPLED = 4_000
"""Vectors that the directions are chosen by."""
_ROUNDING = 1e-4
"""Most by which the bound may err, in single precision."""


class Outline:
    """The vectors of a matrix in the directions in which they differ most, and the length of what is left.

    The product of two vectors is at most that of their outlines and that of the lengths left, so that whole
    vectors are read of few.

    Args:
        vectors: (n, dimension) float32.
    """

    def __init__(self, vectors: np.ndarray) -> None:
        sample = vectors[:: max(1, len(vectors) // _SAMPLED)]
        _, directions = np.linalg.eigh(sample.T @ sample)
        self._directions = np.ascontiguousarray(directions[:, -DIRECTIONS:])
        self._vectors = vectors @ self._directions
        squares = np.einsum("ij,ij->i", vectors, vectors)
        squares -= np.einsum("ij,ij->i", self._vectors, self._vectors)
        self._left = np.sqrt(np.maximum(squares, 0.0))

    def reaching(self, query: np.ndarray, least: float) -> np.ndarray:
        """Return the rows of all vectors whose product with a query may be so much, and of some others.

        Args:
            query: (dimension,) float32.
            least: the least product.
        """
        outline = query @ self._directions
        most = self._vectors @ outline
        most += self._left * np.sqrt(np.maximum(query @ query - outline @ outline, np.float32(0)))
        return np.flatnonzero(most >= np.float32(least - _ROUNDING))
