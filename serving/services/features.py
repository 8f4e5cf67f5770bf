"""Features of the provisions that a hybrid search proposes, as the learned ranker weighs them."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np

from serving.services.citations.leads import Leads
from serving.services.mentions import mentioned_places, names_any_kind, names_kind
from serving.snapshot.passages import unit
from serving.snapshot.store import Snapshot
from serving.snapshot.word_scores import WordScores

_ECHOED = 5
"""Nearest passages that `echo_cosine` moves the query towards, by their mean: pseudo-relevance feedback."""
_ECHO = 0.5
"""Weight of that mean."""
_MOST_CHUNKS = 4_000
"""Chunks whose vectors one search reads: those of the provisions, as far as they go."""
_MOST_OF_LEAD = 64
"""Passages of a provision that leads, from its beginning, whose vectors are read."""
_PLACE = 60.0
"""Constant added to ranks, by which the first places do not outweigh all others."""


class Candidates(NamedTuple):
    """The provisions that are proposed for a query.

    Attributes:
        rows: distinct rows of provisions, those of the keyword arm first, in its order.
        keyword_ranks: 1-based rank in the keyword arm, by row.
        semantic_ranks: likewise in the semantic arm.
        asked: rows of those that are known to answer a question like the query.
        leads: provisions that the query cites or names, and their neighbours.
    """

    rows: list[int]
    keyword_ranks: Mapping[int, int]
    semantic_ranks: Mapping[int, int]
    asked: Set[int]
    leads: Leads


class Described(NamedTuple):
    """Candidates with their features.

    Attributes:
        features: a row for each candidate, a column for each of `FEATURES`.
        query: a value for each of `QUERY_FEATURES`.
        chunks: the chunk of each candidate that is nearest to the query; -1 where it has none.
        counted: the words that each holds, as `WordScores` counts them for a match.
    """

    features: np.ndarray
    query: np.ndarray
    chunks: np.ndarray
    counted: np.ndarray


def describe(snapshot: Snapshot, query: str, vector: np.ndarray, candidates: Candidates) -> Described:
    """Return the features of the candidates, of which there is at least one."""
    rows = candidates.rows
    words = snapshot.keyword.score(query, rows)
    near = _nearness(snapshot, vector, candidates)
    traits = snapshot.traits
    picked = np.array(rows)
    asked = snapshot.questions.likeness(vector, picked)
    places = _named_places(snapshot, query, rows)
    headings = words.in_heading * len(words.rarity) / traits.heading_words[picked]
    columns = (
        np.ones(len(rows)),
        near.best,
        near.best - near.best.max(),
        near.echo,
        _places(rows, candidates.semantic_ranks),
        np.maximum(asked.best - near.best, 0.0),
        _asked_of(asked.five, places, candidates.leads),
        words.relevance,
        words.relevance - words.relevance.max(),
        _places(rows, candidates.keyword_ranks),
        words.held,
        words.in_heading,
        np.minimum(headings, 1.0),
        words.in_citation,
        words.pairs,
        places,
        _named_kinds(snapshot, query, picked),
        _leads(rows, candidates.leads.named),
        _leads(rows, candidates.leads.beside),
        near.like_lead,
        traits.is_section[picked],
        traits.cited[picked],
        traits.is_definition[picked],
        traits.is_boilerplate[picked],
        traits.is_statement[picked],
        traits.is_administrative[picked],
    )
    features = np.stack(columns, axis=1)
    return Described(features, _query(snapshot, query, words, near), near.chunks, words.counted)


class _Nearness(NamedTuple):
    """Likeness of the candidates' passages to the query and to what leads: a value for each candidate.

    Attributes:
        best: cosine of its nearest passage with the query.
        echo: likewise with the query moved towards its nearest passages.
        chunks: row of its nearest passage; -1 where it has none.
        like_lead: cosine of its mean passage with that of the likest provision that leads, less the highest
            of all candidates; 0 where none leads.
    """

    best: np.ndarray
    echo: np.ndarray
    chunks: np.ndarray
    like_lead: np.ndarray


def _nearness(snapshot: Snapshot, vector: np.ndarray, candidates: Candidates) -> _Nearness:
    """Return how like the query, and what leads, the passages of each candidate are.

    One without passages has the lowest value of the others.
    """
    first, last = snapshot.nodes.chunk_ranges(np.array(candidates.rows))
    counts = (last - first).astype(np.int64)
    counts = np.minimum(counts, np.maximum(_MOST_CHUNKS - (np.cumsum(counts) - counts), 1)) * (counts > 0)
    has = np.flatnonzero(counts)
    size = len(counts)
    chunks = np.full(size, -1, np.int64)
    best, echo, like_lead = np.zeros(size), np.zeros(size), np.zeros(size)
    if not len(has):
        return _Nearness(best, echo, chunks, like_lead)
    starts = np.cumsum(counts[has]) - counts[has]
    flat = np.repeat(first[has].astype(np.int64) - starts, counts[has]) + np.arange(counts[has].sum())
    passages, direction = snapshot.vectors.passages.read(flat), unit(vector)
    cosines = passages.cosines(direction)
    best[has] = np.maximum.reduceat(cosines, starts)
    is_best = np.flatnonzero(cosines == np.repeat(best[has].astype(cosines.dtype), counts[has]))
    chunks[has] = flat[is_best[np.searchsorted(is_best, starts)]]
    echoed = direction + _ECHO * passages.units(_highest(cosines, _ECHOED)).mean(axis=0)
    echo[has] = np.maximum.reduceat(passages.cosines(unit(echoed)), starts)
    leading = _leading(snapshot, candidates.leads.rows)
    if len(leading):
        sums = np.add.reduceat(passages.units(), starts, axis=0)
        lengths = np.maximum(np.linalg.norm(sums, axis=1), 1e-12)
        like_lead[has] = (sums @ leading.T).max(axis=1) / lengths
        like_lead -= like_lead[has].max()
    for column in (best, echo, like_lead):
        column[counts == 0] = column[has].min()
    return _Nearness(best, echo, chunks, like_lead)


def _leading(snapshot: Snapshot, rows: Sequence[int]) -> np.ndarray:
    """Return the mean of the passages of each provision that leads, in unit length; none of one without."""
    means = []
    for row in rows:
        first, last = snapshot.nodes.chunk_range(row)
        chunks = np.arange(first, min(last, first + _MOST_OF_LEAD))
        if len(chunks):
            means.append(unit(snapshot.vectors.passages.read(chunks).units().mean(axis=0)))
    return np.array(means, np.float32)


def _highest(values: np.ndarray, count: int) -> np.ndarray:
    """Return the places of the highest values, the highest first, of equals the first."""
    if len(values) > count:
        among = np.flatnonzero(values >= np.partition(values, -count)[-count])
    else:
        among = np.arange(len(values))
    return among[np.argsort(-values[among], kind="stable")[:count]]


def _places(rows: Sequence[int], ranks: Mapping[int, int]) -> np.ndarray:
    return np.array([_PLACE / (_PLACE + rank) if (rank := ranks.get(row)) else 0.0 for row in rows])


def _leads(rows: Sequence[int], weights: Mapping[int, float]) -> np.ndarray:
    # Few queries name an act.
    return np.array([weights.get(row, 0.0) for row in rows]) if weights else np.zeros(len(rows))


def _asked_of(five: np.ndarray, places: np.ndarray, leads: Leads) -> np.ndarray:
    """Return how like the query the questions of provisions are, where they tell anything.

    What is asked elsewhere tells nothing of the place that the query names, and of law that it cites or names
    other features tell more.
    """
    if leads.rows or leads.named or leads.beside:
        return np.zeros(len(five))
    return np.where(places < 0, 0.0, five)


def _named_places(snapshot: Snapshot, query: str, rows: Sequence[int]) -> np.ndarray:
    """Return 1 for what lies in a place that the query names, -1 beside it, 0 where it names none."""
    named = mentioned_places(query, snapshot.manifest)
    if not named:
        return np.zeros(len(rows))
    return np.array([1.0 if snapshot.nodes.jurisdiction(row) in named else -1.0 for row in rows])


def _named_kinds(snapshot: Snapshot, query: str, rows: np.ndarray) -> np.ndarray:
    terms = snapshot.keyword.parse(query).terms
    # Few queries name any kind that there is.
    if not names_any_kind(terms, snapshot.nodes.known_tags):
        return np.zeros(len(rows))
    tags, places = snapshot.nodes.tag_texts(rows)
    kinds = np.array([float(names_kind(terms, text)) for text in tags])
    return np.asarray(kinds[places])


def _query(snapshot: Snapshot, query: str, words: WordScores, near: _Nearness) -> np.ndarray:
    asks = snapshot.keyword.parse(query).asks
    return np.array(
        (
            1.0,
            float(asks),
            near.best.max(),
            words.held.max(),
        )
    )
