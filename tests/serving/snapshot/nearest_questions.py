"""Comparison of what a question index finds with what every question gives."""

import numpy as np
import pytest

from serving.snapshot.filters import Filters
from serving.snapshot.questions import QuestionIndex


def require_nearest(
    index: QuestionIndex, vectors: np.ndarray, rows: np.ndarray, passing: np.ndarray, least: float
) -> None:
    """Fail where an index finds other provisions than a comparison of each question, or other cosines.

    Args:
        index: over `vectors`.
        vectors: the questions', of unit length.
        rows: the provision of each.
        passing: whether each provision passes the filters.
        least: least cosine.
    """
    for query in vectors[::700]:
        best = np.full(len(passing), -2.0)
        np.maximum.at(best, rows, vectors.astype(np.float64) @ query)
        wanted = [row for row in np.argsort(-best) if passing[row] and best[row] >= least][:50]
        found = index.nearest(query, filters=Filters(), limit=50, least=least)
        assert [one.node_row for one in found] == wanted
        assert [one.cosine for one in found] == pytest.approx(best[wanted], abs=1e-5)
