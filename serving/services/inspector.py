"""Inspection of the snapshots that a process holds open: every byte, in the background.

One process of a host inspects for all. A snapshot is inspected after it was opened, then every so many hours,
and again when a damaged file of it has been replaced.
"""

import fcntl
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from serving.contract.errors import DamagedFileError, SnapshotCorruptError
from serving.contract.layout import MANIFEST
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.verify import Pace, StoppedError, require_whole

BYTES_PER_SECOND = 32 << 20
"""Rate at which files are read, in bytes a second: hashing that much takes 3 % of a core."""
RECENT_SECONDS = 3600.0
"""Seconds after an inspection in which opening the snapshot does not cause another one."""
_HOUR = 3600.0

_log = logging.getLogger(__name__)


class Inspector:
    """Inspects the snapshots that a holder has open.

    Args:
        holder: the holder of the snapshots, which takes damaged ones out of service.
        hours: hours between inspections; 0: a snapshot is inspected only after it was opened.
        bytes_per_second: most bytes to read in a second.
    """

    def __init__(
        self, holder: SnapshotHolder, *, hours: float, bytes_per_second: int = BYTES_PER_SECOND
    ) -> None:
        self._holder = holder
        self._seconds = hours * _HOUR
        self._rate = bytes_per_second
        self._stop = threading.Event()

    def run(self) -> None:
        """Inspect the snapshots that are due, one after another. Blocks for as long as reading them takes."""
        try:
            for snapshot, opened in self._holder.watched().items():
                if self._is_due(snapshot, opened):
                    self._inspect(snapshot, opened)
            for snapshot in self._holder.mended():
                self._inspect(snapshot, None)
        except StoppedError:
            return

    def stop(self) -> None:
        """End the inspection under way, soon and for good."""
        self._stop.set()

    def _is_due(self, snapshot: str, opened: float) -> bool:
        last = self._holder.inspections.find(snapshot)
        if last is None:
            return True
        if last.damage is not None:
            return False
        age = time.time() - last.at
        return (last.at < opened and age > RECENT_SECONDS) or 0 < self._seconds < age

    def _inspect(self, snapshot: str, opened: float | None) -> None:
        folder = self._holder.folder / snapshot
        with _alone(folder, shared=self._holder.inspections.are_shared) as is_alone:
            # Another process may have inspected it until the lock was free.
            if not is_alone or (opened is not None and not self._is_due(snapshot, opened)):
                return
            begun = time.monotonic()
            try:
                files = require_whole(folder, Pace(self._rate, self._stop))
            except DamagedFileError as error:
                self._holder.condemn(snapshot, error)
            except SnapshotCorruptError as error:
                # What cannot be read now need not be damaged: a process may have too many files open.
                _log.warning("snapshot_not_inspected", extra={"snapshot": snapshot, "problem": error.message})
            else:
                self._holder.inspections.note(snapshot)
                seconds = round(time.monotonic() - begun, 3)
                extra = {"snapshot": snapshot, "files": files, "seconds": seconds}
                _log.info("snapshot_inspected", extra=extra)


@contextmanager
def _alone(folder: Path, *, shared: bool) -> Iterator[bool]:
    """Yield True if this process may inspect a snapshot, and False if another process of this host does so.

    If processes cannot share their results, each inspects for itself.
    """
    try:
        lock = os.open(folder / MANIFEST, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        yield True  # the inspection will say what is wrong with it
        return
    try:
        yield not shared or _is_locked(lock)
    finally:
        os.close(lock)


def _is_locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        # Some network file systems know no such locks: better twice than never.
        _log.debug("inspection_not_locked", exc_info=error)
    return True
