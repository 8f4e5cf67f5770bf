"""Search: keyword, semantic and hybrid, from a checked request to one page of results with snippets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import NamedTuple

import numpy as np

from serving.concurrency.spare import SpareThread
from serving.contract.errors import AbandonedError
from serving.services.citations.leads import Leads, find_leads
from serving.services.facets import count_rows, label_facets
from serving.services.floors import least_likeness, least_similarity
from serving.services.fusion import Fused, fuse, merge
from serving.services.hints import hint_for
from serving.services.known_values import filters_of, known_request
from serving.services.missing_law import missing_law
from serving.services.requests import (
    FacetCount,
    Match,
    Mode,
    SearchItem,
    SearchRequest,
    SearchResults,
)
from serving.services.snippets import Terms, make_snippet, query_terms
from serving.services.timings import Timings
from serving.snapshot.facets import Facets
from serving.snapshot.filters import Filters
from serving.snapshot.keyword import KeywordHits
from serving.snapshot.questions import QuestionHit
from serving.snapshot.store import Snapshot
from serving.snapshot.vector import VectorHit

DEPTH = 100
"""Provisions that each arm of a hybrid search and like questions propose; the most of a semantic search."""

CITATION_BONUS = 1.0
"""Score added to the best one for provisions whose citation was typed, so that they stand above all
others."""
_SAME_MEANING = 1.0
"""Cosine similarity of identical meaning, for provisions that the query cites."""


def _never() -> bool:
    return False


class _Found(NamedTuple):
    """A found provision in its place, before it is described."""

    row: int
    score: float
    keyword_rank: int | None
    semantic_rank: int | None
    chunk: int | None
    question: bool = False
    beside: bool = False


class Near(NamedTuple):
    """The query's vector, and what the semantic arm found, nearest first."""

    vector: np.ndarray
    hits: list[VectorHit]


class _Words(NamedTuple):
    """Findings of the words of a hybrid search's query, and the seconds that the keyword arm took."""

    candidates: list[int]
    matches: KeywordHits
    leads: Leads
    seconds: float


class _Questions(NamedTuple):
    """Provisions that answer questions like the query, and the seconds that it took to find them."""

    asked: list[QuestionHit]
    seconds: float


@dataclass(frozen=True, slots=True)
class _Page:
    """The result of one retrieval: the page's provisions, the count of all, and facet counts if asked for.

    Attributes:
        leads: what the query cites or names.
    """

    found: list[_Found]
    total: int
    facets: Facets | None
    leads: Leads


class SearchService:
    """Searches open snapshots. Methods block and may be called from many threads.

    Attributes:
        timings: durations of the arms.
    """

    def __init__(self) -> None:
        self.timings = Timings()
        self._spare = SpareThread("words")

    def search(
        self, snapshot: Snapshot, request: SearchRequest, *, is_abandoned: Callable[[], bool] = _never
    ) -> SearchResults:
        """Answer a search.

        Args:
            snapshot: the snapshot to search.
            request: the checked request.
            is_abandoned: called between the parts of the work; True if nobody waits for the result any more.

        Raises:
            ValidationError: the jurisdiction, code body, level or tag is not one of the snapshot's.
            AbandonedError: nobody waits for it.
        """
        request = known_request(snapshot, request)
        filters = filters_of(request)
        _require_waiting(is_abandoned)
        if request.mode is Mode.HYBRID:
            page = self._hybrid_page(snapshot, request, filters, is_abandoned)
        else:
            leads = find_leads(snapshot, request.query, filters)
            if request.mode is Mode.KEYWORD:
                with self.timings.timed("keyword"):
                    page = _keyword_page(snapshot, request, filters, leads)
            else:
                page = _semantic_page(snapshot, request, filters, leads, self.timings)
        _require_waiting(is_abandoned)
        facets: dict[str, tuple[FacetCount, ...]] | None = None
        if page.facets is not None:
            facets = label_facets(snapshot.manifest, page.facets)
        items = _items(snapshot, page.found, query_terms(request.query), page.leads.rows)
        missing = missing_law(
            snapshot.manifest,
            # What is cited is asked for, and no place in its name.
            "" if page.leads.first or page.leads.left_out else request.query,
            acts=page.leads.acts,
            jurisdiction=request.jurisdiction,
            code_body=None if request.code_body is None else str(request.code_body),
        )
        not_held = (*missing, *page.leads.unheld)
        left_out = page.leads.left_out
        hint = hint_for(snapshot, request, total=page.total, not_held=not_held, left_out=left_out)
        return SearchResults(tuple(items), page.total, facets, hint, not_held, left_out)

    def _hybrid_page(
        self,
        snapshot: Snapshot,
        request: SearchRequest,
        filters: Filters,
        is_abandoned: Callable[[], bool],
    ) -> _Page:
        query, timings = request.query, self.timings
        with self._spare.beside(lambda: _words(snapshot, request, filters)) as found_by_words:
            with timings.timed("encoder"):
                vector = snapshot.encoder.encode_query(query)
            words = found_by_words()
        timings.add("keyword", words.seconds)
        _require_waiting(is_abandoned)
        with self._spare.beside(lambda: _questions(snapshot, query, vector, filters)) as found_by_questions:
            with timings.timed("semantic"):
                near = _nearest_to(snapshot, query, vector, filters)
            questions = found_by_questions()
        timings.add("questions", questions.seconds)
        _require_waiting(is_abandoned)
        with timings.timed("ranking"):
            return _fused_page(snapshot, request, filters, words, near, questions.asked)


