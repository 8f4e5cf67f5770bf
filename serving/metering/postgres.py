"""The store on PostgreSQL: two round trips a batch over one psycopg connection, renewed when it breaks.

The first statement locks the accounts, in the order of their ids so that batches never wait for each other in
a circle. Only a later statement may read: in READ COMMITTED, a statement begun after the locks were granted
sees what their earlier holders committed.
"""

from collections.abc import Sequence
from math import inf
from time import monotonic
from typing import Any

import psycopg

from serving.contract.errors import StoreUnavailableError
from serving.metering import postgres_statements as sql
from serving.metering.balances import Balance
from serving.metering.clock import DAY, MINUTE, Clock
from serving.metering.health import UNREACHABLE, raise_failure
from serving.metering.known_keys import KnownKeys
from serving.metering.postgres_arrays import array
from serving.metering.postgres_connection import connect
from serving.metering.rate_limits import Use
from serving.metering.records import Charge, Entry, Outcome, Work
from serving.metering.rows import add_charges, balance_of, use_of
from serving.metering.settlement import Batch

RETRY_SECONDS = 1.0
"""Seconds after a failed attempt to connect in which no other is made."""


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
        self._known = KnownKeys()
        self._connection = self._connect()

    def settle(self, work: Sequence[Work]) -> list[Outcome]:
        """Settle the work in order, in one transaction, and return once it is committed.

        Raises:
            StoreUnavailableError: the database cannot be reached or failed; it may have committed.
        """
        if self._connection.closed:
            self._connection = self._connect()
            # It may be another database now, such as one that was put back from a backup.
            self._known = KnownKeys()
        try:
            with self._connection.pipeline(), self._connection.transaction():
                batch = self._load(work)
                outcomes = batch.settle(work)
                self._save(batch)
        except psycopg.Error as error:
            if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
                self._connection.close()
            raise_failure(error)
        return outcomes

    def try_settle(self, work: Sequence[Work]) -> None:
        """Return None: a call to a server always waits, so nothing can be settled on the event loop."""

    def close(self) -> None:
        """Close the connection."""
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

    def _load(self, work: Sequence[Work]) -> Batch:
        now = self._clock.now() if self._clock else None
        hashes = {item.key_hash for item in work if isinstance(item, Charge)}
        missing = self._known.missing(hashes)
        if missing:
            self._known.learn(self._connection.execute(sql.NUMBERS, [array(missing)]).fetchall())
        keys = self._known.numbers(hashes)
        receipts = [item.receipt for item in work if not isinstance(item, Charge)]
        owners = [receipt.account_id for receipt in receipts]
        asked = {
            "now": now,
            "minute": MINUTE,
            "day": DAY,
            "keys": array([key.key_id for key in keys]),
            "accounts": array({*owners, *(key.account_id for key in keys)}),
            "owners": array(owners),
            "entries": array([receipt.entry_no for receipt in receipts]),
        }
        self._connection.execute(sql.LOCK, asked)
        found = self._connection.execute(sql.KEYS, asked)
        charges = self._connection.execute(sql.CHARGES, asked) if receipts else None
        balances: dict[int, Balance] = {}
        uses: dict[str, Use] = {}
        instant = 0
        for row in found.fetchall():
            uses[row[7]] = use_of(balance_of(row, balances), row[8:18])
            instant = row[18]
        batch = Batch(now=instant, uses=uses, balances=balances)
        if charges is not None:
            rows = charges.fetchall()
            batch.now = max([instant, *(row[19] for row in rows)])
            add_charges(batch, rows, balances)
        return batch

    def _save(self, batch: Batch) -> None:
        used, moved = batch.used, batch.moved
        if used or moved:
            columns = (
                *_columns(4, [(use.key_id, use.at, use.passed, use.new) for use in used]),
                *_columns(5, [(b.account_id, b.allotment, b.month, b.wallet, b.entry_no) for b in moved]),
                *_columns(len(Entry._fields), batch.entries),
            )
            self._connection.execute(sql.SAVE, columns)
        for use in used:
            if use.is_to_trim:
                self._connection.execute(sql.TRIM, (use.key_id, use.at - DAY))


def _columns(number: int, rows: Sequence[tuple[Any, ...]]) -> list[str]:
    """Return the columns of rows as arrays in PostgreSQL's text format."""
    return [array(column) for column in zip(*rows, strict=True)] if rows else [array(())] * number
