"""The health of the store of accounts, as this process knows it: the result of the last write, and the cause.

A failure of the store is one log record and a count, not one record for each call that met it.
"""

import errno
import logging
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import NoReturn

import psycopg
import sqlalchemy as sa

from serving.contract.errors import StoreUnavailableError

DISK_FULL, READ_ONLY, CORRUPT, IO_ERROR = "disk_full", "read_only", "corrupt", "io_error"
BUSY, UNREACHABLE, OTHER = "busy", "unreachable", "other"
CAUSES = {
    DISK_FULL: "the disk is full",
    READ_ONLY: "it may only be read",
    CORRUPT: "its data are damaged",
    IO_ERROR: "the disk fails",
    BUSY: "another program holds it",
    UNREACHABLE: "it does not answer",
    OTHER: "the log says why",
}
"""Causes of failed writes, with the words that anybody may read."""
LOG_SECONDS = 60.0
"""Seconds between log records of a cause that persists."""

_SQLITE = {
    sqlite3.SQLITE_FULL: DISK_FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CORRUPT: CORRUPT,
    sqlite3.SQLITE_NOTADB: CORRUPT,
    sqlite3.SQLITE_IOERR: IO_ERROR,
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_CANTOPEN: UNREACHABLE,
}
_SQLSTATES = (
    ("53100", DISK_FULL),
    ("25006", READ_ONLY),
    ("58030", IO_ERROR),
    ("XX001", CORRUPT),
    ("XX002", CORRUPT),
    ("55P03", BUSY),
    ("25P03", BUSY),  # the transaction was idle for too long
    ("40", BUSY),  # a deadlock, or a conflict of transactions: tried again, it may pass
    ("57", UNREACHABLE),
    ("08", UNREACHABLE),
)
"""Causes by the first characters of PostgreSQL's error codes (SQLSTATE)."""
_ERRNOS = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EFBIG: DISK_FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.EIO: IO_ERROR,
    errno.ENOENT: UNREACHABLE,
}

_log = logging.getLogger(__name__)


def raise_failure(error: Exception) -> NoReturn:
    """Raise an error of a database library as a failure of the store.

    A constraint that does not hold, or a statement that cannot be read, is a fault of the program instead and
    is raised as it is.

    Raises:
        StoreUnavailableError: the store failed.
    """
    cause = _cause(error)
    if cause is None:
        raise error
    raise StoreUnavailableError("The store of accounts gave up; try again.", cause=cause) from error


def _cause(error: BaseException | None) -> str | None:
    if isinstance(error, sa.exc.DBAPIError):
        return _cause(error.orig)
    if isinstance(error, sa.exc.TimeoutError):
        return BUSY
    if isinstance(error, sqlite3.DatabaseError):
        # The lower eight bits are the code; what lies above only tells more of it.
        found = _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        return found or (OTHER if isinstance(error, sqlite3.OperationalError) else None)
    if isinstance(error, psycopg.Error):
        state = error.sqlstate or ""
        found = next((cause for start, cause in _SQLSTATES if state.startswith(start)), None)
        if found is not None or not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
            return found
        # What broke before the server could say anything has no state.
        return OTHER if state else UNREACHABLE
    return _ERRNOS.get(error.errno or 0, OTHER) if isinstance(error, OSError) else None


class StoreHealth:
    """The result of the last write to the store. Every method may be called from any thread.

    Args:
        clock: returns seconds that never go back.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._cause: str | None = None
        self._written_at = float("-inf")
        self._logged: dict[str, float] = {}
        self._failures: Counter[str] = Counter()
        self._unlogged: Counter[str] = Counter()
        self.failed_now: Callable[[], None] = lambda: None
        """Function that is called at each failure, on the thread where it happened."""

    @property
    def cause(self) -> str | None:
        """Cause for which nothing can be written, one of `CAUSES`; None if writes are believed to succeed."""
        return self._cause

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last successful write."""
        return self._clock() - self._written_at

    def worked(self) -> None:
        """Record a successful write. It does not end the cause `corrupt`: other data may still be damaged."""
        self._written_at = self._clock()
        if self._cause is not None and self._cause != CORRUPT:
            self.mended()

    def mended(self) -> None:
        """Record that the cause of the failures is gone."""
        with self._lock:
            before, self._cause = self._cause, None
        _log.info("store_recovered", extra={"cause": before})

    def failed(self, error: StoreUnavailableError) -> None:
        """Record a failed write, and log it if its cause was not logged lately."""
        now = self._clock()
        with self._lock:
            self._cause = error.cause
            self._failures[error.cause] += 1
            self._unlogged[error.cause] += 1
            due = now - self._logged.get(error.cause, float("-inf")) >= LOG_SECONDS
            if due:
                self._logged[error.cause] = now
                failures = self._unlogged.pop(error.cause)
        if due:
            detail = str(error.__cause__ or error)
            extra = {"cause": error.cause, "detail": detail, "failures": failures}
            _log.error("store_failed", extra=extra)
        self.failed_now()

    def take_failures(self) -> dict[str, int]:
        """Return the failures by cause since the last call."""
        with self._lock:
            taken, self._failures = dict(self._failures), Counter()
        return taken

    def require(self) -> None:
        """Raise an error while nothing can be written.

        Raises:
            StoreUnavailableError: the message names the cause.
        """
        cause = self._cause
        if cause is not None:
            raise StoreUnavailableError(
                f"The store of accounts cannot be written: {CAUSES[cause]} ({cause}).", cause=cause
            )
