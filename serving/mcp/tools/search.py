"""The tool `search_law`."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from serving.api.operations import SEARCH
from serving.contract.answers import widen
from serving.contract.records import IN_FORCE
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import (
    WHOLE,
    CodeBodyId,
    Details,
    Jurisdiction,
    Level,
    PublicationDate,
    Query,
    SnapshotId,
    Statuses,
    Tag,
)
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services.known_values import known_request
from serving.services.requests import (
    RESULT_WINDOW,
    Mode,
    SearchPage,
    SearchRequest,
    SearchResults,
    search_page,
)

MAX_LIMIT = 25
_SHOWN = (320, 240, 120)
"""Characters of a snippet, and half as many of a heading: the largest number that fits is used."""


class Search(Schema):
    """Arguments."""

    query: Query
    jurisdiction: Jurisdiction | None = None
    code_body: CodeBodyId | None = None
    level: Level | None = None
    tag: Tag | None = None
    status: Statuses | None = None
    mode: Annotated[
        Mode,
        Field(description="`keyword`: exact terms; `semantic`: a question in other words than the law's."),
    ] = Mode.HYBRID
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT, description=f"On a page, up to {MAX_LIMIT}."), WHOLE] = 10
    page: Annotated[int, Field(ge=1, le=RESULT_WINDOW), WHOLE] = 1
    details: Annotated[Details, Field(description="Add scores and ranks.")] = False
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer(SearchPage):
    """One page of results; `note`: what is to be known of them."""

    next_page: int | None
    note: str | None


async def _search(services: ToolContext, metered: MeteredCall, asked: Search) -> Answer:
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        request = SearchRequest(
            query=asked.query,
            mode=asked.mode,
            page=asked.page,
            limit=asked.limit,
            jurisdiction=asked.jurisdiction,
            code_body=asked.code_body,
            level=asked.level,
            tag=asked.tag,
            statuses=asked.status or (IN_FORCE,),
        )
        request = known_request(snapshot, request)
        metered.snapshot = snapshot.id
        await metered.settle()
        found = await services.run(
            metered.caller,
            lambda: services.search.search(snapshot, request, is_abandoned=metered.caller.is_abandoned),
        )
        more = request.offset + request.limit < min(found.total, RESULT_WINDOW)
        content = fitting(
            lambda most: widen(
                search_page(_cut_results(found, most=most), request, took_ms=0),
                SearchAnswer,
                next_page=asked.page + 1 if more else None,
                note=_note(found),
            ),
            _SHOWN,
            with_details=asked.details,
        )
    return Answer(content, snapshot.id, with_details=asked.details)


def _cut_results(found: SearchResults, *, most: int) -> SearchResults:
    """Return the results with headings and snippets cut."""
    items = tuple(
        item._replace(heading=_cut(item.heading, most // 2), snippet=_cut(item.snippet, most))
        for item in found.items
    )
    return SearchResults(items, found.total, not_held=found.not_held, left_out=found.left_out)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _note(found: SearchResults) -> str | None:
    """Return what is to be known of the results: why there are none, or that law is missing."""
    if found.total and not found.items:
        return "There are no results on this page; earlier ones hold all."
    return found.hint


SEARCH_LAW = Tool(
    name="search_law",
    aliases=("law.search", "law_search"),
    title="Search the law",
    summary="Search US federal, state and municipal law by words and by meaning.",
    guidance="For a known citation use resolve_citation. A snippet is an "
    "excerpt: read it with get_law_node before you rely on it. Mind the `note`.",
    arguments=Search,
    renamed={"q": "query"},
    answer=SearchAnswer,
    operation=SEARCH,
    run=_search,
    quotes_law=True,
)
