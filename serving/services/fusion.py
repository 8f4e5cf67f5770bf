"""Reciprocal-rank fusion of the two arms of a hybrid search."""

from collections.abc import Sequence
from dataclasses import dataclass

K = 60
"""Constant added to ranks: large enough that the first place in one arm does not outweigh good places in
both."""
KEYWORD_WEIGHT = 1.0
SEMANTIC_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class Fused:
    """One provision of the fused list; ranks are 1-based, None if the arm did not find it."""

    row: int
    score: float
    keyword_rank: int | None
    semantic_rank: int | None


def reciprocal(rank: int, *, weight: float = KEYWORD_WEIGHT) -> float:
    """Return the score of a 1-based rank in one arm."""
    return weight / (K + rank)


def fuse(keyword: Sequence[int], semantic: Sequence[int]) -> list[Fused]:
    """Merge two ranked lists of distinct rows, best first; equal scores keep the keyword arm's order."""
    semantic_ranks = {row: rank for rank, row in enumerate(semantic, start=1)}
    fused = [
        _fused(row, keyword_rank=rank, semantic_rank=semantic_ranks.pop(row, None))
        for rank, row in enumerate(keyword, start=1)
    ]
    fused += [_fused(row, keyword_rank=None, semantic_rank=rank) for row, rank in semantic_ranks.items()]
    fused.sort(key=lambda item: -item.score)
    return fused


def _fused(row: int, *, keyword_rank: int | None, semantic_rank: int | None) -> Fused:
    score = 0.0
    if keyword_rank is not None:
        score += reciprocal(keyword_rank)
    if semantic_rank is not None:
        score += reciprocal(semantic_rank, weight=SEMANTIC_WEIGHT)
    return Fused(row, score, keyword_rank, semantic_rank)
