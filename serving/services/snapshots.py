"""The snapshots that a process holds open: the current one, followed by its pointer, and a few pinned ones.

A request leases a snapshot, so that the one it reads stays open until it is done, whatever is published.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from serving.contract.errors import NoSnapshotError, SnapshotGoneError
from serving.contract.layout import MANIFEST
from serving.services.citations.resolve import resolve
from serving.snapshot.filters import Filters
from serving.snapshot.pointer import SNAPSHOT_ID, current_snapshot_id
from serving.snapshot.store import Snapshot, open_snapshot


def open_warm(folder: Path) -> Snapshot:
    """Open a snapshot and search it once, so that no request pays for what is set up on first use."""
    snapshot = open_snapshot(folder)
    resolve(snapshot, "warm")
    snapshot.vectors.search(snapshot.encoder.encode_query("warm"), filters=Filters(), limit=1)
    snapshot.keyword.search("warm", filters=Filters(), limit=1)
    snapshot.layers.warm()
    return snapshot


class _Held:
    """An open snapshot, how many requests read it, and whether it closes after the last of them."""

    __slots__ = ("leases", "retired", "snapshot")

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.leases = 0
        self.retired = False


class Lease:
    """One request's hold on a snapshot; a context manager that gives the snapshot and lets go of it."""

    __slots__ = ("_held", "_holder")

    def __init__(self, holder: "SnapshotHolder", held: _Held) -> None:
        self._holder = holder
        self._held = held

    @property
    def snapshot_id(self) -> str:
        """Id of the snapshot leased."""
        return self._held.snapshot.id

    def __enter__(self) -> Snapshot:
        return self._held.snapshot

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._holder.release(self._held)


class SnapshotHolder:
    """Holds the open snapshots of one process. Every method may be called from any thread.

    Args:
        folder: holds the snapshots and the pointer.
        pinned: how many snapshots besides the current one stay open for reads that name them.
        open_folder: opens the snapshot in a folder.
    """

    def __init__(
        self, folder: Path, *, pinned: int = 2, open_folder: Callable[[Path], Snapshot] = open_warm
    ) -> None:
        self._folder = folder
        self._capacity = pinned
        self._open_folder = open_folder
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._current: _Held | None = None
        self._pinned: OrderedDict[str, _Held] = OrderedDict()

    @property
    def current_id(self) -> str | None:
        """Id of the snapshot in service; None before the first one is open."""
        current = self._current
        return None if current is None else current.snapshot.id

    def refresh(self) -> bool:
        """Follow the pointer: open the snapshot that it names beside the old one, then swap.

        Blocks while it opens. Returns whether the snapshot in service is another one now. On an error the
        old one stays in service.

        Raises:
            NoSnapshotError: there is no pointer.
            SnapshotCorruptError: the snapshot that it names cannot be opened.
        """
        with self._opening:
            wanted = current_snapshot_id(self._folder)
            if wanted == self.current_id:
                return False
            with self._lock:
                held = self._pinned.pop(wanted, None)
            if held is None:
                held = _Held(self._open_folder(self._folder / wanted))
            with self._lock:
                old, self._current = self._current, held
                idle = [] if old is None else self._retire(old)
        _close(idle)
        return True

    def try_lease(self, snapshot: str | None = None) -> Lease | None:
        """Lease the current snapshot, or the one named, if that needs no opening; else None.

        Raises:
            NoSnapshotError: the current one was asked for and nothing is open yet.
        """
        with self._lock:
            current = self._current
            if snapshot is None:
                if current is None:
                    raise NoSnapshotError(
                        "The server has no snapshot of the law open yet; try again in a moment."
                    )
                held: _Held | None = current
            elif current is not None and current.snapshot.id == snapshot:
                held = current
            else:
                held = self._pinned.get(snapshot)
                if held is not None:
                    self._pinned.move_to_end(snapshot)
            if held is None:
                return None
            held.leases += 1
            return Lease(self, held)

    def lease(self, snapshot: str | None = None) -> Lease:
        """Lease the current snapshot or the one named; blocks while an older one is opened.

        Raises:
            NoSnapshotError: the current one was asked for and nothing is open yet.
            SnapshotGoneError: the one named is not retained.
            SnapshotCorruptError: the one named is damaged.
        """
        while True:
            lease = self.try_lease(snapshot)
            if lease is not None:
                return lease
            if snapshot is not None:
                self._pin(snapshot)

    def release(self, held: _Held) -> None:
        """Give back a lease; the last one of a retired snapshot closes it."""
        with self._lock:
            held.leases -= 1
            idle = [held] if held.retired and held.leases == 0 else []
        _close(idle)

    def close(self) -> None:
        """Retire every snapshot; each closes when its last lease is given back."""
        with self._lock:
            every = [*self._pinned.values(), *([] if self._current is None else [self._current])]
            self._pinned.clear()
            self._current = None
            idle = [held for entry in every for held in self._retire(entry)]
        _close(idle)

    def _pin(self, snapshot: str) -> None:
        folder = self._folder / snapshot
        if not self._capacity or SNAPSHOT_ID.fullmatch(snapshot) is None:
            raise SnapshotGoneError(snapshot)
        with self._opening:
            if snapshot in self._pinned or snapshot == self.current_id:
                return
            if not (folder / MANIFEST).is_file():
                raise SnapshotGoneError(snapshot)
            held = _Held(self._open_folder(folder))
            idle: list[_Held] = []
            with self._lock:
                self._pinned[snapshot] = held
                while len(self._pinned) > self._capacity:
                    idle += self._retire(self._pinned.popitem(last=False)[1])
        _close(idle)

    @staticmethod
    def _retire(held: _Held) -> list[_Held]:
        """Mark a snapshot as done with; returns it if nobody reads it. The lock must be held."""
        held.retired = True
        return [] if held.leases else [held]


def _close(idle: list[_Held]) -> None:
    for held in idle:
        held.snapshot.close()
