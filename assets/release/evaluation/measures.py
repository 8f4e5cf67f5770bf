"""Measures of one ranked list against graded judgements, as trec_eval defines them.

Grades are 0 to 3; a provision that nobody judged counts as 0. `nDCG` gains the grade itself, discounted by
the logarithm of the rank; recall and reciprocal rank count provisions of `RELEVANT` and above.
"""

from collections.abc import Mapping, Sequence
from math import log2

RELEVANT = 2
"""Least grade of a provision that answers, wholly or in part."""


def ndcg(ranked: Sequence[str], grades: Mapping[str, int], depth: int = 10) -> float:
    """Return the discounted gain of the first `depth`, as a share of the best order's; 0 without any."""
    ideal = _gain(sorted(grades.values(), reverse=True)[:depth])
    return _gain([grades.get(node, 0) for node in ranked[:depth]]) / ideal if ideal else 0.0


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return one by the rank of the first relevant provision; 0 where none was returned."""
    ranks = (rank for rank, node in enumerate(ranked, start=1) if grades.get(node, 0) >= RELEVANT)
    return 1 / next(ranks, float("inf"))


def recall(ranked: Sequence[str], grades: Mapping[str, int], depth: int) -> float:
    """Return the share of the relevant provisions that are among the first `depth`; 0 where there is none."""
    relevant = {node for node, grade in grades.items() if grade >= RELEVANT}
    return len(relevant.intersection(ranked[:depth])) / len(relevant) if relevant else 0.0


def judged(ranked: Sequence[str], grades: Mapping[str, int], depth: int = 10) -> float:
    """Return the share of the first `depth` that were judged; 1 where nothing was returned."""
    first = ranked[:depth]
    return sum(node in grades for node in first) / len(first) if first else 1.0


def _gain(grades: Sequence[int]) -> float:
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, start=1))
