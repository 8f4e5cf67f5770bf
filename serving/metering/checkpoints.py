"""Checkpoints of SQLite's log: copying it into the database in the background, so that it stays short.

The log restarts only when all of it was copied and nobody wrote meanwhile, which never happens by itself on a
busy server. So most of it is copied while others write, and the rest in a turn of its own, which holds nobody
up for long.
"""

import logging
import sqlite3
import threading
from pathlib import Path

from serving.metering.turns import BUSY_SECONDS, Turns

EVERY_PAGES = 8_000
"""Changed pages after which the log is copied: some 32 MB. Most are the same pages again, copied only
once."""
SHORT_PAGES, MOST_PASSES = 1_000, 4
"""Pages that may be left for the turn, and most attempts to leave no more than that."""

_log = logging.getLogger(__name__)


class Checkpoints:
    """Copies the log of one file, in a thread of its own, whenever enough was written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed = 0
        self._thread: threading.Thread | None = None

    def note(self, pages: int) -> None:
        """Count pages that a transaction changed, roughly; only one thread at a time may call this."""
        self._changed += pages
        if self._changed < EVERY_PAGES or (self._thread is not None and self._thread.is_alive()):
            return
        self._changed = 0
        self._thread = threading.Thread(target=self._run, name="checkpoint", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            # No thread is to be had; what was committed must not be taken for failed and settled again.
            self._thread = None
            _log.warning("checkpoint_failed", exc_info=error)

    def close(self) -> None:
        """Wait for a copy that is under way."""
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            copy_log(self._path)
        except (OSError, sqlite3.Error) as error:
            # It keeps the log short, not the work safe; it is tried again.
            _log.warning("checkpoint_failed", exc_info=error)


def copy_log(path: Path) -> None:
    """Copy a file's log into it, so that the log can restart.

    Raises:
        OSError, sqlite3.Error: it cannot be done now.
    """
    connection = sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    turns = Turns(path)
    try:
        for _ in range(MOST_PASSES):
            if _uncopied(connection) <= SHORT_PAGES:
                break
        with turns:
            _uncopied(connection)
    finally:
        turns.close()
        connection.close()


def _uncopied(connection: sqlite3.Connection) -> int:
    """Copy the log as far as possible; return the number of pages that are left or were added meanwhile."""
    _, pages, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return int(pages) - int(copied)
