"""Posting on SQLite: rows of the tables from the records of batches."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from serving.metering import sqlite_statements as sql
from serving.metering.checkpoints import Checkpoints
from serving.metering.health import raise_failure
from serving.metering.posting import Marks, Posting, marks_of, posting_of
from serving.metering.turns import BUSY_SECONDS, Turns

MOST_ROWS = 512
"""Rows in one statement."""
_ROWS_OF_A_PAGE = 16
"""Rows of keys or of the ledger, roughly."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection that two threads may use in turn."""
    connection = sqlite3.connect(
        f"file:{path}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    # It flushes to the disk, for which no call should wait.
    connection.execute("PRAGMA wal_autocheckpoint=0")
    return connection


def is_behind(connection: sqlite3.Connection) -> bool:
    """Return whether credits wait to be posted; in a store of before there were batches none do."""
    return bool(
        connection.execute(sql.HAS_BATCHES).fetchone()[0] and connection.execute(sql.WAITING).fetchone()[0]
    )


def post_credits(connection: sqlite3.Connection) -> None:
    """Post all balances, counts and entries that wait, in the transaction of the caller."""
    posting = _waiting_credits(connection, None)
    _execute(connection, sql.ENTER, posting.entries)
    _post_credits(connection, posting)


def _waiting_credits(connection: sqlite3.Connection, most: int | None) -> Posting:
    posted, _ = connection.execute(sql.POSTED).fetchone()
    return posting_of(posted, connection.execute(sql.TO_POST, (posted,)), most=most)


def _post_credits(connection: sqlite3.Connection, posting: Posting) -> None:
    if posting.number:
        moved = [(*moved, posting.number) for moved in sorted(posting.moved.values())]
        _execute(connection, sql.COUNT, sorted(posting.counted.values()))
        _execute(connection, sql.MOVE, moved)
        connection.execute(sql.CREDITS_POSTED, (posting.number,))


def post_marks(connection: sqlite3.Connection) -> None:
    """Post everything that waits, marks too, in the transaction of the caller."""
    post_credits(connection)
    marks = _waiting_marks(connection)
    _execute(connection, sql.MARK, marks.rows)
    connection.execute(sql.MARKS_POSTED, (marks.number, marks.number))


def _execute(connection: sqlite3.Connection, statement: str, rows: Sequence[Sequence[Any]]) -> None:
    """Execute a statement for rows, many at a time."""
    size, begin = MOST_ROWS, 0
    while begin < len(rows):
        # By powers of two there are few different statements, which the connection then has ready.
        while size > len(rows) - begin:
            size //= 2
        part = rows[begin : begin + size]
        connection.execute(_for_rows(statement, len(part[0]), size), [*chain.from_iterable(part)])
        begin += size


@lru_cache(maxsize=64)
def _for_rows(statement: str, columns: int, rows: int) -> str:
    row = "(" + ", ".join("?" * columns) + ")"
    return statement.format(rows=", ".join([row] * rows))


def _waiting_marks(connection: sqlite3.Connection) -> Marks:
    posted, marked = connection.execute(sql.POSTED).fetchone()
    return marks_of(connection.execute(sql.MARKS_TO_POST, (marked, posted)))


class SqliteTables:
    """A connection of its own that posts, in turn with those that settle."""

    def __init__(self, path: Path) -> None:
        self._checkpoints = Checkpoints(path)
        try:
            self._alone = os.open(f"{path}-posting", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._turns = Turns(path)
        except OSError as error:
            raise_failure(error)
        try:
            self._connection = connect(path)
            self._connection.execute("PRAGMA synchronous=NORMAL")
        except sqlite3.DatabaseError as error:
            raise_failure(error)

    def try_alone(self) -> bool:
        """Return whether no other process posts, and keep others from it until this connection is closed."""
        try:
            fcntl.flock(self._alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def waiting(self) -> int:
        """Return the number of records whose credits wait."""
        posted, _ = self._connection.execute(sql.POSTED).fetchone()
        return int(self._connection.execute(sql.NEWEST).fetchone()[0]) - int(posted)

    def waiting_credits(self, most: int) -> Posting:
        """Return what waits in the oldest records, up to about so many entries."""
        return _waiting_credits(self._connection, most)

    def enter(self, entries: Sequence[Sequence[Any]]) -> None:
        """Write entries into the ledger; those that are there already stay."""
        with self._writing() as connection:
            _execute(connection, sql.ENTER, entries)
        self._checkpoints.note(2 + len({entry[0] for entry in entries}) + len(entries) // _ROWS_OF_A_PAGE)

    def post_credits(self, posting: Posting) -> None:
        """Post balances and counts whose entries are written, unless somebody posted meanwhile."""
        with self._writing() as connection:
            if connection.execute(sql.POSTED).fetchone()[0] == posting.after:
                _post_credits(connection, posting)
        self._checkpoints.note(2 + (len(posting.moved) + len(posting.counted)) // _ROWS_OF_A_PAGE)

    def waiting_marks(self, records: int) -> Marks | None:
        """Return the marks of records whose credits are posted; None if fewer records than that wait."""
        posted, marked = self._connection.execute(sql.POSTED).fetchone()
        return _waiting_marks(self._connection) if posted - marked >= records else None

    def post_marks(self, rows: Sequence[tuple[int, int, int]]) -> None:
        """Post marks; those that are there already stay."""
        with self._writing() as connection:
            _execute(connection, sql.MARK, rows)
        self._checkpoints.note(len({row[0] for row in rows}) + len(rows) // _ROWS_OF_A_PAGE)

    def trim(self, ended: Sequence[tuple[int, int]]) -> None:
        """Delete keys' marks up to an instant."""
        with self._writing() as connection:
            connection.executemany(sql.TRIM, ended)

    def end_marks(self, number: int) -> None:
        """Record that all marks up to a record are posted."""
        with self._writing() as connection:
            connection.execute(sql.MARKS_POSTED, (number, number))

    def drop(self, most: int) -> int:
        """Delete the oldest records of which everything is posted; return how many."""
        with self._writing() as connection:
            posted = min(connection.execute(sql.POSTED).fetchone())
            return connection.execute(sql.DROP, (posted, most)).rowcount

    def close(self) -> None:
        """Close the connection."""
        self._checkpoints.close()
        self._connection.close()
        self._turns.close()
        os.close(self._alone)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        try:
            with self._turns:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        except sqlite3.DatabaseError as error:
            raise_failure(error)
