"""Records and Arrow schemas of the tables that pass between pipeline stages and go into a snapshot.

Offsets called `start` and `end` count characters (Unicode code points) of a provision's `text`, half open.
`byte_start` and `byte_end` count bytes: of the pinned source file in provisions, of the UTF-8 text in chunks.
"""

from dataclasses import dataclass

import pyarrow as pa

IN_FORCE = "in_force"
STATUSES = ("in_force", "repealed", "omitted", "transferred", "renumbered", "reserved", "expired")
"""Every status of a node. All but the first are dead: kept in the tree, out of search unless asked for."""

JURISDICTION_LEVELS = ("federal", "state", "county", "municipal", "tribal", "territory")


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """A government whose law is covered or listed.

    Attributes:
        short_code: lower case, such as `us`, `dc`, `il-chicago`.
        parent: short code of the state that a place belongs to; None for the federal level and for states.
    """

    short_code: str
    name: str
    level: str
    parent: str | None


@dataclass(frozen=True, slots=True)
class Outline:
    """A labelled part of a provision's text, such as `(a)(1)(A)`; `uncertain` where the label is a guess."""

    label: str
    start: int
    end: int
    uncertain: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Editorial matter of a provision, which is not law.

    Attributes:
        topic: the source's own word (`amendments`, `shortTitle`, `History`), or `footnote`.
        heading: None where the note has none.
        offset: character of the provision's text that a footnote is called from; None for other notes.
    """

    topic: str
    heading: str | None
    text: str
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class MarkupReference:
    """A reference marked up in the source: `target` as written there, over [start, end) of the text."""

    start: int
    end: int
    target: str


_OUTLINE = pa.struct(
    [("label", pa.string()), ("start", pa.int32()), ("end", pa.int32()), ("uncertain", pa.bool_())]
)
_NOTE = pa.struct(
    [("topic", pa.string()), ("heading", pa.string()), ("text", pa.string()), ("offset", pa.int32())]
)
_REFERENCE = pa.struct([("start", pa.int32()), ("end", pa.int32()), ("target", pa.string())])

PROVISIONS = pa.schema(
    [
        pa.field("node_id", pa.string(), nullable=False),  # UUIDv5 of identifier
        pa.field("identifier", pa.string(), nullable=False),  # /us/usc/t17/s107
        pa.field("parent_id", pa.string()),  # null at the top of a code body
        pa.field("code_body", pa.string(), nullable=False),  # registry key
        pa.field("jurisdiction", pa.string(), nullable=False),  # short code
        pa.field("unit", pa.string(), nullable=False),  # the part that fails and falls back alone: a title
        pa.field("level", pa.string(), nullable=False),  # title, chapter, section, rule, ...
        pa.field("ordinal", pa.int32(), nullable=False),  # document order within the code body
        pa.field("num", pa.string()),  # 107, without sign or level word
        pa.field("heading", pa.string(), nullable=False),  # "" where the source has none
        pa.field("citation", pa.string(), nullable=False),
        pa.field("citable", pa.bool_(), nullable=False),  # a section or rule, not a container
        pa.field("text", pa.large_string(), nullable=False),  # operative text; "" for a bare container
        pa.field("outline", pa.list_(_OUTLINE), nullable=False),  # in order of start, parents first
        pa.field("status", pa.string(), nullable=False),
        pa.field("effective_start", pa.date32()),
        pa.field("effective_end", pa.date32()),
        pa.field("effective_words", pa.string()),  # by which the source states these days
        pa.field("source_credit", pa.string()),
        pa.field("notes", pa.list_(_NOTE), nullable=False),
        pa.field("references", pa.list_(_REFERENCE), nullable=False),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("file", pa.string(), nullable=False),  # path within the source
        pa.field("byte_start", pa.int64(), nullable=False),
        pa.field("byte_end", pa.int64(), nullable=False),
        pa.field("source_sha256", pa.string(), nullable=False),
        pa.field("text_sha256", pa.string(), nullable=False),
    ]
)
"""One row per container and section of a code body, in document order, parents before children."""

CHUNKS = pa.schema(
    [
        pa.field("node_id", pa.string(), nullable=False),
        pa.field("number", pa.int32(), nullable=False),  # 0-based within the provision
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("context", pa.string(), nullable=False),  # line put before the span when it is encoded
        pa.field("key", pa.string(), nullable=False),  # SHA-256 of what is encoded and of the encoder
        pa.field("tokens", pa.int32(), nullable=False),  # of what is encoded, special tokens included
    ]
)
"""Spans of provisions' texts, in the order of the provisions. Together they cover each text without a gap."""

