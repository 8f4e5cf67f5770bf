"""The store on SQLite: plain SQL over one connection in WAL mode."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from serving.metering import sqlite_statements as sql
from serving.metering.batches import record_of
from serving.metering.checkpoints import Checkpoints
from serving.metering.clock import Clock, SystemClock
from serving.metering.followed import Followed
from serving.metering.following import follow, is_late_at, load
from serving.metering.health import raise_failure
from serving.metering.poster import Poster
from serving.metering.records import Joining, Outcome, Work, nobody
from serving.metering.sqlite_posting import connect
from serving.metering.sqlite_rows import SqliteRows
from serving.metering.turns import Turns

_CHARACTERS_OF_A_PAGE = 3_000


class SqliteStore:
    """One connection to the file, which two threads may use in turn.

    Args:
        path: the file; `migrate` made it.
        durability: `normal` survives the death of any process; `full` also flushes each transaction.
        clock: source of time; the machine's clock by default.
    """

    def __init__(
        self, path: Path, *, durability: Literal["normal", "full"] = "normal", clock: Clock | None = None
    ) -> None:
        self._clock = clock or SystemClock()
        self._flushes = durability == "full"
        self._followed: Followed | None = None
        self._checkpoints = Checkpoints(path)
        self._poster = Poster(f"sqlite:///{path}")
        try:
            self._turns = Turns(path)
        except OSError as error:
            raise_failure(error)
        try:
            self._connection = connect(path)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute(f"PRAGMA synchronous={'FULL' if self._flushes else 'NORMAL'}")
        except sqlite3.DatabaseError as error:
            self._turns.close()
            raise_failure(error)
        self._rows = SqliteRows(self._connection)

    def settle(self, work: Sequence[Work], joining: Joining = nobody) -> list[Outcome]:
        """Settle the work in order, in one transaction, with what joins it; return once it is committed.

        Raises:
            StoreUnavailableError: SQLite failed (the disk is full, the file is gone); nothing was taken.
        """
        with self._turns:
            return self._transact([*work, *joining()])

    def try_settle(self, work: Sequence[Work]) -> list[Outcome] | None:
        """Settle as `settle` does if nobody else writes or waits to, and nothing is to be flushed; else None.

        Raises:
            StoreUnavailableError: as `settle`.
        """
        if self._flushes or not self._turns.try_take():
            return None
        try:
            return self._transact(work)
        finally:
            self._turns.give_back()

    def close(self) -> None:
        """Close the connection."""
        self._poster.close()
        self._checkpoints.close()
        self._connection.close()
        self._turns.close()

    def _transact(self, work: Sequence[Work]) -> list[Outcome]:
        connection, record = self._connection, None
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                followed = self._followed = follow(self._followed, self._rows)
                batch = load(followed, work, now=self._clock.now(), rows=self._rows)
                outcomes = batch.settle(work)
                used, moved = batch.used, batch.moved
                is_late = is_late_at(followed.seen + 1, self._rows)
                if used or moved:
                    record = record_of(followed.seen + 1, used, moved)
                    connection.execute(sql.APPEND, record)
                connection.execute("COMMIT")
            except BaseException:
                # What is in memory may be ahead of what was committed.
                self._followed = None
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.DatabaseError as error:
            raise_failure(error)
        if record is not None:
            followed.committed(record.number, used, moved)
            length = len(record.changes) + len(record.entries)
            self._checkpoints.note(1 + length // _CHARACTERS_OF_A_PAGE)
            if is_late:
                self._poster.start()
        return outcomes