def _require_waiting(is_abandoned: Callable[[], bool]) -> None:
    if is_abandoned():
        raise AbandonedError("The search was abandoned before it was done.")


def _words(snapshot: Snapshot, request: SearchRequest, filters: Filters) -> _Words:
    """Return what is found by the words of a query alone."""
    started = perf_counter()
    query, keyword = request.query, snapshot.keyword
    candidates = keyword.candidates(query, filters=filters, limit=DEPTH)
    # The page may lie past what is fused: no deeper place of the keyword order than its end is needed.
    last = request.offset + request.limit
    matches = keyword.search(query, filters=filters, limit=last if last > DEPTH else 0, facets=request.facets)
    seconds = perf_counter() - started
    return _Words(candidates, matches, find_leads(snapshot, query, filters), seconds)


def _fused_page(
    snapshot: Snapshot,
    request: SearchRequest,
    filters: Filters,
    words: _Words,
    near: Near,
    asked: Sequence[QuestionHit],
) -> _Page:
    candidates, matches, leads = words.candidates, words.matches, words.leads
    # One word in common with a law that means something else: that is no match.
    is_unmatched = (
        matches.is_lenient
        and not near.hits
        and not asked
        and _is_far_off(snapshot, request.query, near.vector)
    )
    if is_unmatched:
        facets = Facets() if request.facets else None
        candidates, matches = [], KeywordHits([], [], 0, matches.least, facets)
    semantic = [hit.node_row for hit in near.hits]
    answering = [provision.node_row for provision in asked]
    if not snapshot.ranker.orders_named_acts:
        leads = replace(leads, named={})
    proposed = merge(candidates, semantic, answering, leads)
    ranked = fuse(snapshot, request.query, near.vector, proposed)
    fused = _led(leads.first, ranked)
    rows = [item.row for item in fused] if leads.first else ranked.rows
    listed, matched = set(rows), set[int]()
    if not is_unmatched:
        # All that is proposed has passed the filters.
        others = list(listed.difference(proposed.rows))
        matched = ranked.holding(max(matches.least, 1))
        matched |= snapshot.keyword.matching(request.query, filters=filters, rows=others, least=matches.least)
    beyond = [row for row in rows if row not in matched]
    first, last = request.offset, request.offset + request.limit
    found = [
        _Found(
            item.row, item.score, item.keyword_rank, item.semantic_rank, item.chunk, item.asked, item.beside
        )
        for item in fused[first:last]
    ]
    if last > len(fused):
        lowest = fused[-1].score if fused else 1.0
        rest = [row for row in matches.rows if row not in listed]
        found += _tail(rest, max(0, first - len(fused)), last - len(fused), lowest, after=len(candidates))
    facets = None if matches.facets is None else count_rows(snapshot.nodes, beyond, onto=matches.facets)
    return _Page(found, matches.total + len(beyond), facets, leads)


def _led(leads: Sequence[int], fused: Sequence[Fused]) -> Sequence[Fused]:
    """Put the provisions that the query cites first, whether the arms found them or not."""
    if not leads:
        return fused
    found = {item.row: item for item in fused}
    score = CITATION_BONUS + (fused[0].score if fused else 0.0)
    led = [found.get(row, Fused(row))._replace(score=score) for row in leads]
    return led + [item for item in fused if item.row not in leads]


def _tail(rows: Sequence[int], first: int, last: int, below: float, *, after: int) -> list[_Found]:
    """Return places [first, last) of the keyword order that follows the fused list.

    Args:
        rows: that order, without the fused list's rows.
        first: place among these rows.
        last: likewise.
        below: score that theirs are lower than.
        after: provisions that the keyword arm ranks before them.
    """
    places = enumerate(rows[first:last], start=first + 1)
    return [_Found(row, below / (1 + place), after + place, None, None) for place, row in places]


