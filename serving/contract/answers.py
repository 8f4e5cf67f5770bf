"""Answers: the ready ones as they stand in a snapshot, and the marks on fields of those made at request.

An answer is a record: its fields, in their order, are those of its JSON, where their names are in camel case.
A field that has its default value says nothing, and short answers leave it out. The records of ready answers
are dictionaries, whose keys are those of the JSON already.
"""

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar

from serving.contract.records import IN_FORCE

_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on the type of a field, as in `Annotated[float, DETAIL]`."""

    name: str


DETAIL = Mark("detail")
"""A field that short answers leave out."""
PRIVATE = Mark("private")
"""A field that is in no answer."""


@dataclass(frozen=True, slots=True)
class Default:
    """The value that says nothing, where it is not the default of the record, as in `Default(True)`."""

    value: Any


def widen(record: Any, kind: type[_Record], **more: Any) -> _Record:
    """Return an answer of a type that adds fields to those of a dataclass."""
    return kind(**{field.name: getattr(record, field.name) for field in fields(record)}, **more)


class NamedCodeBody(TypedDict):
    """The code body that a provision is of."""

    id: str
    name: str


class Ancestor(TypedDict):
    """A level of the hierarchy above a provision."""

    id: Annotated[str, DETAIL]
    level: str
    num: str | None
    heading: str


class OutlinePart(TypedDict):
    """A part of a provision, in characters of its text; `uncertain`: its label is a guess."""

    label: str
    start: int
    end: int
    uncertain: Annotated[bool, Default(False)]


class Reference(TypedDict):
    """A citation in the text of a provision, and the provision that it leads to, if that is held."""

    start: int
    end: int
    citation: str
    nodeId: str | None
    reason: Annotated[str | None, DETAIL]
    throughId: NotRequired[Annotated[str, DETAIL]]


class Provenance(TypedDict):
    """The official file of a provision, and its place in it."""

    publisher: str
    sourceUrl: str | None
    file: str
    sha256: str
    byteStart: int
    byteEnd: int
    releasePoint: str | None
    retrievedAt: str
    license: str


class Note(TypedDict):
    """A note of the source below a provision."""

    topic: str
    heading: str | None
    text: str
    offset: NotRequired[int]


class NewPlace(TypedDict):
    """The provision that a dead one has become; its id where this snapshot holds it, and it alone."""

    citation: str
    nodeId: str | None


class Proof(TypedDict):
    """The proof of a provision: the hashes that lead from its leaf to the root, in hexadecimal digits."""

    snapshot: str
    leaf: str
    index: int
    size: int
    path: list[str]
    root: str


Effective = TypedDict("Effective", {"from": str | None, "until": str | None, "words": str | None})
"""The days from which and until which the source says that a provision applies, in its own words."""


class NodeBody(TypedDict):
    """The answer of the node endpoint; `staleSince`: the edition that its title could not be updated from."""

    id: str
    citation: str
    heading: str
    text: str
    breadcrumb: list[str]
    ancestors: list[Ancestor]
    jurisdiction: str
    codeBody: NamedCodeBody
    level: str
    num: str | None
    status: str
    previousId: str | None
    nextId: str | None
    childCount: int
    outline: list[OutlinePart]
    references: list[Reference]
    citedByCount: int
    tags: list[str]
    textSha256: str
    sourceCredit: str | None
    notes: list[Note]
    provenance: Provenance
    currentThrough: str | None
    currentThroughDate: Annotated[str | None, DETAIL]
    staleSince: NotRequired[str]
    effectiveStart: NotRequired[str]
    effectiveEnd: NotRequired[str]
    effective: NotRequired[Effective]
    successor: NotRequired[NewPlace]
    duplicateOf: NotRequired[list[str]]


class Child(TypedDict):
    """A provision in a list of the browse endpoint."""

    id: str
    heading: str
    citation: str
    level: str
    num: Annotated[str | None, DETAIL]
    status: Annotated[str, Default(IN_FORCE)]
    hasChildren: Annotated[bool, DETAIL]
    childCount: Annotated[int, Default(0)]
    citable: Annotated[bool, DETAIL]


class BrowseBody(TypedDict):
    """The answer of the browse endpoint: the children of a provision, or the top level of a code body."""

    codeBodyId: str
    parent: str | None
    nodes: list[Child]


class ReferenceCounts(TypedDict):
    """Citations in the text of a code body, and those that lead to a provision."""

    total: int
    resolved: int


class StaleTitle(TypedDict):
    """A title that is kept from an earlier edition, and the date of the one it could not be updated from."""

    label: str
    currentThrough: str | None
    currentThroughDate: Annotated[str | None, DETAIL]
    staleSince: str
    nodeCount: int


class Freshness(TypedDict):
    """A code body beside its publisher's newest release, as it was known when the snapshot was published.

    `reason` says why `status` is `unknown`; `seenAt`: when the publisher told its newest release last.
    """

    status: str
    reason: str | None
    heldRelease: str | None
    heldReleaseDate: str | None
    newestRelease: str | None
    newestReleaseDate: str | None
    seenAt: str | None
    daysBehind: int | None


class CoveredBody(TypedDict):
    """A code body in the coverage; `complete`: nothing of it is known to be missing.

    `staleTitles` stands where some of it is older than the rest; snapshots of before have no `freshness`.
    """

    id: str
    name: str
    currentThrough: str | None
    currentThroughDate: Annotated[str | None, DETAIL]
    releasePoint: str | None
    complete: bool
    nodeCount: int
    references: Annotated[ReferenceCounts, DETAIL]
    freshness: NotRequired[Freshness]
    staleTitles: NotRequired[list[StaleTitle]]


class CoveredJurisdiction(TypedDict):
    """A jurisdiction in the coverage; `gaps` say in words what is known to be missing.

    `gapCount` stands where some of them are left out.
    """

    shortCode: str
    name: str
    level: str
    nodeCount: int
    searchableChunks: int
    placeholder: Annotated[bool, DETAIL]
    gisStatus: str | None
    citationQuality: str | None
    codeBodies: list[CoveredBody]
    gaps: list[str]
    gapCount: NotRequired[int]


class CoverageBody(TypedDict):
    """The answer of the coverage endpoint."""

    totalJurisdictions: int
    totalNodes: int
    totalSearchableChunks: int
    publishedGisLayers: int
    jurisdictions: list[CoveredJurisdiction]


class ListedBody(TypedDict):
    """A code body in the list of all."""

    id: str
    name: str
    jurisdiction: str
    key: str
    level: str
    currentThrough: str | None
    currentThroughDate: Annotated[str | None, DETAIL]
    releasePoint: str | None
    nodeCount: int
    complete: bool
    sourceUrl: str | None
    license: str


class CodeBodiesBody(TypedDict):
    """The answer of the code bodies endpoint."""

    codeBodies: list[ListedBody]


class CorrectionBody(TypedDict):
    """An error of this service about one provision, which has an identifier, a citation or both."""

    nodeId: str | None
    identifier: str | None
    citation: str | None
    wrong: str
    foundBy: str
    foundOn: str
    status: Literal["open", "fixed"]
    fixedIn: str | None


class CorrectionsBody(TypedDict):
    """The answer of the corrections endpoint; it has neither source nor date where no list was published."""

    source: str | None
    date: str | None
    corrections: list[CorrectionBody]


class DownloadBody(TypedDict):
    """A file of a code body; `path` is its address, below that of the service."""

    table: Literal["provisions", "references", "changes"]
    format: Literal["parquet", "jsonl"]
    path: str
    mediaType: str
    bytes: int
    sha256: str
    rows: int


class DictionaryBody(TypedDict):
    """The data dictionary of a code body's files, a Data Package."""

    path: str
    bytes: int
    sha256: str


class DownloadsOfBody(TypedDict):
    """The files of a code body, with what has to be said of it where they are passed on."""

    id: str
    key: str
    name: str
    jurisdiction: str
    currentThrough: str | None
    currentThroughDate: str | None
    complete: bool
    publisher: str
    sourceUrl: str | None
    license: str
    dataPackage: DictionaryBody
    files: list[DownloadBody]


class DownloadsBody(TypedDict):
    """The answer of the downloads endpoint: nothing for a snapshot that was published without files."""

    snapshot: str
    createdAt: str
    codeBodies: list[DownloadsOfBody]
