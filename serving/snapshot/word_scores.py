"""Worth of a query's words in provisions, reckoned from the terms that these hold.

A search engine goes through its lists of the provisions that hold each word, which takes the longer the
larger the law is. What is read here is as long as the provisions that are asked about.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from serving.snapshot.terms import CITATION_END, HEADING_END, LENGTH, START, Sequences, TermTable

NEAR = 2
"""Words that may stand between two neighbours of a query."""
_SATURATION, _BY_LENGTH = 1.2, 0.75
"""Constants k1 and b of BM25, as Tantivy has them."""
MOST_OF_BM25 = 1 + _SATURATION
"""Most that BM25 gives for a word, in its rarity: of a word repeated without end."""
_EXACT_LENGTHS, _STEP_BITS = 24, 3
"""Length below which BM25 takes it as it is, and bits below the highest that it keeps of what is above."""


class WordScores(NamedTuple):
    """The worth of a query's words in several provisions: columns of a value for each, but for `rarity`.

    Attributes:
        relevance: BM25 of heading, context and text, by the most that the rarest term of each word can give:
            between 0 and 1, but for numbers and phrases, whose other terms count as well.
        held: share of the words held, between 0 and 1, the rare ones weighing more.
        in_heading: likewise of the heading alone.
        in_citation: share of the numbers in the query that stand in the citation.
        pairs: share of the words' neighbours in the query that are neighbours in the provision.
        rarity: weight of each word, not of each provision.
        counted: number of the words held, of the phrases where the query has any: as many as `least` of its
            search say make a match.
    """

    relevance: np.ndarray
    held: np.ndarray
    in_heading: np.ndarray
    in_citation: np.ndarray
    pairs: np.ndarray
    rarity: list[float]
    counted: np.ndarray


class QueryWords(NamedTuple):
    """The words of a query, prepared for counting.

    Attributes:
        runs: words of one term, and numbers and phrases of several that stand one after the other.
        idf: sum of the BM25 rarities of each run's terms.
        pairs: neighbours in the query, as places among the runs; each of one term.
    """

    runs: Sequence[tuple[str, ...]]
    idf: Sequence[float]
    pairs: Sequence[tuple[int, int]]


class Counted(NamedTuple):
    """Counts of a query's words in provisions: a row for each run or pair, a column for each provision.

    Attributes:
        relevance: BM25 of each provision, in heading, citation, headings above it and text together.
        held: 1 where the run stands anywhere.
        in_heading: 1 where it stands in the heading.
        in_citation: likewise in the citation.
        near: 1 where the second of the pair follows the first, with `NEAR` terms between them at most.
    """

    relevance: np.ndarray
    held: np.ndarray
    in_heading: np.ndarray
    in_citation: np.ndarray
    near: np.ndarray


class _Hits(NamedTuple):
    """Places at which a term of the query stands: in the sequences, by provision, and which term."""

    at: np.ndarray
    row: np.ndarray
    term: np.ndarray


def count_words(table: TermTable, asked: QueryWords, rows: np.ndarray) -> Counted:
    """Return what provisions, at least one, hold of a query's words."""
    if not asked.runs:
        none = np.zeros((0, len(rows)))
        return Counted(np.zeros(len(rows)), none, none, none, none)
    sequences = table.read(rows)
    numbers = {table.number(term): None for run in asked.runs for term in run}
    numbers.pop(0, None)
    places = {number: place for place, number in enumerate(numbers, start=1)}
    # One look at each term that is read: to compare them with each of the query's takes as often longer.
    narrow = np.uint8 if len(places) <= np.iinfo(np.uint8).max else np.uint16
    place_of = np.zeros(table.vocabulary_size + 1, narrow)
    for number, place in places.items():
        place_of[number] = place
    # Beyond the end, where a run that begins there would go on.
    longest = max(NEAR + 1, *(len(run) for run in asked.runs))
    held = np.zeros(len(sequences.terms) + longest, narrow)
    np.take(place_of, sequences.terms, out=held[: len(sequences.terms)], mode="clip")
    at = np.flatnonzero(held.astype(bool))
    hits = _Hits(at, np.searchsorted(sequences.starts, at, side="right") - 1, held[at])
    runs = [[places.get(table.number(term), 0) for term in run] for run in asked.runs]
    shape = len(runs), len(rows)
    counts, in_heading, in_citation = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    within = hits.at - sequences.starts[hits.row]
    heading_end = (sequences.bounds[:, HEADING_END] - sequences.bounds[:, START])[hits.row]
    citation_end = (sequences.bounds[:, CITATION_END] - sequences.bounds[:, START])[hits.row]
    for number, run in enumerate(runs):
        here = _beginnings(hits, held, run)
        counts[number] = np.bincount(hits.row[here], minlength=len(rows))
        in_heading[number, hits.row[here[within[here] < heading_end[here]]]] = 1
        is_cited = (within[here] >= heading_end[here]) & (within[here] < citation_end[here])
        in_citation[number, hits.row[here[is_cited]]] = 1
    return Counted(
        _bm25(counts, sequences, asked.idf, table.mean_length),
        (counts > 0).astype(np.float64),
        in_heading,
        in_citation,
        _near(hits, held, [(runs[first][0], runs[second][0]) for first, second in asked.pairs], sequences),
    )


def _beginnings(hits: _Hits, held: np.ndarray, run: Sequence[int]) -> np.ndarray:
    """Return the places among the hits at which a run begins. No run goes over a gap."""
    if not all(run):
        return np.empty(0, np.int64)
    begin = hits.term == run[0]
    for offset, term in enumerate(run[1:], start=1):
        begin &= held[hits.at + offset] == term
    return np.flatnonzero(begin)


def _near(
    hits: _Hits, held: np.ndarray, pairs: Sequence[tuple[int, int]], sequences: Sequences
) -> np.ndarray:
    near = np.zeros((len(pairs), len(sequences.starts)))
    if not pairs:
        return near
    # The number of each pair of terms, of those that are neighbours in the query.
    numbers = np.full((int(held.max()) + 1,) * 2, -1, np.int16)
    for number, (first, second) in enumerate(pairs):
        if first and second and max(first, second) < len(numbers):
            numbers[first, second] = number
    ends = np.append(sequences.starts[1:], len(held))[hits.row]
    for offset in range(1, NEAR + 2):
        inside = hits.at + offset < ends
        found = numbers[hits.term[inside], held[hits.at[inside] + offset]]
        is_pair = found >= 0
        near[found[is_pair], hits.row[inside][is_pair]] = 1
    return near


def _bm25(counts: np.ndarray, sequences: Sequences, idf: Sequence[float], mean_length: float) -> np.ndarray:
    lengths = _rounded(sequences.bounds[:, LENGTH]) / (mean_length or 1.0)
    norms = _SATURATION * (1 - _BY_LENGTH + _BY_LENGTH * lengths)
    shares = counts / (counts + norms)
    relevance: np.ndarray = np.array(idf) * MOST_OF_BM25 @ shares
    return relevance


def _rounded(lengths: np.ndarray) -> np.ndarray:
    """Return lengths as Tantivy keeps them, in one byte each: of what is above 24 the four highest bits."""
    above = np.maximum(lengths.astype(np.int64) - _EXACT_LENGTHS, 0)
    bits = np.zeros(len(above), np.int64)
    large = above > 0
    bits[large] = np.floor(np.log2(above[large])).astype(np.int64)
    dropped = np.maximum(bits - _STEP_BITS, 0)
    return np.where(lengths < _EXACT_LENGTHS, lengths, _EXACT_LENGTHS + (above >> dropped << dropped))