def _keyword_page(snapshot: Snapshot, request: SearchRequest, filters: Filters, leads: Leads) -> _Page:
    # Those that lead are missing further down: where they stood is known only from the first place on.
    skipped = 0 if leads.rows else request.offset
    last = request.offset + request.limit
    hits = snapshot.keyword.search(
        request.query, filters=filters, limit=last - skipped, offset=skipped, facets=request.facets
    )
    ranked = enumerate(zip(hits.rows, hits.scores, strict=True), start=skipped + 1)
    found = [_Found(row, score, rank, None, None) for rank, (row, score) in ranked]
    if not leads.rows:
        return _Page(found, hits.total, hits.facets, leads)
    matched = snapshot.keyword.matching(
        request.query, filters=filters, rows=list(leads.rows), least=hits.least
    )
    unmatched = [row for row in leads.rows if row not in matched]
    facets = None if hits.facets is None else count_rows(snapshot.nodes, unmatched, onto=hits.facets)
    best = found[0].score if found else 0.0
    page = _first_of(leads.rows, found, CITATION_BONUS + best)[request.offset : last]
    return _Page(page, hits.total + len(unmatched), facets, leads)


def _semantic_page(
    snapshot: Snapshot, request: SearchRequest, filters: Filters, leads: Leads, timings: Timings
) -> _Page:
    with timings.timed("encoder"):
        vector = snapshot.encoder.encode_query(request.query)
    with timings.timed("semantic"):
        hits = _nearest_to(snapshot, request.query, vector, filters).hits
    found = [
        _Found(hit.node_row, 1.0 - hit.distance, None, rank, hit.chunk_row)
        for rank, hit in enumerate(hits, start=1)
    ]
    found = _first_of(leads.rows, found, _SAME_MEANING)
    facets = count_rows(snapshot.nodes, [item.row for item in found]) if request.facets else None
    return _Page(found[request.offset : request.offset + request.limit], len(found), facets, leads)


def _first_of(leads: Sequence[int], found: list[_Found], score: float) -> list[_Found]:
    """Return the cited provisions, with their score, before the rest of the results."""
    by_row = {item.row: item for item in found if item.row in leads}
    led = [by_row.get(row, _Found(row, score, None, None, None))._replace(score=score) for row in leads]
    return led + [item for item in found if item.row not in leads]


def nearest(snapshot: Snapshot, query: str, filters: Filters) -> Near:
    """Return the nearest provisions, as far as they are near enough to be called a match."""
    return _nearest_to(snapshot, query, snapshot.encoder.encode_query(query), filters)


def _nearest_to(
    snapshot: Snapshot, query: str, vector: np.ndarray, filters: Filters, *, limit: int = DEPTH
) -> Near:
    hits = snapshot.vectors.search(vector, filters=filters, limit=limit)
    return Near(vector, _near_enough(snapshot, query, hits))


def nearest_and_asked(snapshot: Snapshot, query: str, filters: Filters) -> tuple[Near, list[QuestionHit]]:
    """Return the nearest provisions, and those that answer questions like the query."""
    near = nearest(snapshot, query, filters)
    return near, _asked(snapshot, query, near.vector, filters)


def _near_enough(snapshot: Snapshot, query: str, hits: list[VectorHit]) -> list[VectorHit]:
    farthest = 1.0 - least_similarity(snapshot, query)
    return [hit for hit in hits if hit.distance <= farthest]


def _questions(snapshot: Snapshot, query: str, vector: np.ndarray, filters: Filters) -> _Questions:
    started = perf_counter()
    asked = _asked(snapshot, query, vector, filters)
    return _Questions(asked, perf_counter() - started)


def _asked(snapshot: Snapshot, query: str, vector: np.ndarray, filters: Filters) -> list[QuestionHit]:
    """Return the provisions that answer questions like the query."""
    least = least_likeness(snapshot, query)
    return snapshot.questions.nearest(vector, filters=filters, limit=DEPTH, least=least)


def _is_far_off(snapshot: Snapshot, query: str, vector: np.ndarray) -> bool:
    """Return whether nothing in the law is near enough to a query, whatever it is narrowed to."""
    return not _nearest_to(snapshot, query, vector, Filters(statuses=()), limit=1).hits


def _items(snapshot: Snapshot, page: list[_Found], terms: Terms, leads: Sequence[int]) -> list[SearchItem]:
    nodes = snapshot.nodes
    items = []
    for row, score, keyword_rank, semantic_rank, chunk, question, beside in page:
        node_id, citation, heading, level, status, tags = nodes.describe(row)
        body = nodes.code_body(row)
        span = None if chunk is None else snapshot.chunks.span(chunk)[2:]
        match = Match(keyword_rank, semantic_rank, row in leads, question, beside)
        items.append(
            SearchItem(
                node_id,
                citation,
                heading,
                body.jurisdiction,
                body.id,
                level,
                status,
                tags,
                *make_snippet(nodes.text_bytes(row), terms, span=span, heading=heading),
                score,
                match,
            )
        )
    return items
