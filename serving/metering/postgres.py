"""The store on PostgreSQL: two round trips a batch over one psycopg connection, renewed when it breaks.

The first statement takes the lock of the records, which keeps them in order. Only a later statement may read:
in READ COMMITTED, a statement begun after the lock was granted sees what its earlier holders committed.
"""

from collections.abc import Sequence
from math import inf
from time import monotonic
from typing import Any

import psycopg

from serving.contract.errors import StoreUnavailableError
from serving.metering import postgres_statements as sql
from serving.metering.batches import Record, parse_entries, record_of
from serving.metering.clock import Clock
from serving.metering.followed import Followed
from serving.metering.following import follow, is_late_at, load
from serving.metering.health import UNREACHABLE, raise_failure
from serving.metering.poster import Poster
from serving.metering.postgres_connection import connect
from serving.metering.postgres_posting import lock
from serving.metering.postgres_rows import PostgresRows
from serving.metering.records import Joining, Outcome, Work, nobody

RETRY_SECONDS = 1.0
"""Seconds after a failed attempt to connect in which no other is made."""
_NUL = "\\u0000"
"""The character 0 as JSON has it."""


class PostgresStore:
    """One thread's connection to the database.

    Args:
        url: `postgresql://...`; `migrate` made the tables.
        clock: source of time; by default that of the database, so that all servers share it.
        patience: seconds that the database has for a statement, or a connection.
    """

    def __init__(self, url: str, *, clock: Clock | None = None, patience: float | None = None) -> None:
        self._url = url
        self._clock = clock
        self._patience = patience
        self._gave_up = -inf
        self._followed: Followed | None = None
        self._poster = Poster(url, patience=patience)
        self._connection = self._connect()

    def settle(self, work: Sequence[Work], joining: Joining = nobody) -> list[Outcome]:
        """Settle the work in order, in one transaction, with what joins it; return once it is committed.

        Raises:
            StoreUnavailableError: the database cannot be reached or failed; it may have committed.
        """
        # What is in memory is that of this transaction only if it commits, and of this database only until
        # the connection breaks: it may be another one then, such as one that was put back from a backup.
        followed, self._followed = self._followed, None
        if self._connection.closed:
            self._connection = self._connect()
            followed = None
        rows = PostgresRows(self._connection, self._clock.now() if self._clock else None)
        record = None
        try:
            with self._connection.pipeline(), self._connection.transaction():
                lock(self._connection)
                followed = follow(followed, rows)
                # The lock is granted by now: what gathered while others held it goes along.
                work = [*work, *joining()]
                batch = load(followed, work, now=rows.instant, rows=rows)
                outcomes = batch.settle(work)
                used, moved = batch.used, batch.moved
                is_late = is_late_at(followed.seen + 1, rows)
                if used or moved:
                    record = record_of(followed.seen + 1, used, moved)
                    _require_texts(record)
                    self._connection.execute(sql.APPEND, record)
        except psycopg.Error as error:
            if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
                self._connection.close()
            raise_failure(error)
        self._followed = followed
        if record is not None:
            followed.committed(record.number, used, moved)
            if is_late:
                self._poster.start()
        return outcomes

    def try_settle(self, work: Sequence[Work]) -> None:
        """Return None: a call to a server always waits, so nothing can be settled on the event loop."""

    def close(self) -> None:
        """Close the connection."""
        self._poster.close()
        self._connection.close()

    def _connect(self) -> psycopg.Connection[Any]:
        # Those who wait while one attempt fails are not made to wait for one each.
        if monotonic() - self._gave_up < RETRY_SECONDS:
            raise StoreUnavailableError(
                "The store of accounts cannot be reached; try again.", cause=UNREACHABLE
            )
        try:
            return connect(self._url, patience=self._patience, autocommit=True)
        except psycopg.OperationalError as error:
            self._gave_up = monotonic()
            raise_failure(error)


def _require_texts(record: Record) -> None:
    """Raise an error for a text that could never be posted: PostgreSQL has none with the character 0."""
    if _NUL in record.entries:
        values = (value for entry in parse_entries(record.entries) for value in entry)
        if any(isinstance(value, str) and "\0" in value for value in values):
            raise psycopg.DataError("A text of the work holds a character that PostgreSQL refuses.")
