"""The tool `get_law_node`: one provision, its text in pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
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
    Effective,
    NamedCodeBody,
    NewPlace,
    NodeBody,
    OutlinePart,
    Proof,
    Reference,
)
from serving.contract.errors import ValidationError
from serving.contract.records import IN_FORCE
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import WHOLE, Boolean, Citation, Details, NodeId, PublicationDate, SnapshotId
from serving.mcp.links import uri_of
from serving.mcp.pages import cut_page, require_within
from serving.mcp.schemas import Schema
from serving.mcp.tool import MAX_BYTES, Answer, Tool, fitting, size
from serving.mcp.tool_context import ToolContext
from serving.mcp.tools.asked_provisions import AskedProvision, cited_provision
from serving.services.browse import children
from serving.services.citations.resolution import LeadIn, PinCite
from serving.services.nodes import find_node
from serving.services.notes import NotePart, cited_notes, notes_text
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


class TextOf(StrEnum):
    """Kind of the text of an answer."""

    PROVISION = "provision"
    NOTES = "notes"


@dataclass(frozen=True, slots=True)
class _Read:
    """The text that is read: that of a provision, with the parts that are pinned, or that of its notes."""

    text: str
    text_of: TextOf = TextOf.PROVISION
    pins: tuple[PinCite, ...] = ()
    notes: tuple[NotePart, ...] = ()

    @property
    def start(self) -> int:
        """The first character that is asked for."""
        return min((pin.start for pin in self.pins), default=0)

    def end_behind(self, start: int) -> int:
        """Return the end of what is asked for from a character on: that of the only part that is pinned.

        Between several parts others stand, so that the text goes on from the first of them.
        """
        only = self.pins[0] if len(self.pins) == 1 else None
        return only.end if only is not None and only.start <= start < only.end else len(self.text)


class GetNode(Schema):
    """Arguments."""

    node_id: NodeId | None = None
    citation: Citation | None = None
    offset: Annotated[
        int | None,
        Field(
            ge=0,
            description="`nextOffset` of the answer before.",
        ),
        WHOLE,
    ] = None
    max_chars: Annotated[
        int, Field(ge=LEAST, le=MOST, description=f"Characters of text, {LEAST} to {MOST}."), WHOLE
    ] = USUAL
    notes: Annotated[Boolean, Field(description="Read its notes, not its text.")] = False
    proof: Annotated[Boolean, Field(description="Add a proof of publication.")] = False
    details: Annotated[Details, Field(description="Add source credit, neighbours and hash.")] = False
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
        successor: where it is now, by its source.
        effective: the days from which and until which it applies, by its source.
        duplicate_of: ids of the other provisions of its number.
        stale_since: date of the edition that could not be read, so that this is an earlier text.
        text_of: the text is that of the provision, or that of the notes under it, with the place of each in
            `notes` as far as there is room. The notes have no pin, outline and references.
        note_count: number of the notes.
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
    successor: NewPlace | None = None
    effective: Effective | None = None
    duplicate_of: tuple[str, ...] = ()
    stale_since: str | None = None
    text_of: TextOf = TextOf.PROVISION
    text: str
    text_start: int = 0
    text_end: int
    text_length: int
    next_offset: int | None
    pin: PinnedPart | None
    pins: tuple[PinnedPart, ...] = ()
    lead_in: tuple[LeadInText, ...] | None
    outline: tuple[OutlinePart, ...] = ()
    outline_complete: bool = True
    references: tuple[Reference, ...] = ()
    references_complete: bool = True
    notes: tuple[NotePart, ...] = ()
    notes_complete: bool = True
    note_count: int = 0
    children: tuple[Child, ...] = ()
    child_count: int = 0
    previous_id: Annotated[str | None, DETAIL]
    next_id: Annotated[str | None, DETAIL]
    source_credit: Annotated[str | None, DETAIL]
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
    if asked.node_id is not None:
        named = AskedProvision(asked.node_id)
    else:
        named = cited_provision(snapshot, asked.citation or "")
    row = find_node(snapshot, named.node_id)
    stored: NodeBody = orjson.loads(snapshot.nodes.body(row).plain)
    reads_notes = asked.notes or named.notes
    read = _notes_of(stored) if reads_notes else _Read(stored["text"], pins=named.pins)
    start = asked.offset if asked.offset is not None else read.start
    require_within(start, len(read.text))
    below = _children(snapshot, stored) if stored["childCount"] and not reads_notes else []
    proof = proof_of(snapshot, row, stored) if asked.proof else None
    limits = [asked.max_chars * share // 100 for share in (100, 80, 60, 45, 30)]
    return fitting(
        lambda most: _made(stored, read, start, most, below, proof, details=asked.details),
        limits,
        with_details=asked.details,
    )


def _notes_of(stored: NodeBody) -> "_Read":
    made = notes_text(stored["notes"])
    return _Read(made.text, TextOf.NOTES, notes=made.parts)


def _children(snapshot: Snapshot, stored: NodeBody) -> list[Child]:
    body = children(snapshot, code_body=UUID(stored["codeBody"]["id"]), parent=UUID(stored["id"]))
    listed: BrowseBody = orjson.loads(body.plain)
    return [{**one, "heading": one["heading"][:_HEADING]} for one in listed["nodes"][:_CHILDREN]]


def _made(
    stored: NodeBody,
    read: _Read,
    start: int,
    most: int,
    below: Sequence[Child],
    proof: Proof | None,
    *,
    details: bool,
) -> NodePage:
    wanted = read.text[: read.end_behind(start)]
    page = cut_page(wanted, start, characters=most, most_bytes=MAX_BYTES - 4_000)
    provenance = stored["provenance"]
    pinned = [PinnedPart(label=pin.label, found=pin.found, start=pin.start, end=pin.end) for pin in read.pins]
    lead_in = read.pins[0].lead_in if read.pins else ()
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
        successor=stored.get("successor"),
        effective=stored.get("effective"),
        duplicate_of=tuple(stored.get("duplicateOf", ())),
        stale_since=stored.get("staleSince"),
        text_of=read.text_of,
        text=read.text[page.start : page.end],
        text_start=page.start,
        text_end=page.end,
        text_length=len(read.text),
        next_offset=page.next,
        pin=pinned[0] if len(pinned) == 1 else None,
        pins=tuple(pinned) if len(pinned) > 1 else (),
        lead_in=tuple(_lead_in(one, stored["text"]) for one in lead_in) or None,
        note_count=len(cited_notes(stored["notes"])),
        child_count=stored["childCount"],
        previous_id=stored["previousId"],
        next_id=stored["nextId"],
        source_credit=stored["sourceCredit"],
        source_url=provenance["sourceUrl"],
        license=provenance["license"],
        text_sha256=stored["textSha256"],
        uri=uri_of(stored["id"]),
        proof=proof,
    )
    of_text = read.text_of is TextOf.PROVISION
    outline = [one for one in stored["outline"] if one["start"] < page.end and one["end"] > page.start]
    outline = outline if of_text else []
    references = [one for one in stored["references"] if page.start <= one["start"] < page.end]
    references = references if of_text else []
    room = MAX_BYTES - size(bare, with_details=details)
    children_kept, room = _kept(below, Child, room)
    outline_kept, room = _kept(outline, OutlinePart, room)
    references_kept, room = _kept(references, Reference, room)
    notes_kept, room = _kept(read.notes, NotePart, room)
    return replace(
        bare,
        children=children_kept,
        outline=outline_kept,
        outline_complete=len(outline_kept) == len(outline),
        references=references_kept,
        references_complete=len(references_kept) == len(references),
        notes=notes_kept,
        notes_complete=len(notes_kept) == len(read.notes),
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
    "`outline` and `references` are those of the page, in characters of the whole text. The "
    "`noteCount` notes below it, read by `notes`, are no part of its text. A container (title, chapter) has "
    "no text but `children`; browse_code goes on from there.",
    arguments=GetNode,
    renamed={"id": "nodeId"},
    answer=NodePage,
    operation=NODE,
    run=_get,
    quotes_law=True,
)
