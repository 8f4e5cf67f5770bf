"""Fusion of what a search finds by words, meaning and like questions: one list, by the learned ranker."""

from collections.abc import Sequence
from typing import NamedTuple, overload

import numpy as np

from serving.services.citations.leads import NO_LEADS, Leads
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
    """

    row: int
    score: float = 0.0
    keyword_rank: int | None = None
    semantic_rank: int | None = None
    chunk: int | None = None
    asked: bool = False
    beside: bool = False


class Ranking(Sequence[Fused]):
    """The fused list, best first. Its entries are made when they are asked for: few are shown.

    Args:
        candidates: what was proposed.
        chunks: the nearest chunk of each; -1 where it has none.
        counted: words that each holds.
        scores: score of each.

    Attributes:
        rows: rows of the provisions in the order of the list; equal scores keep that of the candidates.
    """

    def __init__(
        self, candidates: Candidates, chunks: np.ndarray, counted: np.ndarray, scores: np.ndarray
    ) -> None:
        self._candidates = candidates
        self._chunks, self._counted, self._scores = chunks, counted, scores
        self._order: list[int] = np.argsort(-scores, kind="stable").tolist()
        self.rows = [candidates.rows[place] for place in self._order]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Fused: ...

    @overload
    def __getitem__(self, index: slice) -> list[Fused]: ...

    def __getitem__(self, index: int | slice) -> Fused | list[Fused]:
        chosen = self._order[index]
        return self._entry(chosen) if isinstance(chosen, int) else list(map(self._entry, chosen))

    def _entry(self, place: int) -> Fused:
        found, chunk = self._candidates, int(self._chunks[place])
        row = found.rows[place]
        return Fused(
            row,
            float(self._scores[place]),
            found.keyword_ranks.get(row),
            found.semantic_ranks.get(row),
            None if chunk < 0 else chunk,
            row in found.asked,
            row in found.leads.beside,
        )

    def holding(self, least: int) -> set[int]:
        """Return the rows of the provisions that hold so many words of the query."""
        rows = self._candidates.rows
        return {rows[place] for place in np.flatnonzero(self._counted >= least).tolist()}


def fuse(snapshot: Snapshot, query: str, vector: np.ndarray, candidates: Candidates) -> Ranking:
    """Return the candidates, best first; equal scores keep their order."""
    if not candidates.rows:
        none = np.empty(0, np.int64)
        return Ranking(candidates, none, none, none)
    described = describe(snapshot, query, vector, candidates)
    scores = snapshot.ranker.score(described.features, described.query)
    return Ranking(candidates, described.chunks, described.counted, scores)


def merge(
    keyword: Sequence[int], semantic: Sequence[int], asked: Sequence[int], leads: Leads = NO_LEADS
) -> Candidates:
    """Return the rows that are proposed, each once, with their ranks in the arms, and those that lead."""
    return Candidates(
        list(dict.fromkeys([*keyword, *semantic, *asked, *leads.beside, *leads.named])),
        {row: rank for rank, row in enumerate(keyword, start=1)},
        {row: rank for rank, row in enumerate(semantic, start=1)},
        frozenset(asked),
        leads,
    )
