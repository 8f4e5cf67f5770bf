"""The model of a page of search results: what was found, with its filters and ways on as addresses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote, urlencode
from uuid import UUID

from markupsafe import Markup

from serving.contract.records import IN_FORCE
from serving.pages.law.notices import Notice
from serving.pages.prose import line
from serving.services.addresses import page_of
from serving.services.requests import (
    RESULT_WINDOW,
    FacetCount,
    Mode,
    NotHeld,
    SearchItem,
    SearchRequest,
    SearchResults,
    Span,
)
from serving.snapshot.store import Snapshot

SEARCH = "/search"
FILTERS = {"jurisdiction": "Jurisdiction", "codeBody": "Code", "level": "Level", "tag": "Subject"}
"""Filters in the order of the page, as the API names them and as people do."""
MOST_VALUES = 8
"""Values of a filter that are listed, those with most results first."""


@dataclass(frozen=True, slots=True)
class Found:
    """One result; `snippet` has the words of the query marked, and `status` is "" for law in force."""

    address: str
    citation: str
    heading: str
    code: str
    snippet: Markup
    status: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a filter: its name, the results that it leaves, and the address of the search with it."""

    name: str
    count: int
    address: str


@dataclass(frozen=True, slots=True)
class Facet:
    """The values of one filter that is not chosen yet."""

    name: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """The model of the page.

    Attributes:
        query: the words as they were typed; "" before the first search.
        kept: filters and the mode that are chosen, for the form, by their names in the address.
        chosen: the same with their names for people, and the address of the search without each.
        notice: what a typed citation came to; None for words.
        hint: why nothing was found, or which law that the query asks for is not held.
        missing: the jurisdictions that it is about and whose law is not held, or not all of it.
        api: path of the same search in the API.
    """

    query: str
    kept: Mapping[str, str]
    chosen: tuple[Choice, ...]
    found: tuple[Found, ...]
    total: int
    first: int
    facets: tuple[Facet, ...]
    notice: Notice | None
    hint: Markup | None
    missing: tuple[NotHeld, ...]
    previous: str | None
    next: str | None
    api: str


def empty_page() -> ResultsPage:
    """Return the page before the first search."""
    return ResultsPage("", {}, (), (), 0, 0, (), None, None, (), None, None, "")


def results_page(
    snapshot: Snapshot, request: SearchRequest, results: SearchResults, notice: Notice | None
) -> ResultsPage:
    """Return the model of a page of results."""
    kept = _kept(request)
    facets = results.facets or {}
    labels = {(name, one.value): one.label for name, counts in facets.items() for one in counts}
    asked = {"q": request.query, **kept}
    seen = request.offset + request.limit
    more = seen < results.total and seen + request.limit <= RESULT_WINDOW
    return ResultsPage(
        query=request.query,
        kept=kept,
        chosen=tuple(
            Choice(
                labels.get((name, value)) or _name(snapshot, value),
                results.total,
                _address({other: asked[other] for other in asked if other != name}),
            )
            for name, value in kept.items()
        ),
        found=tuple(_found(snapshot, item) for item in results.items),
        total=results.total,
        first=request.offset + 1,
        facets=tuple(_facets(facets, asked)),
        notice=notice,
        hint=None if results.hint is None else line(results.hint),
        missing=tuple(one for one in results.not_held if one.jurisdiction is not None),
        previous=_address(asked, page=str(request.page - 1)) if request.page > 1 else None,
        next=_address(asked, page=str(request.page + 1)) if more else None,
        api=_address(asked, path="/api/v1/search", facets="true"),
    )


def marked(text: str, highlights: Sequence[Span]) -> Markup:
    """Return a snippet with the words of the query marked."""
    pieces, place = [], 0
    for start, end in highlights:
        pieces.append(escape(text[place:start], quote=False))
        pieces.append(f"<mark>{escape(text[start:end], quote=False)}</mark>")
        place = end
    return Markup("".join((*pieces, escape(text[place:], quote=False))))  # noqa: S704 - all text in it is escaped


def _kept(request: SearchRequest) -> dict[str, str]:
    """Return what narrows a search or changes how it goes, by the names of the address."""
    values = (request.jurisdiction, request.code_body, request.level, request.tag)
    kept = {name: str(value) for name, value in zip(FILTERS, values, strict=True) if value is not None}
    if request.statuses != (IN_FORCE,):
        kept["status"] = ",".join(request.statuses)
    if request.mode is not Mode.HYBRID:
        kept["mode"] = request.mode.value
    return kept


def _facets(facets: Mapping[str, Sequence[FacetCount]], asked: Mapping[str, str]) -> list[Facet]:
    """Return the filters that would narrow the search: not those chosen, nor those with one value."""
    return [
        Facet(
            label,
            tuple(
                Choice(one.label, one.count, _address(asked, **{name: one.value}))
                for one in facets[name][:MOST_VALUES]
            ),
        )
        for name, label in FILTERS.items()
        if name not in asked and len(facets.get(name, ())) > 1
    ]


def _address(asked: Mapping[str, str], *, path: str = SEARCH, **changed: str) -> str:
    """Return the address of a search with some of its parameters changed."""
    given = {**asked, **changed}
    if given.get("page") == "1":
        del given["page"]
    return f"{path}?{urlencode(given, quote_via=quote)}"


def _name(snapshot: Snapshot, value: str) -> str:
    """Return the name of a value that no result has."""
    bodies = {body.id: body.name for body in snapshot.code_bodies}
    return (
        bodies.get(value)
        or snapshot.jurisdiction_names.get(value)
        or value.replace("_", " ").replace("-", " ").replace(",", ", ").capitalize()
    )


def _found(snapshot: Snapshot, item: SearchItem) -> Found:
    row = snapshot.nodes.find(UUID(item.node_id))
    if row is None:
        raise RuntimeError("a search found what its snapshot does not hold")
    return Found(
        page_of(snapshot, row),
        item.citation,
        item.heading,
        snapshot.nodes.code_body(row).name,
        marked(item.snippet, item.highlights),
        "" if item.status == IN_FORCE else item.status.replace("_", " "),
    )
