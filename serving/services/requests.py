"""What a search asks for and what it answers: the records between front ends and the search service.

What is made once per result is a named tuple: a frozen dataclass takes five times as long to make.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from serving.contract.errors import ValidationError
from serving.contract.records import IN_FORCE

RESULT_WINDOW = 10_000
"""`page * limit` may not pass this: deeper paging costs more than it finds."""


class Mode(StrEnum):
    """How provisions are retrieved."""

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search, with its bounds already checked.

    Attributes:
        query: 1 to 500 characters, white space folded.
        page: 1-based.
        limit: results per page.
        jurisdiction: short code in lower case; its sub-jurisdictions are in scope too.
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
    statuses: tuple[str, ...] = (IN_FORCE,)
    facets: bool = False

    def __post_init__(self) -> None:
        if self.page * self.limit > RESULT_WINDOW:
            raise ValidationError(
                f"`page` times `limit` must not exceed {RESULT_WINDOW:,}: narrow the search instead.",
                parameter="page",
            )

    @property
    def offset(self) -> int:
        """Results before this page."""
        return (self.page - 1) * self.limit


class Snippet(NamedTuple):
    """An excerpt of a provision's text; `highlights` are the query's words: characters [start, end) of it."""

    text: str
    highlights: tuple[tuple[int, int], ...]


class Match(NamedTuple):
    """Why a provision is in the results: its 1-based rank in each arm that found it, and its citation.

    Attributes:
        citation: the query is this provision's citation.
    """

    keyword_rank: int | None
    semantic_rank: int | None
    citation: bool


class SearchItem(NamedTuple):
    """One provision found.

    Attributes:
        score: comparable within one answer only: BM25 in keyword mode, cosine similarity in semantic
            mode, fused reciprocal ranks in hybrid mode.
    """

    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: str
    level: str
    status: str
    tags: tuple[str, ...]
    snippet: Snippet
    score: float
    match: Match


@dataclass(frozen=True, slots=True)
class FacetCount:
    """How many of the results carry one value."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class SearchResults:
    """One page of results.

    Attributes:
        total: all matches, as the mode counts them.
        facets: counts by facet name, most frequent first; None where not asked for.
    """

    items: tuple[SearchItem, ...]
    total: int
    facets: dict[str, tuple[FacetCount, ...]] | None = field(default=None)
