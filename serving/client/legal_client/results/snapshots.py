"""Records of the snapshots that the service retains."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class RetainedBody:
    """A code body of a snapshot."""

    id: str
    key: str
    name: str
    jurisdiction: str
    current_through: str | None
    current_through_date: str | None
    release_point: str | None
    complete: bool
    node_count: int


@dataclass(frozen=True, slots=True)
class RetainedSnapshot:
    """A snapshot that can be asked for; `current`: it answers whoever names none."""

    id: str
    created_at: str
    current: bool
    node_count: int
    searchable_chunks: int
    root_sha256: str
    nodes_root: str | None
    code_bodies: tuple[RetainedBody, ...]


@dataclass(frozen=True, slots=True)
class RetainedSnapshots:
    """Every snapshot that can be asked for, newest first."""

    current: str | None
    snapshots: tuple[RetainedSnapshot, ...]
    meta: Meta
