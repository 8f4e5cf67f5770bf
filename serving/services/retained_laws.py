"""The law of retained snapshots for comparison and history: opened without their indexes."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from weakref import WeakSet

import orjson

from serving.comparison.compared_law import ComparedLaw, open_law
from serving.comparison.comparison import Comparison
from serving.contract.changes import NOT_COMPARED, Summary
from serving.contract.errors import (
    DamagedFileError,
    NoSnapshotError,
    NotFoundError,
    SnapshotDamagedError,
    SnapshotGoneError,
)
from serving.contract.layout import CHANGES, CHANGES_SUMMARY, DIGESTS, NODES
from serving.contract.manifest import FileEntry, Manifest
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.changes import ChangeTable
from serving.snapshot.nodes import NodeTable
from serving.snapshot.verify import read_whole, require_size

KEPT = 6
"""Snapshots that are kept open so: one more than are retained by default."""
COMPARED = 2
"""Comparisons of two of them that are kept."""


class RetainedLaw:
    """The law of one retained snapshot, each part of which is opened on first use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = Manifest.load(folder)
        self.id = self.manifest.id
        self._files = {entry.path: entry for entry in self.manifest.files}

    def file(self, path: str) -> FileEntry | None:
        """Return a file as the manifest lists it; None where the snapshot has none of that path.

        Raises:
            DamagedFileError: it is missing or of another size.
        """
        entry = self._files.get(path)
        if entry is not None:
            require_size(self.folder, entry)
        return entry

    @cached_property
    def nodes(self) -> NodeTable:
        """The provisions."""
        self.file(NODES)
        return NodeTable(self.folder / NODES, self.manifest.code_bodies)

    @cached_property
    def law(self) -> ComparedLaw:
        """The provisions, with what they are compared by.

        Raises:
            NotFoundError: an earlier version built the snapshot, and kept nothing to compare by.
        """
        if DIGESTS not in self._files:
            raise NotFoundError(
                f"Snapshot {self.id} was published by a version that compared nothing.", kind="changes"
            )
        return open_law(self.folder)

    @cached_property
    def summary(self) -> Summary | None:
        """The numbers of the changes found at publication; None where an earlier version built it."""
        entry = self._files.get(CHANGES_SUMMARY)
        if entry is None:
            return None
        summary: Summary = orjson.loads(read_whole(self.folder, entry))
        return summary

    @cached_property
    def changes(self) -> ChangeTable | None:
        """The changes that were found at publication; None where an earlier version built it."""
        return None if self.file(CHANGES) is None else ChangeTable(self.folder / CHANGES)

    @property
    def reason(self) -> str | None:
        """The reason for which there are no changes, in a word; None if there may be some."""
        return NOT_COMPARED if self.summary is None else self.summary["reason"]


_held: WeakSet[RetainedLaw] = WeakSet()
"""All that is open: what is kept, and what requests read."""
_holding = Lock()


@lru_cache(maxsize=KEPT)
def _opened(folder: Path) -> RetainedLaw:
    law = RetainedLaw(folder)
    with _holding:
        _held.add(law)
    return law


@lru_cache(maxsize=COMPARED)
def compared(old: RetainedLaw, new: RetainedLaw) -> Comparison:
    """Return the comparison of two snapshots, the earlier one first, which is kept with what it found."""
    return Comparison(old.law, new.law)


def close_removed() -> None:
    """Close what is kept open of removed snapshots: as long as it is, the disk keeps their files."""
    with _holding:
        held = list(_held)
    if any(not law.folder.is_dir() for law in held):
        _opened.cache_clear()
        compared.cache_clear()


@contextmanager
def find_law(snapshots: SnapshotHolder, snapshot: str | None = None) -> Iterator[RetainedLaw]:
    """Open a retained snapshot, or the one in service, for the time of a block. This reads files.

    Raises:
        NoSnapshotError: the one in service is asked for, and none is.
        SnapshotGoneError: the one that is named is not retained.
        SnapshotDamagedError: a file that is read is not as it was published; then it goes out of service.
    """
    wanted = snapshot or snapshots.current_id
    if wanted is None:
        raise NoSnapshotError("The server has no snapshot of the law open yet; try again in a moment.")
    if wanted not in snapshots.retained():
        raise SnapshotGoneError(wanted)
    try:
        yield _opened(snapshots.folder / wanted)
    except DamagedFileError as error:
        damaged = Path(error.path).relative_to(snapshots.folder).parts[0]
        snapshots.condemn(damaged, error)
        _opened.cache_clear()
        if not (snapshots.folder / damaged).is_dir():
            raise SnapshotGoneError(damaged) from error
        raise SnapshotDamagedError(damaged) from error
