"""Posting on PostgreSQL: rows of the tables from the records of batches."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from serving.metering import postgres_statements as sql
from serving.metering.health import raise_failure
from serving.metering.postgres_arrays import array
from serving.metering.postgres_connection import connect
from serving.metering.posting import Marks, Posting, marks_of, posting_of

Connection = psycopg.Connection[Any]


def is_behind(connection: Connection) -> bool:
    """Return whether credits wait to be posted; in a store of before there were batches none do."""
    return bool(_row(connection, sql.HAS_BATCHES)[0] and _row(connection, sql.WAITING)[0])


def lock(connection: Connection) -> None:
    """Have nobody settle, post or change credits until the transaction of the caller ends."""
    connection.execute(sql.LOCK)


def posted(connection: Connection) -> tuple[int, int]:
    """Return the numbers of the records up to which credits and marks are posted."""
    found, marks = _row(connection, sql.POSTED)
    return found, marks


def post_credits(connection: Connection) -> None:
    """Post all balances, counts and entries that wait, in the caller's transaction, which holds the lock."""
    posting = _waiting_credits(connection, None)
    _execute(connection, sql.ENTER, posting.entries)
    _post_credits(connection, posting)


def _waiting_credits(connection: Connection, most: int | None) -> Posting:
    after, _ = posted(connection)
    return posting_of(after, connection.execute(sql.TO_POST, (after,)), most=most)


def _post_credits(connection: Connection, posting: Posting) -> None:
    if posting.number:
        moved = [(*moved, posting.number) for moved in sorted(posting.moved.values())]
        _execute(connection, sql.COUNT, sorted(posting.counted.values()))
        _execute(connection, sql.MOVE, moved)
        connection.execute(sql.CREDITS_POSTED, (posting.number,))


def post_marks(connection: Connection) -> None:
    """Post everything that waits, marks too, in the transaction of the caller, which holds the lock."""
    post_credits(connection)
    marks = _waiting_marks(connection)
    _execute(connection, sql.MARK, marks.rows)
    connection.execute(sql.MARKS_POSTED, (marks.number, marks.number))


def _waiting_marks(connection: Connection) -> Marks:
    last, marked = posted(connection)
    return marks_of(connection.execute(sql.MARKS_TO_POST, (marked, last)))


def _execute(connection: Connection, statement: str, rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        connection.execute(statement, [array(column) for column in zip(*rows, strict=True)])


def _row(connection: Connection, statement: str) -> tuple[Any, ...]:
    row: tuple[Any, ...] = connection.execute(statement).fetchall()[0]
    return row


class PostgresTables:
    """A connection of its own that posts in the background.

    Entries and marks are written without the lock of the records: settlement reads neither while their
    records wait.
    """

    def __init__(self, url: str, *, patience: float | None = None) -> None:
        try:
            self._connection = connect(url, patience=patience, autocommit=True)
        except psycopg.OperationalError as error:
            raise_failure(error)

    def try_alone(self) -> bool:
        """Return whether no other process posts, and keep others from it until this connection is closed."""
        with self._failures():
            return bool(_row(self._connection, sql.TRY_ALONE)[0])

    def waiting(self) -> int:
        """Return the number of records whose credits wait."""
        with self._failures():
            return int(_row(self._connection, sql.NEWEST)[0]) - posted(self._connection)[0]

    def waiting_credits(self, most: int) -> Posting:
        """Return what waits in the oldest records, up to about so many entries."""
        with self._failures():
            return _waiting_credits(self._connection, most)

    def enter(self, entries: Sequence[Sequence[Any]]) -> None:
        """Write entries into the ledger; those that are there already stay."""
        with self._failures():
            _execute(self._connection, sql.ENTER, entries)

    def post_credits(self, posting: Posting) -> None:
        """Post balances and counts whose entries are written, unless somebody posted meanwhile."""
        with self._failures(), self._connection.transaction():
            lock(self._connection)
            if posted(self._connection)[0] == posting.after:
                _post_credits(self._connection, posting)

    def waiting_marks(self, records: int) -> Marks | None:
        """Return the marks of records whose credits are posted; None if fewer records than that wait."""
        with self._failures():
            last, marked = posted(self._connection)
            return _waiting_marks(self._connection) if last - marked >= records else None

    def post_marks(self, rows: Sequence[tuple[int, int, int]]) -> None:
        """Post marks; those that are there already stay."""
        with self._failures():
            _execute(self._connection, sql.MARK, rows)

    def trim(self, ended: Sequence[tuple[int, int]]) -> None:
        """Delete keys' marks up to an instant."""
        with self._failures():
            _execute(self._connection, sql.TRIM, ended)

    def end_marks(self, number: int) -> None:
        """Record that all marks up to a record are posted."""
        with self._failures(), self._connection.transaction():
            lock(self._connection)
            self._connection.execute(sql.MARKS_POSTED, (number, number))

    def drop(self, most: int) -> int:
        """Delete the oldest records of which everything is posted; return how many."""
        with self._failures():
            return self._connection.execute(sql.DROP, (min(posted(self._connection)), most)).rowcount

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise_failure(error)
