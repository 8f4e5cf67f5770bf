"""Vectors of the questions that provisions are known to answer: one like a query leads to its answer."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import (
    QUESTION_DIRECTIONS,
    QUESTION_LINES,
    QUESTION_NODES,
    QUESTION_VECTORS,
    VECTOR_CODES,
)
from serving.snapshot.codes import Selected, VectorCodes, opened_codes, select
from serving.snapshot.filters import Filters
from serving.snapshot.outlines import Outline
from serving.snapshot.passages import unit

_PROPOSED = 384
"""Questions that codes propose at first: twice as many each time that these are too few."""
_REMEMBERED = 8
"""Filters whose questions are remembered, at a bit for each question."""
_FIVE = 5
"""Questions of a provision that tell together how well it answers: one may be like the query by chance."""
_APART = 4.0
"""Added from one provision to the next before cosines are sorted: more than any two of them differ by."""
_ROUNDING = 1e-4
"""Most by which a product may err, in single precision."""


class QuestionHit(NamedTuple):
    """A provision, and the cosine of a query with the nearest question that it answers."""

    node_row: int
    cosine: float


class Likeness(NamedTuple):
    """Likeness of a query to the questions of some provisions, by cosines.

    Attributes:
        best: of the nearest question of each; 0 where it has none.
        five: mean of its five nearest; those that it lacks count as 0.
    """

    best: np.ndarray
    five: np.ndarray


class _CodedQuestions:
    """Vectors of questions, of which short codes tell which are near a query."""

    def __init__(self, codes: VectorCodes, vectors: np.ndarray, nodes: np.ndarray) -> None:
        self._codes, self._vectors, self._nodes = codes, vectors, nodes

    def reaching(
        self, query: np.ndarray, least: float, selected: Selected | None, provisions: int
    ) -> np.ndarray:
        """Return the rows of the vectors whose product with a query is `least` or more, in rising order.

        Some are less by a rounding.

        Args:
            query: (dimension,) float32.
            least: the least product.
            selected: the vectors that are looked at; without it, all.
            provisions: how many are wanted: vectors farther away than those of so many may be missing.
        """
        count = _PROPOSED
        while True:
            proposed = self._codes.nearest(query, count, selected, everywhere=True)
            near = self._vectors[proposed.rows] @ query >= np.float32(least - _ROUNDING)
            rows = np.sort(proposed.rows[near])
            # The codes err little: where most that they propose are too far, so is what they leave out.
            if proposed.is_all or len(rows) <= count // 2 or len(np.unique(self._nodes[rows])) >= provisions:
                return rows
            count *= 2


class QuestionIndex:
    """The questions of a snapshot. Searches may run in any thread.

    Args:
        folder: folder of the files; a snapshot without it has no questions.
        nodes: number of the snapshot's provisions.
        passing: tells which of them pass filters.
        dimension: length of a vector.

    Raises:
        SnapshotCorruptError: the files do not hold so many vectors and rows of provisions, in their order.
    """

    def __init__(
        self, folder: Path, nodes: int, *, passing: Callable[[Filters], np.ndarray], dimension: int
    ) -> None:
        self._passing = passing
        self._selected = lru_cache(_REMEMBERED)(self._select)
        self._vectors = np.empty((0, dimension), np.float32)
        rows = np.empty(0, np.uint32)
        if folder.is_dir():
            self._vectors, rows = _load(folder / QUESTION_VECTORS), _load(folder / QUESTION_NODES)
        fits = self._vectors.shape == (len(rows), dimension) and rows.ndim == 1
        if not fits or (len(rows) and (np.any(rows[1:] < rows[:-1]) or rows[-1] >= nodes)):
            raise SnapshotCorruptError(
                str(folder),
                f"holds vectors of shape {self._vectors.shape} for {rows.shape} rows of provisions",
            )
        self._answering = rows
        self._nodes, self._starts = np.unique(rows.astype(np.int64), return_index=True)
        self._ends = np.append(self._starts[1:], len(rows))
        self._summary = self._open_summary(folder)

    def _open_summary(self, folder: Path) -> "_CodedQuestions | Outline | None":
        """Return what tells of most questions that they are far: to read each whole would take longest.

        Few questions have no such thing, and snapshots of earlier builds an outline.
        """
        count, dimension = self._vectors.shape
        if (folder / VECTOR_CODES).exists():
            codes = opened_codes(folder / VECTOR_CODES, (count, dimension))
            return _CodedQuestions(codes, self._vectors, self._answering)
        if not (folder / QUESTION_LINES).exists():
            return None
        directions, lines = _load(folder / QUESTION_DIRECTIONS), _load(folder / QUESTION_LINES)
        kept = directions.shape[-1]
        if (directions.shape, lines.shape) != ((dimension, kept), (count, kept + 1)):
            raise SnapshotCorruptError(
                str(folder),
                f"holds outlines of shape {lines.shape} for vectors of shape {(count, dimension)}",
            )
        return Outline(directions, lines)

    def __len__(self) -> int:
        return len(self._vectors)

    def nearest(
        self, vector: np.ndarray, *, filters: Filters, limit: int, least: float = -1.0
    ) -> list[QuestionHit]:
        """Return the `limit` provisions with the nearest questions, nearest first.

        Args:
            vector: vector of the query, of any length but zero.
            filters: applied before the search.
            limit: most provisions.
            least: least cosine of what is near.
        """
        questions, cosines = self._reaching(unit(vector), least, filters, limit)
        if not len(questions):
            return []
        answering = self._answering[questions].astype(np.int64)
        firsts = np.flatnonzero(np.diff(answering, prepend=-1))
        best, nodes = np.maximum.reduceat(cosines, firsts), answering[firsts]
        # In double precision, as the least cosine is: few reach it, and only these are looked at.
        near = np.flatnonzero((best >= np.float64(least)) & self._passing(filters)[nodes])
        order = near[np.lexsort((nodes[near], -best[near]))[:limit]]
        return [QuestionHit(int(nodes[place]), float(best[place])) for place in order]

    def _reaching(
        self, query: np.ndarray, least: float, filters: Filters, provisions: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the questions that may be so near, in their order, with their cosines."""
        if isinstance(self._summary, _CodedQuestions):
            questions = self._summary.reaching(query, least, self._selected(filters), provisions)
        elif self._summary is not None:
            questions = self._summary.reaching(query, least)
        else:
            return np.arange(len(self._vectors)), self._vectors @ query
        return questions, self._vectors[questions] @ query

    def _select(self, filters: Filters) -> Selected | None:
        return select(self._passing(filters)[self._answering])

    def likeness(self, vector: np.ndarray, rows: np.ndarray) -> Likeness:
        """Return how like a query the questions of provisions are."""
        best, five = np.zeros((2, len(rows)), np.float32)
        if not len(self._nodes):
            return Likeness(best, five)
        places = np.minimum(np.searchsorted(self._nodes, rows), len(self._nodes) - 1)
        asked = np.flatnonzero(self._nodes[places] == rows)
        if not len(asked):
            return Likeness(best, five)
        starts, counts = self._starts[places[asked]], (self._ends - self._starts)[places[asked]]
        firsts = np.cumsum(counts) - counts
        questions = np.repeat(starts - firsts, counts) + np.arange(counts.sum())
        cosines = self._vectors[questions] @ unit(vector)
        best[asked] = np.maximum.reduceat(cosines, firsts)
        # Sorted in one piece, each provision apart from the next.
        apart = np.repeat(_APART * np.arange(len(asked)), counts)
        nearest_first = apart - np.sort(apart - cosines)
        is_near = np.arange(len(questions)) - np.repeat(firsts, counts) < _FIVE
        five[asked] = np.add.reduceat(np.where(is_near, nearest_first, 0.0), firsts) / _FIVE
        return Likeness(best, five)


def _load(path: Path) -> np.ndarray:
    try:
        # As a plain array: a mapped one calls back for each part of it.
        loaded = np.asarray(np.load(path, mmap_mode="r"))
    except (OSError, ValueError) as error:
        raise SnapshotCorruptError(str(path), f"holds no array: {error}") from error
    return loaded
