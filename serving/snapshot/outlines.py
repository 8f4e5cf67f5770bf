"""Outlines of vectors: a third of their dimensions, which tell of most that they are not near a query."""

import numpy as np

DIRECTIONS = 128
"""Directions that are kept. Of 384, 64 leave half of the vectors that may be near, and 128 one in 20."""
_FEW = 2_000
"""Vectors up to which every one is compared with a query."""
_SAMPLED = 4_000
"""Vectors that the directions are chosen by."""
_ROUNDING = 1e-4
"""Most by which the bound may err, in single precision."""


def is_outlined(count: int, dimension: int) -> bool:
    """Return whether so many vectors of this length are worth an outline."""
    return count > _FEW and dimension > DIRECTIONS


class Outline:
    """The vectors of a matrix in the directions in which they differ most, and the length of what is left.

    The product of two vectors is at most that of their outlines and that of the lengths left, so that whole
    vectors are read of few.

    Args:
        directions: (dimension, `DIRECTIONS`) float32, at right angles to each other.
        lines: (n, `DIRECTIONS` + 1) float32: each vector in these directions, and the length left.
    """

    def __init__(self, directions: np.ndarray, lines: np.ndarray) -> None:
        self.directions = directions
        self.lines = lines

    def reaching(self, query: np.ndarray, least: float) -> np.ndarray:
        """Return the rows of all vectors whose product with a query may be so much, and of some others.

        Args:
            query: (dimension,) float32.
            least: the least product.
        """
        outline = query @ self.directions
        left = np.sqrt(np.maximum(query @ query - outline @ outline, np.float32(0)))
        most = self.lines @ np.append(outline, left)
        return np.flatnonzero(most >= np.float32(least - _ROUNDING))


def outline_of(vectors: np.ndarray) -> Outline:
    """Return the outline of a matrix of vectors, (n, dimension) float32."""
    sample = vectors[:: max(1, len(vectors) // _SAMPLED)]
    _, directions = np.linalg.eigh(sample.T @ sample)
    directions = np.ascontiguousarray(directions[:, -DIRECTIONS:])
    lines = np.empty((len(vectors), DIRECTIONS + 1), np.float32)
    lines[:, :DIRECTIONS] = vectors @ directions
    squares = np.einsum("ij,ij->i", vectors, vectors)
    squares -= np.einsum("ij,ij->i", lines[:, :DIRECTIONS], lines[:, :DIRECTIONS])
    lines[:, DIRECTIONS] = np.sqrt(np.maximum(squares, 0.0))
    return Outline(directions, lines)
