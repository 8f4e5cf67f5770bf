"""Records of what changed between two snapshots, and of the history of a provision."""

from collections.abc import Mapping
from dataclasses import dataclass

from legal_client.results.meta import Meta
from legal_client.results.nodes import CodeBodyName


@dataclass(frozen=True, slots=True)
class SnapshotStamp:
    """A snapshot, and the instant at which it was published."""

    id: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Words:
    """A place of the text at which words were taken away, put in, or replaced, in characters of each."""

    before_start: int
    before_end: int
    after_start: int
    after_end: int
    removed: str
    added: str


@dataclass(frozen=True, slots=True)
class ChangedSide:
    """A provision as one of the two snapshots has it."""

    node_id: str
    citation: str
    heading: str
    level: str
    num: str | None
    status: str
    breadcrumb: tuple[str, ...]
    text_sha256: str
    current_through: str | None
    current_through_date: str | None
    effective_start: str | None
    effective_end: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one provision; of a code body as a whole where it has no side.

    `published_on` and `known_on` are days of this service. The law may be in force from another day on.
    """

    kind: str
    fields: tuple[str, ...]
    level: str
    jurisdiction: str
    code_body: CodeBodyName
    before: ChangedSide | None
    after: ChangedSide | None
    words: tuple[Words, ...]
    words_left_out: int
    credit_added: tuple[str, ...]
    successor: str | None
    node_count: int | None
    published_on: str
    known_on: str


@dataclass(frozen=True, slots=True)
class Edition:
    """A code body as one of the two snapshots has it."""

    current_through: str | None
    current_through_date: str | None
    release_point: str | None
    node_count: int


@dataclass(frozen=True, slots=True)
class ComparedBody:
    """A code body of either snapshot; `stale_titles` are of an earlier edition in the later one too."""

    id: str
    name: str
    jurisdiction: str
    before: Edition | None
    after: Edition | None
    stale_titles: tuple[str, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """One page of changes; `from_` is None where there is nothing to compare with, for the `reason`."""

    from_: SnapshotStamp | None
    to: SnapshotStamp
    reason: str | None
    results: tuple[Change, ...]
    code_bodies: tuple[ComparedBody, ...]
    counts: Mapping[str, int]
    page: int
    page_size: int
    total: int
    meta: Meta


@dataclass(frozen=True, slots=True)
class NodeState:
    """A provision as a snapshot has it; without `held`, it has it not."""

    snapshot: str
    published_on: str
    held: bool
    known_on: str | None
    citation: str | None
    heading: str | None
    status: str | None
    text_sha256: str | None
    current_through: str | None
    current_through_date: str | None


@dataclass(frozen=True, slots=True)
class PublishedChange:
    """A change of the provision, and the two snapshots that it lies between."""

    from_: SnapshotStamp
    to: SnapshotStamp
    change: Change


@dataclass(frozen=True, slots=True)
class NodeHistory:
    """The states and changes of a provision in the retained snapshots, the newest first."""

    node_id: str
    states: tuple[NodeState, ...]
    changes: tuple[PublishedChange, ...]
    not_compared: tuple[str, ...]
    known_since: str
    meta: Meta
