"""Outlines of vectors: a sixth of their dimensions, which tell of most that they are not near a query.

Snapshots of earlier builds have them of their questions, where later ones have short codes.
"""

import numpy as np

_ROUNDING = 1e-4
"""Most by which the bound may err, in single precision."""


class Outline:
    """Projections of vectors on their principal directions, with a bound for the rest of each.

    The product of two vectors is the product of their projections plus that of their residuals, and the
    second is at most the product of the residuals' lengths times a cosine that one pair in 1,300 exceeds. A
    vector whose bound is too low is not read.

    Args:
        directions: (dimension, k) float32, at right angles to each other.
        lines: (n, k + 1) float32: each vector in these directions, and the length left times that cosine.
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
