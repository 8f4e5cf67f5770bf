"""Records of a search: pages, items and facets."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a text, from `start` up to `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Match:
    """Evidence for a result: its ranks by words and meaning; a citation or a like question that led to it."""

    keyword_rank: int | None
    semantic_rank: int | None
    citation: bool
    question: bool | None
    named_act: bool | None


@dataclass(frozen=True, slots=True)
class SearchItem:
    """A provision that was found. `highlights` are characters of `snippet`."""

    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: str
    snippet: str
    score: float
    level: str | None
    status: str | None
    tags: tuple[str, ...]
    highlights: tuple[Span, ...]
    matched: Match | None


@dataclass(frozen=True, slots=True)
class FacetCount:
    """Number of results with a value."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts by kind of value."""

    jurisdiction: tuple[FacetCount, ...]
    code_body: tuple[FacetCount, ...]
    level: tuple[FacetCount, ...]
    tag: tuple[FacetCount, ...]


@dataclass(frozen=True, slots=True)
class NotHeld:
    """Law that a search asks for and that is not held: of a jurisdiction, or what it cites or names."""

    asked: str
    jurisdiction: str | None
    partly: bool
    outcome: str | None
    stands_at: str | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A provision that a search cites and that its filters leave out, and where it stands now."""

    citation: str
    node_id: str
    status: str
    successor: str | None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of results.

    `hint` says why there are none at all, and what of `not_held` and `left_out` is to be known.
    """

    results: tuple[SearchItem, ...]
    page: int
    page_size: int
    total: int
    took_ms: int
    mode: str
    hint: str | None
    not_held: tuple[NotHeld, ...]
    left_out: tuple[LeftOut, ...]
    facets: Facets | None
    meta: Meta
