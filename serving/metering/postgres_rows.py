"""The rows of PostgreSQL's tables for who follows the records of batches."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import psycopg

from serving.metering import postgres_statements as sql
from serving.metering.followed import AccountRow, KeyRow
from serving.metering.postgres_arrays import array
from serving.metering.postgres_posting import post_credits, post_marks, posted
from serving.metering.rate_limits import Mark
from serving.metering.records import Entry, Receipt


class PostgresRows:
    """The rows that one connection reads, by the protocol of `following`.

    Args:
        connection: in a transaction that holds the lock of the records.
        now: the present instant; None: that of the server.

    Attributes:
        instant: the instant at which the records were read last.
    """

    def __init__(self, connection: psycopg.Connection[Any], now: int | None) -> None:
        self._connection = connection
        self._now = now
        self._newest = 0
        self.instant = 0

    def records(self, seen: int) -> Sequence[tuple[int, str]]:
        """Return the number and the changes of each record after `seen`, in order."""
        rows = self._connection.execute(sql.FOLLOW, {"now": self._now, "seen": seen}).fetchall()
        self.instant, self._newest = rows[0][:2]
        return [(number, changes) for _, _, number, changes in rows if number is not None]

    def newest(self) -> int:
        """Return the number of the newest record when the records were read; 0 where there is none."""
        return self._newest

    def posted(self) -> tuple[int, int]:
        """Return the numbers of the records up to which credits and marks are in the tables."""
        return posted(self._connection)

    def numbers(self, hashes: Collection[str]) -> Sequence[int]:
        """Return the numbers of the keys with those hashes."""
        return [row[0] for row in self._found(sql.NUMBERS, hashes)]

    def accounts(self, ids: Collection[int]) -> Sequence[AccountRow]:
        """Return the rows of accounts."""
        return self._found(sql.ACCOUNTS, ids)

    def keys(self, ids: Collection[int]) -> Sequence[KeyRow]:
        """Return the rows of keys."""
        return self._found(sql.KEYS, ids)

    def keys_of(self, accounts: Collection[int]) -> Sequence[KeyRow]:
        """Return the rows of all keys of accounts."""
        return self._found(sql.KEYS_OF_ACCOUNTS, accounts)

    def marks(self, after: Mapping[int, int], most: int | None) -> Mapping[int, Sequence[Mark]]:
        """Return the oldest marks of keys after an instant of each, at most so many of each."""
        found: dict[int, list[Mark]] = {}
        asked = (array(after.keys()), array(after.values()), most)
        for key_id, at, ordinal in self._connection.execute(sql.MARKS, asked):
            found.setdefault(key_id, []).append((at, ordinal))
        return found

    def charges(self, receipts: Collection[Receipt]) -> Sequence[tuple[Entry, bool]]:
        """Return the charges that exist, each with whether it was refunded, once all credits are posted."""
        post_credits(self._connection)
        asked = (
            array(receipt.account_id for receipt in receipts),
            array(receipt.entry_no for receipt in receipts),
        )
        return [(Entry(*row[:11]), row[11]) for row in self._connection.execute(sql.CHARGES, asked)]

    def post_marks(self) -> None:
        """Post everything that waits, marks too."""
        post_marks(self._connection)

    def _found(self, statement: str, items: Collection[int] | Collection[str]) -> list[Any]:
        return self._connection.execute(statement, [array(items)]).fetchall()
