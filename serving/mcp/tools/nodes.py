"""The tool `get_law_node`: one provision, its text in pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar
from uuid import UUID

import orjson
from pydantic import Field

from serving.api.operations import NODE
from serving.contract.answers import (
    DETAIL,
    Ancestor,
    BrowseBody,
    Child,
    NamedCodeBody,
    NodeBody,
    OutlinePart,
    Proof,
    Reference,
)
from serving.contract.errors import CitationNotFoundError, ValidationError
from serving.contract.records import IN_FORCE
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import WHOLE, Boolean, Citation, Details, NodeId, PublicationDate, SnapshotId
from serving.mcp.links import uri_of
from serving.mcp.pages import cut_page, require_within
from serving.mcp.schemas import Schema
from serving.mcp.tool import MAX_BYTES, Answer, Tool, fitting, size
from serving.mcp.tool_context import ToolContext
from serving.services.browse import children
from serving.services.citations.resolution import LeadIn, Outcome, PinCite, Provision, Reason
from serving.services.citations.resolve import resolve
from serving.services.nodes import find_node
from serving.services.proofs import proof_of
from serving.snapshot.store import Snapshot

LEAST, USUAL, MOST = 500, 8_000, 20_000
"""Least, default and greatest number of characters of text in an answer."""
_LEAD_IN = 600
"""Most characters of each part's words before a pinned one."""
_CHILDREN = 100
_HEADING = 120
"""Characters of the heading of an ancestor or child."""
_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True)
class LeadInText:
    """Words of a part above the pinned one, which its own go on from; no `label`: before all parts."""

    label: str | None
    text: str


class GetNode(Schema):
    """Arguments."""

    node_id: NodeId | None = None
    citation: Citation | None = None
    offset: Annotated[
        int | None,
        Field(
            ge=0,
            description="`nextOffset` of the answer before; else the beginning, or the part that is pinned.",
        ),
        WHOLE,
    ] = None
    max_chars: Annotated[
        int, Field(ge=LEAST, le=MOST, description=f"Characters of text, {LEAST} to {MOST}."), WHOLE
    ] = USUAL
    proof: Annotated[Boolean, Field(description="Add the proof that this was published.")] = False
    details: Annotated[Details, Field(description="Add neighbours, license and hash.")] = False
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedPart:
    """The part that the citation pins."""

    label: str
    found: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePage:
    """One provision. `text` is characters [text_start, text_end) of `text_length`, exactly.

    Attributes:
        stale_since: date of the edition that could not be read, so that this is an earlier text.
        outline, references: those of the page, as far as there is room.
        proof: that of the whole answer of the API, of which this is a part.
    """

    id: str
    citation: str
    heading: str
    status: str = IN_FORCE
    level: str = "section"
    jurisdiction: str
    code_body: NamedCodeBody
    ancestors: tuple[Ancestor, ...] = ()
    parent_id: str | None
    current_through: str | None
    stale_since: str | None = None
    text: str
    text_start: int = 0
    text_end: int
    text_length: int
    next_offset: int | None
    pin: PinnedPart | None
    lead_in: tuple[LeadInText, ...] | None
    outline: tuple[OutlinePart, ...] = ()
    outline_complete: bool = True
    references: tuple[Reference, ...] = ()
    references_complete: bool = True
    children: tuple[Child, ...] = ()
    child_count: int = 0
    previous_id: Annotated[str | None, DETAIL]
    next_id: Annotated[str | None, DETAIL]
    source_url: str | None
    license: Annotated[str | None, DETAIL]
    text_sha256: Annotated[str, DETAIL]
    uri: Annotated[str, DETAIL]
    proof: Proof | None = None


async def _get(services: ToolContext, metered: MeteredCall, asked: GetNode) -> Answer:
    if (asked.node_id is None) == (asked.citation is None):
        raise ValidationError("Give either `nodeId` or `citation`.", parameter="nodeId")
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        content = await services.run(metered.caller, lambda: node_answer(snapshot, asked))
    return Answer(content, snapshot.id, with_details=asked.details)


