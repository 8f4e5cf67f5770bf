"""Outlines of vectors: a sixth of their dimensions, which tell of most that they are not near a query."""

import numpy as np

DIRECTIONS = 64
"""Directions that are kept. All outlines are read for every query, and whole vectors of what they do not rule
out: of 64 directions one in 70, of 128 and a bound that always holds one in 70 as well."""
LEFT_COSINE = 0.55
"""Highest cosine that is reckoned with between what is left of two vectors. Of what is near, one in 1,300 has
a higher one."""
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
    """The vectors of a matrix in the directions in which they differ most, and a bound of what is left.

    The product of two vectors is that of their outlines and that of what is left of them, which is at most
    the product of its lengths by `LEFT_COSINE`, with few exceptions. So few vectors are read whole.

    Args:
        directions: (dimension, k) float32, at right angles to each other.
        lines: (n, k + 1) float32, column by column: each vector in these directions, and the length left
            times `LEFT_COSINE`, or times 1 in snapshots of earlier builds.
    """

    def __init__(self, directions: np.ndarray, lines: np.ndarray) -> None:
        self.directions = directions
        self.lines = lines

    def reaching(self, query: np.ndarray, least: float) -> np.ndarray:
        """Return the rows of vectors whose product with a query may be so much, and of some others.

        Args:
            query: (dimension,) float32.
            least: the least product.
        """
        outline = query @ self.directions
        left = np.sqrt(np.maximum(query @ query - outline @ outline, np.float32(0)))
        most = self.lines @ np.append(outline, left)
        return np.flatnonzero(most >= np.float32(least - _ROUNDING))


def outline_of(vectors: np.ndarray, *, left_cosine: float = LEFT_COSINE) -> Outline:
    """Return the outline of a matrix of vectors, (n, dimension) float32.

    Args:
        vectors: the vectors.
        left_cosine: highest cosine that is reckoned with between what is left; with 1 the bound always holds.
    """
    sample = vectors[:: max(1, len(vectors) // _SAMPLED)]
    _, directions = np.linalg.eigh(sample.T @ sample)
    directions = np.ascontiguousarray(directions[:, -DIRECTIONS:])
    # Column by column a product of all lines takes two thirds of the time.
    lines = np.empty((len(vectors), DIRECTIONS + 1), np.float32, order="F")
    lines[:, :DIRECTIONS] = vectors @ directions
    squares = np.einsum("ij,ij->i", vectors, vectors)
    squares -= np.einsum("ij,ij->i", lines[:, :DIRECTIONS], lines[:, :DIRECTIONS])
    lines[:, DIRECTIONS] = np.sqrt(np.maximum(squares, 0.0)) * left_cosine
    return Outline(directions, lines)