SNAPSHOT_NODES = pa.schema(
    [
        pa.field("id_hi", pa.uint64(), nullable=False),
        pa.field("id_lo", pa.uint64(), nullable=False),
        pa.field("code_body", pa.uint16(), nullable=False),  # index into the manifest's code bodies
        pa.field("level", pa.string(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("citation", pa.string(), nullable=False),
        pa.field("heading", pa.string(), nullable=False),
        pa.field("tags", pa.string(), nullable=False),  # separated by one space
        pa.field("text", pa.large_string(), nullable=False),
        pa.field("chunk_start", pa.uint32(), nullable=False),  # first row in chunks.arrow
        pa.field("chunk_end", pa.uint32(), nullable=False),
        pa.field("body", pa.large_binary(), nullable=False),  # the JSON answer of the node endpoint
        pa.field("gzip", pa.large_binary()),  # the same, compressed; null where it does not pay
        pa.field("zstd", pa.large_binary()),
        pa.field("etag", pa.string(), nullable=False),  # hex digest of body
    ]
)
"""`nodes.arrow`: sorted by (id_hi, id_lo), one record batch. A row's number names the node in all tables."""

SNAPSHOT_CHUNKS = pa.schema(
    [
        pa.field("node", pa.uint32(), nullable=False),  # row in nodes.arrow
        pa.field("start", pa.uint32(), nullable=False),
        pa.field("end", pa.uint32(), nullable=False),
        pa.field("byte_start", pa.uint32(), nullable=False),
        pa.field("byte_end", pa.uint32(), nullable=False),
    ]
)
"""`chunks.arrow`: sorted by (node, start), one record batch. A row's number is the vector's id."""

SNAPSHOT_BROWSE = pa.schema(
    [
        pa.field("parent_hi", pa.uint64(), nullable=False),  # the code body's id for its top level
        pa.field("parent_lo", pa.uint64(), nullable=False),
        pa.field("code_body", pa.uint16(), nullable=False),
        pa.field("body", pa.large_binary(), nullable=False),
        pa.field("gzip", pa.large_binary()),
        pa.field("zstd", pa.large_binary()),
        pa.field("etag", pa.string(), nullable=False),
    ]
)
"""`browse.arrow`: sorted by (parent_hi, parent_lo), one record batch; only nodes with children have a row."""

SNAPSHOT_CITATIONS = pa.schema(
    [
        pa.field("key", pa.large_string(), nullable=False),  # serving.contract.citations.citation_key
        pa.field("row", pa.uint32(), nullable=False),  # in nodes.arrow
        pa.field("whole", pa.bool_(), nullable=False),  # the node's own citation; else a member of its list
        pa.field("successor", pa.string()),  # canonical citation of what the source names as its new place
    ]
)
"""Columns of `citations.arrow`: sorted by (key, row), one record batch. A key has several rows if it is
ambiguous or names dead provisions.

Every node is under its own citation; a node whose citation is a list or a range is also under its members.
"""

FROM_MARKUP, FROM_TEXT = 0, 1
"""Origin of a reference: marked up in the source, or read from the text."""

SNAPSHOT_REFERENCES = pa.schema(
    [
        pa.field("source", pa.uint32(), nullable=False),  # row in nodes.arrow
        pa.field("start", pa.uint32(), nullable=False),
        pa.field("end", pa.uint32(), nullable=False),
        pa.field("target", pa.uint32(), nullable=False),  # row in nodes.arrow
        pa.field("origin", pa.uint8(), nullable=False),  # FROM_MARKUP or FROM_TEXT
        pa.field("by_target", pa.uint32(), nullable=False),  # the table's rows in the order of (target, row)
    ]
)
"""`references.arrow`: references that lead to a node, sorted by (source, start), one record batch."""

SNAPSHOT_DIGESTS = pa.schema(
    [
        pa.field("content_hi", pa.uint64(), nullable=False),  # of all that a change may touch
        pa.field("content_lo", pa.uint64(), nullable=False),
        pa.field("text", pa.uint64(), nullable=False),  # of status and text; 0 if that is short
        pa.field("source", pa.uint64(), nullable=False),  # of the publisher's file
    ]
)
"""`digests.arrow`: one record batch, row for row as `nodes.arrow`. Equal digests: nothing changed."""

SNAPSHOT_CHANGES = pa.schema(
    [
        pa.field("code_body", pa.string(), nullable=False),  # its id: it may be of either snapshot alone
        pa.field("kind", pa.string(), nullable=False),
        pa.field("containers", pa.large_binary(), nullable=False),  # ids, 16 bytes each
        pa.field("body", pa.large_binary(), nullable=False),  # JSON of serving.contract.changes.Change
    ]
)
"""`changes.arrow`: by code body and then by number, one record batch."""
