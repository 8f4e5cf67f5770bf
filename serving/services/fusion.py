"""Fusion of what a search finds by words, meaning and like questions: one list, by the learned ranker."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from serving.services.features import Candidates, describe
from serving.snapshot.store import Snapshot


class Fused(NamedTuple):
    """One provision of the fused list.

    Attributes:
        score: between 0 and 1, as the ranker gives it.
        keyword_rank: 1-based; None if the keyword arm did not propose it.
        semantic_rank: likewise of the semantic arm.
        chunk: the chunk that is nearest to the query; None where it has none.
        asked: a question that the provision is known to answer is like the query.
        beside: it stands beside a place of an act that the query names.
        counted: words of the query that it holds, as `WordScores` counts them for a match.
    """

    row: int
    score: float = 0.0
    keyword_rank: int | None = None
    semantic_rank: int | None = None
    chunk: int | None = None
    asked: bool = False
    beside: bool = False
    counted: int = 0


def fuse(snapshot: Snapshot, query: str, vector: np.ndarray, candidates: Candidates) -> list[Fused]:
    """Return the candidates, best first; equal scores keep their order."""
    if not candidates.rows:
        return []
    described = describe(snapshot, query, vector, candidates)
    scores = snapshot.ranker.score(described.features, described.query)
    order = np.argsort(-scores, kind="stable").tolist()
    return [
        Fused(
            row,
            float(scores[place]),
            candidates.keyword_ranks.get(row),
            candidates.semantic_ranks.get(row),
            None if described.chunks[place] < 0 else int(described.chunks[place]),
            row in candidates.asked,
            row in candidates.beside,
            int(described.counted[place]),
        )
        for place in order
        for row in (candidates.rows[place],)
    ]


def merge(
    keyword: Sequence[int], semantic: Sequence[int], asked: Sequence[int], beside: Mapping[int, float]
) -> Candidates:
    """Return the rows that are proposed, each once, with their ranks in the arms."""
    return Candidates(
        list(dict.fromkeys([*keyword, *semantic, *asked, *beside])),
        {row: rank for rank, row in enumerate(keyword, start=1)},
        {row: rank for rank, row in enumerate(semantic, start=1)},
        frozenset(asked),
        beside,
    )
