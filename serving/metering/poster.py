"""Posting in the background: a thread brings the tables up to date, in transactions for which settlement can wait."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from serving.contract.errors import StoreUnavailableError
from serving.metering.posting import MARKS_AT_ONCE, RECORDS_AT_ONCE, RECORDS_OF_MARKS, ROWS_AT_ONCE, Marks

_log = logging.getLogger(__name__)
_Row = TypeVar("_Row")


class Tables(Protocol):
    """A connection that posts; each call is one transaction."""

    changed: int
    """Pages that were changed so far, roughly."""

    def try_alone(self) -> bool:
        """Return whether nobody else posts in the background, and keep others from it until `end`."""
        ...

    def post_credits(self, most: int) -> int:
        """Post balances, counts and entries of the oldest records; return the number of entries, about `most`."""
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

    def end(self) -> None:
        """Let others post."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class Poster:
    """Posts what waits whenever it is told to, in a thread that ends when nothing more is to do.

    Args:
        open_tables: opens a connection that posts, in that thread.
    """

    def __init__(self, open_tables: Callable[[], Tables]) -> None:
        self._open = open_tables
        self._tables: Tables | None = None
        self._thread: threading.Thread | None = None

    def post(self) -> None:
        """Begin to post what waits, unless that is under way; only one thread at a time may call this."""
        if self._thread is not None and self._thread.is_alive():
            return
        self._thread = threading.Thread(target=self._run, name="poster", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            # No thread is to be had; what was committed must not be taken for failed and settled again.
            self._thread = None
            _log.warning("posting_failed", exc_info=error)

    def take_changed(self) -> int:
        """Return the number of pages that were changed since the last call, roughly."""
        tables = self._tables
        if tables is None:
            return 0
        changed, tables.changed = tables.changed, 0
        return changed

    def wait(self) -> None:
        """Wait for a posting that is under way."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Wait for a posting that is under way, and close its connection."""
        self.wait()
        if self._tables is not None:
            self._tables.close()
            self._tables = None

    def _run(self) -> None:
        try:
            if self._tables is None:
                self._tables = self._open()
            post(self._tables)
        except Exception as error:
            # Nothing is lost: it waits in the records, from which whoever reads the tables posts first.
            _log.warning("posting_failed", exc_info=None if isinstance(error, StoreUnavailableError) else error)
            tables, self._tables = self._tables, None
            if tables is not None:
                tables.close()


def post(tables: Tables) -> None:
    """Post the credits that wait, and the marks where enough wait, unless another process does."""
    if not tables.try_alone():
        return
    try:
        while tables.post_credits(ROWS_AT_ONCE) >= ROWS_AT_ONCE:
            pass
        marks = tables.waiting_marks(RECORDS_OF_MARKS)
        if marks is None:
            return
        for rows in _in_parts(marks.rows, MARKS_AT_ONCE):
            tables.post_marks(rows)
        for ended in _in_parts(marks.ended, MARKS_AT_ONCE):
            tables.trim(ended)
        tables.end_marks(marks.number)
        while tables.drop(RECORDS_AT_ONCE) == RECORDS_AT_ONCE:
            pass
    finally:
        tables.end()


def _in_parts(rows: Sequence[_Row], size: int) -> Iterator[Sequence[_Row]]:
    for begin in range(0, len(rows), size):
        yield rows[begin : begin + size]
