"""The tool `list_changes`: what changed from one snapshot to another."""

import asyncio
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from serving.api.operations import CHANGES
from serving.contract.changes import Change, ChangedSide
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import WHOLE, CodeBodyId, Details, Jurisdiction, NodeId, SnapshotId
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services.changes import ChangesPage, changes_page, find_pair
from serving.services.requests import ChangesRequest, PageRequest

_CUTS = (10, 5, 2, 0)
"""Places and acts that are shown of each change, tried in turn until an answer fits."""
_WORDS, _ACT, _HEADING = 600, 120, 120
"""Characters of the words of a place, of an act, and of a heading."""
Kind = Literal["added", "removed", "renumbered", "status", "amended", "editorial", "corrected"]


class ListChanges(Schema):
    """Arguments."""

    code_body: CodeBodyId | None = None
    jurisdiction: Jurisdiction | None = None
    container: NodeId | None = None
    kind: Kind | None = None
    page: Annotated[int, Field(ge=1, le=1_000), WHOLE] = 1
    limit: Annotated[int, Field(ge=1, le=15, description="On a page, up to 15."), WHOLE] = 10
    details: Details = False
    since: Annotated[SnapshotId | None, Field(description="Id of the older snapshot.")] = None
    snapshot: SnapshotId | None = None


async def _list(services: ToolContext, metered: MeteredCall, asked: ListChanges) -> Answer:
    with await services.lease(None):
        request = ChangesRequest(
            since=asked.since,
            until=asked.snapshot,
            jurisdiction=asked.jurisdiction,
            code_body=asked.code_body,
            container=asked.container,
            kind=asked.kind,
            page=PageRequest(page=asked.page, limit=asked.limit),
        )
        pair = await asyncio.to_thread(find_pair, services.snapshots, request)
        metered.snapshot = pair.until
        await metered.settle()
        page = await services.run(metered.caller, lambda: changes_page(services.snapshots, pair, request))
    fitted = fitted_page(page, with_details=asked.details)
    return Answer(fitted, pair.until, with_details=asked.details)


def fitted_page(page: ChangesPage, *, with_details: bool = False) -> ChangesPage:
    """Return a page with as much of each change as an answer has room for."""
    return fitting(lambda most: _cut(page, most), _CUTS, with_details=with_details)


def _cut(page: ChangesPage, most: int) -> ChangesPage:
    return replace(page, results=tuple(_cut_change(change, most) for change in page.results))


def _cut_change(change: Change, most: int) -> Change:
    """Return a change with so many of its places and acts."""
    places = change["words"]
    return {
        **change,
        "before": _cut_side(change["before"]),
        "after": _cut_side(change["after"]),
        "words": [
            {**words, "removed": _short(words["removed"], _WORDS), "added": _short(words["added"], _WORDS)}
            for words in places[:most]
        ],
        "wordsLeftOut": change["wordsLeftOut"] + max(len(places) - most, 0),
        # The newest acts stand last.
        "creditAdded": [_short(act, _ACT) for act in change["creditAdded"][-max(most, 1) :]],
    }


def _cut_side(side: ChangedSide | None) -> ChangedSide | None:
    return side and {**side, "heading": _short(side["heading"], _HEADING)}


def _short(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[:most]} …"


LIST_CHANGES = Tool(
    name="list_changes",
    aliases=("law.changes", "changes", "law_changes"),
    title="List what changed",
    summary="List which provisions were added, removed, renumbered or amended from one snapshot of the law "
    "to the next, with the words and the acts.",
    guidance="Left out, `snapshot` is the one in service and `since` the one before it. `publishedOn` and "
    "`knownOn` say when the change was published and known here, never from when it is in force. "
    "`corrected` is no change of the law: it was read otherwise before.",
    arguments=ListChanges,
    renamed={"from": "since", "to": "snapshot"},
    answer=ChangesPage,
    operation=CHANGES,
    run=_list,
    quotes_law=True,
)
