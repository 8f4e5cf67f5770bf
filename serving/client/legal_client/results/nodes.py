"""Records of a provision with its text."""

from dataclasses import dataclass

from legal_client.results.citations import Successor
from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A node above another."""

    id: str
    level: str
    num: str | None
    heading: str


@dataclass(frozen=True, slots=True)
class CodeBodyName:
    """The code body that a node belongs to."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A labelled part of a text."""

    label: str
    start: int
    end: int
    uncertain: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """A citation in a text; `reason` says why it leads nowhere, or to a provision without the cited part."""

    start: int
    end: int
    citation: str
    node_id: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Note:
    """An editorial note, which is not law."""

    topic: str
    heading: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Effective:
    """The days from which and until which the source says that a node applies, in its own `words`."""

    from_: str | None
    until: str | None
    words: str | None


@dataclass(frozen=True, slots=True)
class Provenance:
    """The bytes of the official file that a node was read from."""

    publisher: str
    source_url: str | None
    file: str
    sha256: str
    byte_start: int
    byte_end: int
    release_point: str | None
    retrieved_at: str | None
    license: str


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of a provision: hashes, in hexadecimal digits, lead from its leaf to the snapshot's root."""

    snapshot: str
    leaf: str
    index: int
    size: int
    path: tuple[str, ...]
    root: str


@dataclass(frozen=True, slots=True)
class Node:
    """A provision with its text; `stale_since`: date of the edition that it could not be updated from."""

    id: str
    citation: str
    heading: str
    text: str
    breadcrumb: tuple[str, ...]
    ancestors: tuple[Ancestor, ...]
    jurisdiction: str | None
    code_body: CodeBodyName | None
    level: str | None
    num: str | None
    status: str | None
    previous_id: str | None
    next_id: str | None
    child_count: int | None
    outline: tuple[OutlineEntry, ...]
    references: tuple[Reference, ...]
    cited_by_count: int | None
    tags: tuple[str, ...]
    text_sha256: str | None
    source_credit: str | None
    notes: tuple[Note, ...]
    effective_start: str | None
    effective_end: str | None
    effective: Effective | None
    provenance: Provenance | None
    current_through: str | None
    current_through_date: str | None
    stale_since: str | None
    successor: Successor | None
    duplicate_of: tuple[str, ...]
    proof: Proof | None
    meta: Meta
