"""The store on SQLite: plain SQL over one connection in WAL mode."""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import orjson

from serving.metering import sqlite_statements as sql
from serving.metering.balances import Balance
from serving.metering.batches import changes_of, entries_of, parse_changes
from serving.metering.checkpoints import Checkpoints
from serving.metering.clock import DAY, MINUTE, Clock, SystemClock
from serving.metering.database import BUSY_SECONDS
from serving.metering.followed import Followed
from serving.metering.health import raise_failure
from serving.metering.posting import RECORDS_AT_ONCE
from serving.metering.rate_limits import MOST_OLDEST, Use
from serving.metering.records import Charge, Entry, Outcome, Receipt, Refund, Work
from serving.metering.poster import Poster
from serving.metering.settlement import Batch
from serving.metering.sqlite_posting import SqliteTables, post_credits, post_marks
from serving.metering.turns import Turns

_ALL = -1
"""As SQLite has it: no limit."""


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
        self._poster = Poster(lambda: SqliteTables(path))

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
        self._poster.close()
        self._checkpoints.close()
        self._connection.close()
        self._turns.close()

    def _transact(self, work: Sequence[Work]) -> list[Outcome]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                followed = self._follow()
                batch = self._load(followed, work)
                outcomes = batch.settle(work)
                used, moved = batch.used, batch.moved
                if used or moved:
                    size = self._append(followed.seen + 1, used, moved)
                self._connection.execute("COMMIT")
                if used or moved:
                    followed.committed(followed.seen + 1, used, moved)
            except BaseException:
                # What is in memory may be ahead of what was committed.
                self._followed = None
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.DatabaseError as error:
            raise_failure(error)
        if used or moved:
            self._checkpoints.note(2 + size // 3_000 + self._poster.take_changed())
            if followed.seen % RECORDS_AT_ONCE == 0:
                self._poster.post()
        return outcomes

    def _follow(self) -> Followed:
        """Return the state of keys and accounts as it is in this transaction."""
        followed = self._followed
        if followed is not None:
            rows = self._connection.execute(sql.FOLLOW, (followed.seen,)).fetchall()
            if rows:
                if rows[0][0] != followed.seen + 1:
                    followed = None
            elif self._connection.execute(sql.NEWEST).fetchone()[0] != followed.seen:
                followed = None
            if followed is not None and followed.is_full:
                followed.drop(self._posted())
        if followed is None:
            followed = self._followed = Followed(self._posted())
            rows = self._connection.execute(sql.FOLLOW, (followed.seen,)).fetchall()
        if rows:
            records = [(number, parse_changes(changes)) for number, changes in rows]
            keys, accounts, noted = followed.unknown(records)
            if keys or accounts:
                self._take_up(followed, keys, accounts)
            if noted:
                ids = [_json(noted)]
                found = {row[0]: row for row in self._connection.execute(sql.ACCOUNTS, ids)}
                followed.apply(records, found, self._connection.execute(sql.KEYS_OF_ACCOUNTS, ids).fetchall())
            else:
                followed.apply(records, {}, ())
        return followed

    def _posted(self) -> int:
        """Return the number of the record up to which everything is in the tables."""
        return int(min(self._connection.execute(sql.POSTED).fetchone()))

    def _take_up(self, followed: Followed, keys: Collection[int], accounts: Collection[int]) -> None:
        rows = self._connection.execute(sql.KEYS, [_json(keys)]).fetchall() if keys else []
        owners = {row[1] for row in rows} | set(accounts)
        minutes, days = {}, {}
        for row in rows:
            key_id, last = row[0], row[5]
            minutes[key_id] = self._marks(key_id, last - MINUTE, _ALL)
            days[key_id] = self._marks(key_id, last - DAY, MOST_OLDEST)
        found = self._connection.execute(sql.ACCOUNTS, [_json(owners)]).fetchall()
        followed.add(found, rows, minutes, days)

    def _marks(self, key_id: int, after: int, most: int) -> list[tuple[int, int]]:
        return self._connection.execute(sql.MARKS, (key_id, after, most)).fetchall()

    def _load(self, followed: Followed, work: Sequence[Work]) -> Batch:
        now = self._clock.now()
        hashes = {item.key_hash for item in work if isinstance(item, Charge)}
        receipts = [item.receipt for item in work if isinstance(item, Refund)]
        missing = hashes - followed.by_hash.keys()
        if missing:
            found = self._connection.execute(sql.NUMBERS, [_json(missing)]).fetchall()
            self._take_up(followed, [row[0] for row in found], ())
        uses: dict[str, Use] = {}
        balances: dict[int, Balance] = {}
        for key_hash in hashes:
            use = followed.by_hash.get(key_hash)
            if use is not None:
                if not use.begin(now):
                    self._read_on(use)
                uses[key_hash] = use
                balances[use.balance.account_id] = use.balance
        batch = Batch(now=now, uses=uses, balances=balances)
        if receipts:
            self._add_charges(followed, batch, receipts)
        return batch

    def _read_on(self, use: Use) -> None:
        """Read the oldest marks of the day that has begun since those in memory were."""
        marks = self._marks(use.key_id, use.day_begins, MOST_OLDEST)
        if not marks:
            post_marks(self._connection)
            marks = self._marks(use.key_id, use.day_begins, MOST_OLDEST)
        use.take_oldest(marks)

    def _add_charges(self, followed: Followed, batch: Batch, receipts: Sequence[Receipt]) -> None:
        post_credits(self._connection)
        rows = self._connection.execute(sql.CHARGES, [_json([[*receipt] for receipt in receipts])]).fetchall()
        missing = {row[0] for row in rows} - followed.balances.keys()
        if missing:
            self._take_up(followed, (), missing)
        for row in rows:
            entry = Entry(*row[:11])
            receipt = Receipt(entry.account_id, entry.entry_no)
            batch.charges[receipt] = entry
            batch.balances[entry.account_id] = followed.balances[entry.account_id]
            if row[11]:
                batch.refunded.add(receipt)

    def _append(self, number: int, used: Sequence[Use], moved: Sequence[Balance]) -> int:
        """Append the record of a batch; return its length."""
        written = [entry for balance in moved for entry in balance.entries]
        changes, entries = changes_of(used, moved), entries_of(written)
        self._connection.execute(sql.APPEND, (number, len(used) + len(written), changes, entries))
        return len(changes) + len(entries)


def _json(items: Iterable[Any]) -> str:
    return orjson.dumps([*items]).decode()
