"""The retained snapshots, as reads may name them: what each was made from and how current it is."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from serving.contract.currency import current_date
from serving.contract.errors import SnapshotCorruptError
from serving.contract.manifest import CodeBodyEntry, Manifest
from serving.services.snapshots import SnapshotHolder


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
    """A snapshot that a read may name; `current`: it answers reads that name none."""

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
    """Every snapshot that a read may name, newest first."""

    current: str | None
    snapshots: tuple[RetainedSnapshot, ...]


def retained_snapshots(snapshots: SnapshotHolder) -> RetainedSnapshots:
    """Return the list of the snapshots that a read may name. This reads files."""
    return _listed(snapshots.folder, snapshots.retained(), snapshots.current_id)


@lru_cache(maxsize=4)
def _listed(folder: Path, retained: tuple[str, ...], current: str | None) -> RetainedSnapshots:
    manifests = []
    for snapshot in retained:
        try:
            manifests.append(Manifest.load(folder / snapshot))
        except SnapshotCorruptError:
            # It went between the listing and the reading, or no read could open it either.
            continue
    return RetainedSnapshots(current, tuple(_described(manifest, current) for manifest in manifests))


def _described(manifest: Manifest, current: str | None) -> RetainedSnapshot:
    return RetainedSnapshot(
        id=manifest.id,
        created_at=manifest.created,
        current=manifest.id == current,
        node_count=manifest.counts["nodes"],
        searchable_chunks=manifest.counts["chunks"],
        root_sha256=manifest.root_sha256,
        nodes_root=manifest.nodes_root,
        code_bodies=tuple(map(_body, manifest.code_bodies)),
    )


def _body(entry: CodeBodyEntry) -> RetainedBody:
    return RetainedBody(
        id=entry.id,
        key=entry.key,
        name=entry.name,
        jurisdiction=entry.jurisdiction,
        current_through=entry.current_through,
        current_through_date=current_date(entry.current_through),
        release_point=entry.release_point,
        complete=entry.complete,
        node_count=entry.node_count,
    )