def node_answer(snapshot: Snapshot, asked: GetNode) -> NodePage:
    """Return one page of a provision.

    Raises:
        NotFoundError: there is no such provision, the citation does not lead to just one, or a proof is asked
            for and the snapshot was published without.
        ValidationError: the text ends before the offset.
    """
    node, pin = (asked.node_id, None) if asked.node_id is not None else _cited(snapshot, asked.citation or "")
    row = find_node(snapshot, node)
    stored: NodeBody = orjson.loads(snapshot.nodes.body(row).plain)
    length = len(stored["text"])
    start = asked.offset if asked.offset is not None else pin.start if pin is not None else 0
    require_within(start, length)
    below = _children(snapshot, stored) if stored["childCount"] else []
    proof = proof_of(snapshot, row, stored) if asked.proof else None
    limits = [asked.max_chars * share // 100 for share in (100, 80, 60, 45, 30)]
    return fitting(
        lambda most: _made(stored, start, most, pin, below, proof), limits, with_details=asked.details
    )


def _cited(snapshot: Snapshot, citation: str) -> tuple[UUID, PinCite | None]:
    found = resolve(snapshot, citation)
    if found.provision is None:
        if found.members:
            why = "it cites several, each of which resolve_citation gives with its nodeId"
        else:
            why = f"{found.outcome}{f' ({found.reason})' if found.reason else ''}"
        raise CitationNotFoundError(
            f"`{citation[:120]}` does not lead to one provision: {why}.",
            outcome=found.outcome,
            reason=Reason.SEVERAL_PROVISIONS if found.members else found.reason,
        )
    if found.pin is not None and found.outcome in (Outcome.PIN_NOT_FOUND, Outcome.AMBIGUOUS):
        raise CitationNotFoundError(
            f"`{citation[:120]}`: {_without_part(found.provision, found.pin)}",
            outcome=found.outcome,
            reason=found.reason or found.pin.reason,
        )
    return UUID(found.provision.node_id), found.pin


def _without_part(provision: Provision, pin: PinCite) -> str:
    """Return what a provision has instead of the one part that is pinned."""
    if pin.candidates:
        places = ", ".join(f"{part.start} to {part.end}" for part in pin.candidates)
        return (
            f"several parts of {provision.citation} are {pin.label}, at characters {places} (several_parts)."
        )
    beside = ", ".join(part.label for part in pin.neighbours) or "no parts there"
    return f"{provision.citation} has no part {pin.label}; it has {beside} (pin_not_found)."


def _children(snapshot: Snapshot, stored: NodeBody) -> list[Child]:
    body = children(snapshot, code_body=UUID(stored["codeBody"]["id"]), parent=UUID(stored["id"]))
    listed: BrowseBody = orjson.loads(body.plain)
    return [{**one, "heading": one["heading"][:_HEADING]} for one in listed["nodes"][:_CHILDREN]]


def _made(
    stored: NodeBody,
    start: int,
    most: int,
    pin: PinCite | None,
    below: Sequence[Child],
    proof: Proof | None,
) -> NodePage:
    text = stored["text"]
    if pin is not None and pin.start <= start < pin.end:
        text = text[: pin.end]
    page = cut_page(text, start, characters=most, most_bytes=MAX_BYTES - 4_000)
    provenance = stored["provenance"]
    bare = NodePage(
        id=stored["id"],
        citation=stored["citation"],
        heading=stored["heading"],
        status=stored["status"],
        level=stored["level"],
        jurisdiction=stored["jurisdiction"],
        code_body=stored["codeBody"],
        ancestors=tuple(_ancestor(one) for one in stored["ancestors"]),
        parent_id=stored["ancestors"][-1]["id"] if stored["ancestors"] else None,
        current_through=stored["currentThrough"],
        stale_since=stored.get("staleSince"),
        text=stored["text"][page.start : page.end],
        text_start=page.start,
        text_end=page.end,
        text_length=len(stored["text"]),
        next_offset=page.next,
        pin=None
        if pin is None
        else PinnedPart(label=pin.label, found=pin.found, start=pin.start, end=pin.end),
        lead_in=None if pin is None else tuple(_lead_in(one, stored["text"]) for one in pin.lead_in) or None,
        child_count=stored["childCount"],
        previous_id=stored["previousId"],
        next_id=stored["nextId"],
        source_url=provenance["sourceUrl"],
        license=provenance["license"],
        text_sha256=stored["textSha256"],
        uri=uri_of(stored["id"]),
        proof=proof,
    )
    outline = [one for one in stored["outline"] if one["start"] < page.end and one["end"] > page.start]
    references = [one for one in stored["references"] if page.start <= one["start"] < page.end]
    room = MAX_BYTES - size(bare)
    children_kept, room = _kept(below, Child, room)
    outline_kept, room = _kept(outline, OutlinePart, room)
    references_kept, room = _kept(references, Reference, room)
    return replace(
        bare,
        children=children_kept,
        outline=outline_kept,
        outline_complete=len(outline_kept) == len(outline),
        references=references_kept,
        references_complete=len(references_kept) == len(references),
    )


def _lead_in(words: LeadIn, text: str) -> LeadInText:
    return LeadInText(words.label, text[words.start : words.end][:_LEAD_IN])


def _kept(parts: Sequence[_Part], kind: type, room: int) -> tuple[tuple[_Part, ...], int]:
    """Return the first records for which there is room, and the room that is left."""
    for count, part in enumerate(parts):
        room -= size(part, kind) + 1
        if room < 0:
            return tuple(parts[:count]), 0
    return tuple(parts), room


def _ancestor(one: Ancestor) -> Ancestor:
    return {**one, "heading": one["heading"][:_HEADING]}


GET_LAW_NODE = Tool(
    name="get_law_node",
    aliases=("law.get_node", "law_get_node"),
    title="Read a provision",
    summary="Read one provision of law: its text, citation, place in the code, parts, references and source.",
    guidance="Give `nodeId` or a `citation`. Long texts come in pages: go on with `offset` = `nextOffset`. "
    "`outline` and `references` are those of the page, in characters of the whole text. A container (title, "
    "chapter) has no text but `children`; browse_code goes on from there.",
    arguments=GetNode,
    renamed={"id": "nodeId"},
    answer=NodePage,
    operation=NODE,
    run=_get,
    quotes_law=True,
)
