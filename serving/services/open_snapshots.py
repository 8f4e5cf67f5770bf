"""Snapshots that are open: the one in service and a few pinned ones, with a count of those who read each.

A snapshot that leaves is closed when its last reader is done. Nothing here reads a file.
"""

import threading
import time
from collections import OrderedDict

from serving.snapshot.store import Snapshot


class Held:
    """An open snapshot, the number of its readers, and whether it closes after the last one.

    Attributes:
        opened: time at which it was opened, in seconds since 1970.
    """

    __slots__ = ("opened", "readers", "retired", "snapshot")

    def __init__(self, snapshot: Snapshot) -> None:
        self.opened = time.time()
        self.snapshot = snapshot
        self.readers = 0
        self.retired = False


class OpenSnapshots:
    """The open snapshots of one process. Every method may be called from any thread.

    Args:
        capacity: number of pinned snapshots; the one not read for longest leaves for another.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._lock = threading.Lock()
        self._current: Held | None = None
        self._pinned: OrderedDict[str, Held] = OrderedDict()

    @property
    def current_id(self) -> str | None:
        """Id of the snapshot in service; None if there is none."""
        current = self._current
        return None if current is None else current.snapshot.id

    def opened(self) -> dict[str, float]:
        """Return the ids of all, each with the time at which it was opened."""
        with self._lock:
            return {held.snapshot.id: held.opened for held in self._all()}

    def find(self, snapshot: str) -> Snapshot | None:
        """Return the open snapshot with this id, or None."""
        with self._lock:
            held = self._find(snapshot)
        return None if held is None else held.snapshot

    def take(self, snapshot: str | None) -> Held | None:
        """Count a reader of a snapshot, or of the one in service; return None where it is not open."""
        with self._lock:
            held = self._current if snapshot is None else self._find(snapshot)
            if held is not None:
                held.readers += 1
                if held is not self._current:
                    self._pinned.move_to_end(held.snapshot.id)
            return held

    def give_back(self, held: Held) -> None:
        """Count a reader less; after the last one, a snapshot that has left is closed."""
        with self._lock:
            held.readers -= 1
            idle = [held] if held.retired and held.readers == 0 else []
        _close(idle)

    def put_in_service(self, snapshot: Snapshot) -> None:
        """Put a snapshot that was just opened in service; the one before leaves."""
        with self._lock:
            idle = self._serve(Held(snapshot))
        _close(idle)

    def promote(self, snapshot: str) -> bool:
        """Put a pinned snapshot in service; return False if none of this id is pinned."""
        with self._lock:
            held = self._pinned.pop(snapshot, None)
            idle = [] if held is None else self._serve(held)
        _close(idle)
        return held is not None

    def pin(self, snapshot: Snapshot) -> None:
        """Keep a snapshot that was just opened beside the one in service."""
        idle: list[Held] = []
        with self._lock:
            self._pinned[snapshot.id] = Held(snapshot)
            while len(self._pinned) > self._capacity:
                idle += _retire(self._pinned.popitem(last=False)[1])
        _close(idle)

    def let_go(self, snapshot: str) -> None:
        """Make a snapshot leave, if it is open."""
        with self._lock:
            held = self._find(snapshot)
            if held is self._current:
                self._current = None
            self._pinned.pop(snapshot, None)
            idle = [] if held is None else _retire(held)
        _close(idle)

    def close(self) -> None:
        """Make every snapshot leave."""
        with self._lock:
            idle = [held for entry in self._all() for held in _retire(entry)]
            self._pinned.clear()
            self._current = None
        _close(idle)

    def _all(self) -> list[Held]:
        return [*([] if self._current is None else [self._current]), *self._pinned.values()]

    def _find(self, snapshot: str) -> Held | None:
        current = self._current
        is_current = current is not None and current.snapshot.id == snapshot
        return current if is_current else self._pinned.get(snapshot)

    def _serve(self, held: Held) -> list[Held]:
        old, self._current = self._current, held
        return [] if old is None else _retire(old)


def _retire(held: Held) -> list[Held]:
    """Mark a snapshot as leaving; return it if nobody reads it. The lock must be held."""
    held.retired = True
    return [] if held.readers else [held]


def _close(idle: list[Held]) -> None:
    for held in idle:
        held.snapshot.close()
