"""The store on SQLite: plain SQL over one connection in WAL mode.

Every step of a statement lets go of the interpreter and has to win it back from the event loop, so the
number of steps, not of rows, is what a batch costs: `sqlite_statements` moves whole lists at once.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Literal

from serving.contract.errors import StoreUnavailableError
from serving.metering import sqlite_statements as sql
from serving.metering.balances import Balance
from serving.metering.clock import DAY, MINUTE, Clock, SystemClock
from serving.metering.database import BUSY_SECONDS
from serving.metering.records import Charge, Outcome, Work
from serving.metering.rows import add_charges, balance_of, use_of
from serving.metering.settlement import Batch, Use
from serving.metering.turns import Turns


class SqliteStore:
    """One thread's connection to the file.

    Args:
        path: the file; `migrate` made it.
        durability: `normal` survives the death of any process; `full` also flushes each transaction.
        clock: tells the time; the machine's by default.
    """

    def __init__(
        self, path: Path, *, durability: Literal["normal", "full"] = "normal", clock: Clock | None = None
    ) -> None:
        self._clock = clock or SystemClock()
        self._turns = Turns(path)
        try:
            self._connection = sqlite3.connect(
                f"file:{path}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None
            )
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute(f"PRAGMA synchronous={'FULL' if durability == 'full' else 'NORMAL'}")
        except sqlite3.OperationalError as error:
            self._turns.close()
            raise StoreUnavailableError("The store of accounts cannot be opened.") from error

    def settle(self, work: Sequence[Work]) -> list[Outcome]:
        """Settle the work in order, in one transaction, and return once it is committed.

        Raises:
            StoreUnavailableError: SQLite gave up (the disk is full, the file is gone); nothing was taken.
        """
        try:
            with self._turns:
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
        return outcomes

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
        self._turns.close()

    def _load(self, work: Sequence[Work]) -> Batch:
        now = self._clock.now()
        balances: dict[int, Balance] = {}
        uses: dict[str, Use] = {}
        hashes = sorted({item.key_hash for item in work if isinstance(item, Charge)})
        asked = {"hashes": json.dumps(hashes), "now": now, "minute": MINUTE, "day": DAY}
        for row in self._connection.execute(sql.KEYS, asked).fetchall():
            uses[row[7]] = use_of(balance_of(row, balances), row[8:])
        batch = Batch(now=now, uses=uses, balances=balances)
        receipts = [astuple(item.receipt) for item in work if not isinstance(item, Charge)]
        if receipts:
            charges = self._connection.execute(sql.CHARGES, {"receipts": json.dumps(receipts)}).fetchall()
            add_charges(batch, charges, balances)
        return batch

    def _save(self, batch: Batch) -> None:
        if batch.used:
            uses = json.dumps([(use.key_id, use.at, use.passed + use.new, use.passed) for use in batch.used])
            self._connection.execute(sql.COUNT, (uses,))
            self._connection.execute(sql.MARK, (uses,))
            for use in batch.used:
                if use.is_to_trim:
                    self._connection.execute(sql.TRIM, (use.key_id, use.at - DAY))
        if batch.moved:
            moved = [(b.account_id, b.allotment, b.month, b.wallet, b.entry_no) for b in batch.moved]
            self._connection.execute(sql.MOVE, (json.dumps(moved),))
            self._connection.execute(sql.APPEND, (json.dumps([astuple(entry) for entry in batch.entries]),))
