"""Posting in the background: a process of its own brings the tables up to date.

It is a process because it would otherwise take the interpreter from the calls that are answered. A store that
sees records gather starts it; it ends when its pipe does, or when there was nothing to do for a while.
Nothing depends on it: what waits is in the records, and who reads the tables posts first.
"""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any, Protocol, TypeVar

from serving.metering.posting import (
    ENTRIES_AT_ONCE,
    MARKS_AT_ONCE,
    MOST_ENTRIES,
    RECORDS_AT_ONCE,
    RECORDS_OF_MARKS,
    Marks,
    Posting,
)

RETRY_SECONDS = 5.0
"""Seconds after the start of a process in which no other is started."""
END_SECONDS = 5.0
"""Seconds that a process has to end once it is to."""

DROPPED_AT_ONCE = 64
"""Records that are deleted in one transaction."""

_log = logging.getLogger(__name__)
_Row = TypeVar("_Row")


class Tables(Protocol):
    """A connection that posts; each call is one transaction."""

    def try_alone(self) -> bool:
        """Return whether no other process posts, and keep others from it until this connection is closed."""
        ...

    def waiting(self) -> int:
        """Return the number of records whose credits wait."""
        ...

    def waiting_credits(self, most: int) -> Posting:
        """Return what waits in the oldest records, up to about so many entries."""
        ...

    def enter(self, entries: Sequence[Sequence[Any]]) -> None:
        """Write entries into the ledger; those that are there already stay."""
        ...

    def post_credits(self, posting: Posting) -> None:
        """Post balances and counts whose entries are written, unless somebody posted meanwhile."""
        ...

    def waiting_marks(self, records: int) -> Marks | None:
        """Return the marks of records whose credits are posted; None if fewer records than that wait."""
        ...

    def post_marks(self, rows: Sequence[tuple[int, int, int]]) -> None:
        """Post marks; those that are there already stay."""
        ...

    def trim(self, ended: Sequence[tuple[int, int]]) -> None:
        """Delete keys' marks up to an instant."""
        ...

    def end_marks(self, number: int) -> None:
        """Record that all marks up to a record are posted."""
        ...

    def drop(self, most: int) -> int:
        """Delete the oldest records of which everything is posted; return how many."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class Poster:
    """Starts the process that posts, and ends it.

    Args:
        url: the database.
        patience: seconds that PostgreSQL has for a statement, or a connection; None for no limit.
    """

    def __init__(self, url: str, *, patience: float | None = None) -> None:
        # It is not an argument of the process: everybody may read those, and it may hold a password.
        self._told = json.dumps({"url": url, "patience": patience}).encode() + b"\n"
        self._process: subprocess.Popen[bytes] | None = None
        self._started = float("-inf")

    def start(self) -> None:
        """Start the process, unless it runs; only one thread at a time may call this."""
        if self._process is not None:
            if self._process.poll() is None:
                return
            self._end(self._process)
            self._process = None
        if monotonic() - self._started < RETRY_SECONDS:
            return
        self._started = monotonic()
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "serving.metering.posting_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            if process.stdin is not None:
                process.stdin.write(self._told)
                process.stdin.flush()
        except OSError as error:
            # It is tried again; what was committed must not be taken for failed and settled again.
            _log.warning("posting_failed", exc_info=error)
            return
        self._process = process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._end(self._process)
            self._process = None

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        try:
            _, said = process.communicate(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            _, said = process.communicate()
        if process.returncode:
            detail = said.decode(errors="replace").strip().rpartition("\n")[2]
            _log.warning("posting_failed", extra={"status": process.returncode, "detail": detail})


def post(tables: Tables, *, records: int = RECORDS_AT_ONCE, of_marks: int = RECORDS_OF_MARKS) -> bool:
    """Post what waits; return whether anything was done.

    Args:
        tables: where nobody else posts in the background.
        records: records that must wait before anything is posted.
        of_marks: records whose marks must wait before these are.
    """
    if tables.waiting() < records:
        return False
    post_credits(tables)
    marks = tables.waiting_marks(of_marks)
    if marks is not None:
        for rows in _in_parts(marks.rows, MARKS_AT_ONCE):
            tables.post_marks(rows)
        for ended in _in_parts(marks.ended, MARKS_AT_ONCE):
            tables.trim(ended)
        tables.end_marks(marks.number)
        while tables.drop(DROPPED_AT_ONCE) == DROPPED_AT_ONCE:
            pass
    return True


def post_credits(tables: Tables) -> None:
    """Post balances, counts and entries that wait."""
    is_more = True
    while is_more:
        posting = tables.waiting_credits(MOST_ENTRIES)
        for entries in _in_parts(posting.entries, ENTRIES_AT_ONCE):
            tables.enter(entries)
        if posting.number:
            tables.post_credits(posting)
        is_more = len(posting.entries) >= MOST_ENTRIES


def _in_parts(rows: Sequence[_Row], size: int) -> Iterator[Sequence[_Row]]:
    for begin in range(0, len(rows), size):
        yield rows[begin : begin + size]
