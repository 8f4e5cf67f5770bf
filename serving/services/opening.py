"""Opening of snapshots: warm for the first request, and read through where damage may have ended a worker."""

import logging
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from serving.contract.errors import DamagedFileError, LawError, SnapshotCorruptError
from serving.services.citations.leads import find_leads
from serving.snapshot.filters import Filters
from serving.snapshot.inspections import Inspections
from serving.snapshot.memory import give_back
from serving.snapshot.store import Snapshot, open_snapshot
from serving.snapshot.verify import Pace, StoppedError, require_whole

_LOOK_SECONDS = 20.0
"""Seconds that a worker may spend reading a snapshot before it opens it: one that starts too slowly is
killed."""

_log = logging.getLogger(__name__)


def open_warm(folder: Path) -> Snapshot:
    """Open a snapshot and search it once, so that no request pays for the set-up of first use.

    Raises:
        DamagedFileError: a file is not as it was published.
        SnapshotCorruptError: it cannot be read.
    """
    try:
        snapshot = open_snapshot(folder)
        find_leads(snapshot, "warm", Filters())
        snapshot.vectors.search(snapshot.encoder.encode_query("warm"), filters=Filters(), limit=1)
        snapshot.keyword.search("warm", filters=Filters(), limit=1)
        # One that this server does not know is refused here, while another snapshot is in service.
        _ = snapshot.ranker
        snapshot.layers.warm()
        snapshot.addresses.find("warm")
        if snapshot.changes is not None:
            snapshot.changes.find(container=UUID(int=0))
        give_back()
    except (LawError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # What the libraries below say of damaged tables and indexes has no other base: some panic in Rust.
        raise SnapshotCorruptError(str(folder), f"cannot be read: {error!r}") from error
    return snapshot


class Opener:
    """Opens the snapshots of a folder.

    Args:
        folder: holds the snapshots.
        inspections: inspections of them.
        open_folder: opens the snapshot in a folder.
        distrusted_since: time at which a process died that may have read damaged files, in seconds since
            1970: a snapshot not inspected since then is checked before it is opened.

    Attributes:
        failed: the snapshots that could not be opened, each with the time of the first attempt.
    """

    def __init__(
        self,
        folder: Path,
        inspections: Inspections,
        *,
        open_folder: Callable[[Path], Snapshot],
        distrusted_since: float | None,
    ) -> None:
        self.failed: dict[str, float] = {}
        self._folder = folder
        self._inspections = inspections
        self._open_folder = open_folder
        self._distrusted_since = distrusted_since

    def open(self, snapshot: str) -> Snapshot:
        """Open a snapshot.

        Raises:
            DamagedFileError: a file is not as it was published.
            SnapshotCorruptError: it cannot be read here.
        """
        inspection, since = self._inspections.find(snapshot), self._distrusted_since
        try:
            if since is not None and (inspection is None or inspection.at < since):
                self._look_through(snapshot)
            opened = self._open_folder(self._folder / snapshot)
        except DamagedFileError:
            raise
        except SnapshotCorruptError:
            self.failed.setdefault(snapshot, time.time())
            raise
        self.failed.pop(snapshot, None)
        return opened

    def _look_through(self, snapshot: str) -> None:
        """Compare as many bytes with their hashes as time allows, before any file is mapped.

        Raises:
            DamagedFileError: they differ.
        """
        stop = threading.Event()
        timer = threading.Timer(_LOOK_SECONDS, stop.set)
        timer.start()
        try:
            require_whole(self._folder / snapshot, Pace(sys.maxsize, stop))
        except StoppedError:
            _log.warning("snapshot_opened_unread", extra={"snapshot": snapshot})
        else:
            self._inspections.note(snapshot)
        finally:
            timer.cancel()
