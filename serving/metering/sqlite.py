"""The store on SQLite: plain SQL over one connection in WAL mode."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import orjson

from serving.metering import sqlite_statements as sql
from serving.metering.balances import Balance
from serving.metering.checkpoints import Checkpoints
from serving.metering.clock import DAY, MINUTE, Clock, SystemClock
from serving.metering.database import BUSY_SECONDS
from serving.metering.health import raise_failure
from serving.metering.known_keys import KnownKeys
from serving.metering.rate_limits import Use
from serving.metering.records import Charge, Outcome, Work
from serving.metering.rows import add_charges, balance_of, use_of
from serving.metering.settlement import Batch
from serving.metering.turns import Turns


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
        self._known = KnownKeys()
        self._checkpoints = Checkpoints(path)
        try:
            self._turns = Turns(path)
        except OSError as error:
            raise_failure(error)
        try:
            self._connection = sqlite3.connect(
                f"file:{path}?mode=rw",
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute(f"PRAGMA synchronous={'FULL' if self._flushes else 'NORMAL'}")
            # It flushes to the disk, for which no call should wait.
            self._connection.execute("PRAGMA wal_autocheckpoint=0")
        except sqlite3.DatabaseError as error:
            self._turns.close()
            raise_failure(error)

    def settle(self, work: Sequence[Work]) -> list[Outcome]:
        """Settle the work in order, in one transaction, and return once it is committed.

        Raises:
            StoreUnavailableError: SQLite failed (the disk is full, the file is gone); nothing was taken.
        """
        with self._turns:
            return self._transact(work)

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
        self._checkpoints.close()
        self._connection.close()
        self._turns.close()

    def _transact(self, work: Sequence[Work]) -> list[Outcome]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                batch = self._load(work)
                outcomes = batch.settle(work)
                self._save(batch)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.DatabaseError as error:
            raise_failure(error)
        # A key's window and its account's end of the ledger lie each on a page of their own.
        self._checkpoints.note(2 + len(batch.used) + len(batch.moved))
        return outcomes

    def _load(self, work: Sequence[Work]) -> Batch:
        now = self._clock.now()
        balances: dict[int, Balance] = {}
        uses: dict[str, Use] = {}
        hashes = {item.key_hash for item in work if isinstance(item, Charge)}
        missing = self._known.missing(hashes)
        if missing:
            self._known.learn(self._connection.execute(sql.NUMBERS, [_json(missing)]).fetchall())
        keys = [key.key_id for key in self._known.numbers(hashes)]
        asked = {"keys": _json(keys), "now": now, "minute": MINUTE, "day": DAY}
        found = self._connection.execute(sql.KEYS, asked).fetchall()
        for row in found:
            uses[row[7]] = use_of(balance_of(row, balances), row[8:])
        batch = Batch(now=now, uses=uses, balances=balances)
        receipts = [tuple(item.receipt) for item in work if not isinstance(item, Charge)]
        if receipts:
            charges = self._connection.execute(sql.CHARGES, {"receipts": _json(receipts)}).fetchall()
            add_charges(batch, charges, balances)
        return batch

    def _save(self, batch: Batch) -> None:
        if batch.used:
            used = batch.used
            execute = self._connection.executemany
            execute(sql.COUNT, [(use.at, use.passed + use.new, use.key_id) for use in used])
            execute(sql.MARK, [(use.at, use.passed, use.key_id) for use in used])
            for use in batch.used:
                if use.is_to_trim:
                    self._connection.execute(sql.TRIM, (use.key_id, use.at - DAY))
        if batch.moved:
            moved = [(b.allotment, b.month, b.wallet, b.entry_no, b.account_id) for b in batch.moved]
            self._connection.executemany(sql.MOVE, moved)
            self._connection.executemany(sql.APPEND, batch.entries)


def _json(rows: Sequence[Any]) -> str:
    return orjson.dumps(rows).decode()
