"""The tool `search_law`."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from serving.api.operations import SEARCH
from serving.api.parameters import LABEL_LENGTH
from serving.contract.answers import widen
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import CodeBodyId, Jurisdiction, Query, SnapshotId
from serving.mcp.links import link_to
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services.requests import (
    RESULT_WINDOW,
    Mode,
    SearchPage,
    SearchRequest,
    SearchResults,
    search_page,
)
from serving.services.search import require_known
from serving.snapshot.store import Snapshot

MAX_LIMIT = 25
_SHOWN = (400, 240, 120)
"""Characters of a snippet, and half as many of a heading: the largest number that fits is used."""


class Search(Schema):
    """Arguments."""

    query: Query
    jurisdiction: Jurisdiction | None = None
    code_body: CodeBodyId | None = None
    level: Annotated[str, Field(max_length=LABEL_LENGTH, description="Such as `section`.")] | None = None
    tag: Annotated[str, Field(max_length=LABEL_LENGTH, description="Such as `definitions`.")] | None = None
    mode: Annotated[
        Mode,
        Field(
            description="`hybrid` fuses words and meaning; `keyword` is for exact terms, `semantic` for a "
            "question in other words than the law's."
        ),
    ] = Mode.HYBRID
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT, description="Results on a page.")] = 10
    page: Annotated[int, Field(ge=1, le=RESULT_WINDOW)] = 1
    snapshot: SnapshotId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer(SearchPage):
    """One page of results; `note`: what it means that there are none."""

    next_page: int | None
    note: str | None


async def _search(services: ToolContext, metered: MeteredCall, asked: Search) -> Answer:
    request = SearchRequest(
        query=asked.query,
        mode=asked.mode,
        page=asked.page,
        limit=asked.limit,
        jurisdiction=asked.jurisdiction,
        code_body=asked.code_body,
        level=asked.level,
        tag=asked.tag,
    )
    with await services.lease(asked.snapshot) as snapshot:
        require_known(snapshot, request)
        await metered.settle()
        found = await services.run(
            metered.caller,
            lambda: services.search.search(snapshot, request, is_abandoned=metered.caller.is_abandoned),
        )
        more = request.offset + request.limit < min(found.total, RESULT_WINDOW)
        note = None if found.items else _note(snapshot, asked)
        content = fitting(
            lambda most: widen(
                search_page(_cut_results(found, most=most), request, took_ms=0),
                SearchAnswer,
                next_page=asked.page + 1 if more else None,
                note=note,
            ),
            _SHOWN,
        )
    links = [
        link_to(one.node_id, one.citation, one.heading, snapshot=asked.snapshot) for one in content.results
    ]
    return Answer(content, snapshot.id, links)


def _cut_results(found: SearchResults, *, most: int) -> SearchResults:
    """Return the results with headings and snippets cut."""
    items = tuple(
        item._replace(heading=_cut(item.heading, most // 2), snippet=_cut(item.snippet, most))
        for item in found.items
    )
    return SearchResults(items, found.total)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _note(snapshot: Snapshot, asked: Search) -> str:
    """Return an explanation of an empty page."""
    if asked.page > 1:
        return "There are no results on this page; earlier ones hold all."
    code = asked.jurisdiction
    held = {entry.jurisdiction for entry in snapshot.code_bodies}
    if code is not None and not any(one == code or one.startswith(f"{code}-") for one in held):
        return (
            f"No law of {code} is held here, so an empty result says nothing about its law. list_coverage "
            "says what is held."
        )
    return (
        "Nothing held here matches. That is no proof that there is no such law: list_coverage names the "
        "gaps. Try other words, or the mode `semantic`."
    )


SEARCH_LAW = Tool(
    name="search_law",
    aliases=("law.search", "law_search"),
    title="Search the law",
    summary="Search US federal, state and municipal law by words and by meaning.",
    guidance="Use it to find provisions by subject; for a citation that you know use resolve_citation. A "
    "snippet is an excerpt, not the provision: read it with get_law_node before you rely on it, and cite its "
    "`citation` unchanged. An empty result is explained in `note`.",
    arguments=Search,
    answer=SearchAnswer,
    operation=SEARCH,
    run=_search,
    quotes_law=True,
)
