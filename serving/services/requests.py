"""Requests and results of a search: what the doors hand to the search service, and the answer that they give.

Records made once per result are named tuples: a frozen dataclass takes five times as long to make.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, NamedTuple
from uuid import UUID

from serving.contract.answers import DETAIL, Default, widen
from serving.contract.errors import ValidationError
from serving.contract.records import IN_FORCE

RESULT_WINDOW = 10_000
"""Greatest value of `page * limit`: deeper paging costs more than it finds."""


class Mode(StrEnum):
    """A way of retrieving provisions: by words, by meaning, or both."""

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    KEYWORD = "keyword"


def require_window(page: int, limit: int, *, remedy: str) -> None:
    """Raise an error for a page beyond the deepest that is served.

    Raises:
        ValidationError: it lies beyond; the message ends in the remedy.
    """
    if page * limit > RESULT_WINDOW:
        raise ValidationError(
            f"`page` times `limit` must not exceed {RESULT_WINDOW:,}: {remedy}.", parameter="page"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A page of a list, with its bounds already checked.

    Attributes:
        page: 1-based.
        limit: entries per page.

    Raises:
        ValidationError: the page lies beyond the deepest that is served.
    """

    page: int = 1
    limit: int = 20

    def __post_init__(self) -> None:
        require_window(self.page, self.limit, remedy="that many are never listed")

    @property
    def offset(self) -> int:
        """Entries before this page."""
        return (self.page - 1) * self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesRequest:
    """A question for changes.

    Attributes:
        since: snapshot to compare with; None for the one that was in service before `until`.
        until: the later snapshot; None for the one in service.
        container: a provision: changes of it and of what is below it, before or after.
    """

    since: str | None = None
    until: str | None = None
    jurisdiction: str | None = None
    code_body: UUID | None = None
    container: UUID | None = None
    kind: str | None = None
    page: PageRequest = PageRequest()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search, with its bounds already checked.

    Attributes:
        query: 1 to 500 characters, white space folded.
        page: 1-based.
        limit: results per page.
        jurisdiction: short code in lower case; its sub-jurisdictions are in scope too.
        level: level of the provisions searched; None for every level.
        tag: tag that they must have; None for any or none.
        statuses: provisions with one of these are searched.

    Raises:
        ValidationError: the page lies beyond the deepest that is served.
    """

    query: str
    mode: Mode = Mode.HYBRID
    page: int = 1
    limit: int = 20
    jurisdiction: str | None = None
    code_body: UUID | None = None
    level: str | None = None
    tag: str | None = None
    statuses: tuple[str, ...] = (IN_FORCE,)
    facets: bool = False

    def __post_init__(self) -> None:
        require_window(self.page, self.limit, remedy="narrow the search instead")

    @property
    def offset(self) -> int:
        """Results before this page."""
        return (self.page - 1) * self.limit


class Span(NamedTuple):
    """Characters [start, end) of a text."""

    start: int
    end: int


class Snippet(NamedTuple):
    """An excerpt of a provision's text, and the query's words in it."""

    text: str
    highlights: tuple[Span, ...]


class Match(NamedTuple):
    """The reason for a result: its 1-based rank in each arm that found it, and what else led to it.

    Attributes:
        citation: the query is this provision's citation.
        question: the query is like a question that the provision is known to answer.
        named_act: it stands beside a place of an act that the query names, and is none itself.
    """

    keyword_rank: int | None
    semantic_rank: int | None
    citation: bool
    question: bool
    named_act: bool


class SearchItem(NamedTuple):
    """One provision found.

    Attributes:
        snippet: an excerpt of its text; `highlights` are the query's words in it.
        score: BM25 in keyword mode, comparable within one answer only; cosine similarity in semantic mode;
            in hybrid mode the probability that it answers, as the snapshot's ranker has learned it.
    """

    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: Annotated[str, DETAIL]
    level: Annotated[str, Default("section")]
    status: Annotated[str, Default(IN_FORCE)]
    tags: Annotated[tuple[str, ...], DETAIL]
    snippet: str
    highlights: Annotated[tuple[Span, ...], DETAIL]
    score: Annotated[float, DETAIL]
    matched: Annotated[Match, DETAIL]


@dataclass(frozen=True, slots=True)
class FacetCount:
    """The number of results that have one value."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NotHeld:
    """Law that a search asks for and that is not held.

    Attributes:
        asked: the name of a jurisdiction, or what the query cites or names.
        jurisdiction: the code of the jurisdiction; None for what is cited or named.
        partly: some of the jurisdiction's law is held, or some of the places within it.
        outcome: that of resolving what is cited, such as `not_in_code`: it is held, and has no such
            provision; None for a jurisdiction or an act.
        stands_at: citations of where a named act stands; None if not known.
    """

    asked: str
    jurisdiction: str | None = None
    partly: bool = False
    outcome: str | None = None
    stands_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A provision that a search cites and that is held, but does not pass its filters.

    Attributes:
        citation: its citation.
        status: such as `repealed`; where it is `in_force`, another filter leaves it out.
        successor: citation of where it stands now, by its source; None if it has moved nowhere.
    """

    citation: str
    node_id: str
    status: str
    successor: str | None = None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The provisions of one page.

    Attributes:
        total: all matches, as the mode counts them.
        facets: counts by facet name, most frequent first; None where not asked for.
        hint: why there is no match, and what to try; or which law that the query asks for is not held, or
            left out; None where none of this is so.
        not_held: what the search asks for and is not held, or not all of it: jurisdictions first.
        left_out: provisions that the query cites and the filters leave out, dead ones mostly.
    """

    items: tuple[SearchItem, ...]
    total: int
    facets: dict[str, tuple[FacetCount, ...]] | None = field(default=None)
    hint: str | None = None
    not_held: tuple[NotHeld, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage:
    """The answer of a search: one page of results.

    `hint` says why there are none at all, or which law that the query asks for is not held, or left out.
    """

    results: tuple[SearchItem, ...]
    page: int
    page_size: Annotated[int, DETAIL]
    total: int
    took_ms: Annotated[int, DETAIL]
    mode: Annotated[Mode, DETAIL]
    hint: Annotated[str | None, DETAIL]
    not_held: Annotated[tuple[NotHeld, ...], DETAIL]
    left_out: Annotated[tuple[LeftOut, ...], DETAIL]


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetedPage(SearchPage):
    """The answer of a search that asks for facets."""

    facets: dict[str, tuple[FacetCount, ...]]


def search_page(results: SearchResults, request: SearchRequest, *, took_ms: int) -> SearchPage:
    """Return the answer to a search."""
    page = SearchPage(
        results=results.items,
        page=request.page,
        page_size=request.limit,
        total=results.total,
        took_ms=took_ms,
        mode=request.mode,
        hint=results.hint,
        not_held=results.not_held,
        left_out=results.left_out,
    )
    return page if results.facets is None else widen(page, FacetedPage, facets=results.facets)
