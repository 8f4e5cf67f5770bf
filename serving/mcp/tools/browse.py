"""The tool `browse_code`: the hierarchy of a code, one level at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

import orjson
from pydantic import Field

from serving.api.operations import BROWSE
from serving.contract.answers import BrowseBody, Child
from serving.contract.errors import ValidationError
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import WHOLE, CodeBodyId, Details, NodeId, PublicationDate, SnapshotId
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services.browse import children
from serving.services.nodes import find_node
from serving.snapshot.store import Snapshot

_PAGES = (100, 50, 25, 10)
_HEADING = 120
"""Characters of a heading."""


class BrowseCode(Schema):
    """Arguments."""

    code_body: CodeBodyId | None = None
    node_id: NodeId | None = None
    offset: Annotated[int, Field(ge=0, description="`nextOffset` of the answer before."), WHOLE] = 0
    details: Details = False
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """The provisions right below another, or at the top of a code, in the order of the law."""

    code_body: str
    parent: str | None
    nodes: tuple[Child, ...]
    total: int
    next_offset: int | None


async def _browse(services: ToolContext, metered: MeteredCall, asked: BrowseCode) -> Answer:
    del metered
    if asked.node_id is not None and asked.code_body is not None:
        raise ValidationError("Give either `codeBody` or `nodeId`.", parameter="codeBody")
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        body = _listed(snapshot, asked)
        nodes = body["nodes"]

        def made(most: int) -> Level:
            following = asked.offset + most
            return Level(
                code_body=body["codeBodyId"],
                parent=body["parent"],
                nodes=_cut(nodes[asked.offset : following]),
                total=len(nodes),
                next_offset=following if following < len(nodes) else None,
            )

        return Answer(
            fitting(made, _PAGES, with_details=asked.details), snapshot.id, with_details=asked.details
        )


def _listed(snapshot: Snapshot, asked: BrowseCode) -> BrowseBody:
    if asked.code_body is not None:
        code_body = asked.code_body
    elif asked.node_id is not None:
        code_body = UUID(snapshot.nodes.code_body(find_node(snapshot, asked.node_id)).id)
    else:
        raise ValidationError("Give `codeBody` or `nodeId`.", parameter="codeBody")
    listed: BrowseBody = orjson.loads(children(snapshot, code_body=code_body, parent=asked.node_id).plain)
    return listed


def _cut(nodes: Sequence[Child]) -> tuple[Child, ...]:
    return tuple({**one, "heading": one["heading"][:_HEADING]} for one in nodes)


BROWSE_CODE = Tool(
    name="browse_code",
    aliases=("law.browse_code", "law_browse_code"),
    title="Browse a code",
    summary="List what stands right below a provision, or at the top of a code: titles, chapters, sections.",
    guidance="Begin with a `codeBody` of list_coverage, or with the `parentId` of a provision to see what "
    "stands beside it.",
    arguments=BrowseCode,
    renamed={"codeBodyId": "codeBody", "parent": "nodeId"},
    answer=Level,
    operation=BROWSE,
    run=_browse,
    quotes_law=True,
)
