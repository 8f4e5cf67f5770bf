"""The store on SQLite: plain SQL over one connection in WAL mode.

Every step of a statement lets go of the interpreter and has to win it back from the event loop, so the
number of steps, not of rows, is what a batch costs: `sqlite_statements` moves whole lists at once.
"""

import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, Literal

import orjson

from serving.contract.errors import StoreUnavailableError
from serving.metering import sqlite_statements as sql
from serving.metering.balances import Balance
from serving.metering.clock import DAY, MINUTE, Clock, SystemClock
from serving.metering.database import BUSY_SECONDS
from serving.metering.records import Charge, Outcome, Work
from serving.metering.rows import add_charges, balance_of, entry_row, use_of
from serving.metering.settlement import Batch, Use
from serving.metering.turns import Turns

_log = logging.getLogger(__name__)

CHECKPOINT_PAGES = 1_000
"""Changed pages, about, after which the log is copied into the file: what SQLite takes by itself."""


class SqliteStore:
    """One connection to the file, which two threads may use in turn.

    Args:
        path: the file; `migrate` made it.
        durability: `normal` survives the death of any process; `full` also flushes each transaction.
        clock: tells the time; the machine's by default.
    """

    def __init__(
        self, path: Path, *, durability: Literal["normal", "full"] = "normal", clock: Clock | None = None
    ) -> None:
        self._clock = clock or SystemClock()
        self._flushes = durability == "full"
        self._changed = 0
        self._turns = Turns(path)
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
            # It flushes to the disk: `settle` does it, never `try_settle`.
            self._connection.execute("PRAGMA wal_autocheckpoint=0")
        except sqlite3.OperationalError as error:
            self._turns.close()
            raise StoreUnavailableError("The store of accounts cannot be opened.") from error

    def settle(self, work: Sequence[Work]) -> list[Outcome]:
        """Settle the work in order, in one transaction, and return once it is committed.

        Raises:
            StoreUnavailableError: SQLite gave up (the disk is full, the file is gone); nothing was taken.
        """
        with self._turns:
            outcomes = self._transact(work)
            if self._changed >= CHECKPOINT_PAGES:
                self._checkpoint()
        return outcomes

    def try_settle(self, work: Sequence[Work]) -> list[Outcome] | None:
        """Settle as `settle` does if nobody else writes, waits to write, and nothing has to be flushed.

        Raises:
            StoreUnavailableError: as `settle`.
        """
        if self._flushes or self._changed >= CHECKPOINT_PAGES or not self._turns.try_take():
            return None
        try:
            return self._transact(work)
        finally:
            self._turns.give_back()

    def close(self) -> None:
        """Close the connection."""
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
        except sqlite3.OperationalError as error:
            raise StoreUnavailableError("The store of accounts gave up; try again.") from error
        # A key's window and its account's end of the ledger lie each on a page of their own.
        self._changed += 2 + len(batch.used) + len(batch.moved)
        return outcomes

    def _checkpoint(self) -> None:
        """Copy the log into the file. It is what keeps the log short, not what keeps the work."""
        try:
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.OperationalError as error:
            _log.warning("checkpoint_failed", exc_info=error)
        self._changed = 0

    def _load(self, work: Sequence[Work]) -> Batch:
        now = self._clock.now()
        balances: dict[int, Balance] = {}
        uses: dict[str, Use] = {}
        hashes = sorted({item.key_hash for item in work if isinstance(item, Charge)})
        asked = {"hashes": _json(hashes), "now": now, "minute": MINUTE, "day": DAY}
        found = self._connection.execute(sql.KEYS, asked).fetchall()
        for row in found:
            uses[row[7]] = use_of(balance_of(row, balances), row[8:])
        batch = Batch(now=now, uses=uses, balances=balances)
        receipts = [astuple(item.receipt) for item in work if not isinstance(item, Charge)]
        if receipts:
            charges = self._connection.execute(sql.CHARGES, {"receipts": _json(receipts)}).fetchall()
            add_charges(batch, charges, balances)
        return batch

    def _save(self, batch: Batch) -> None:
        if batch.used:
            uses = _json([(use.key_id, use.at, use.passed + use.new, use.passed) for use in batch.used])
            self._connection.execute(sql.COUNT, (uses,))
            self._connection.execute(sql.MARK, (uses,))
            for use in batch.used:
                if use.is_to_trim:
                    self._connection.execute(sql.TRIM, (use.key_id, use.at - DAY))
        if batch.moved:
            moved = [(b.account_id, b.allotment, b.month, b.wallet, b.entry_no) for b in batch.moved]
            self._connection.execute(sql.MOVE, (_json(moved),))
            self._connection.execute(sql.APPEND, (_json([entry_row(entry) for entry in batch.entries]),))


def _json(rows: Sequence[Any]) -> str:
    return orjson.dumps(rows).decode()
