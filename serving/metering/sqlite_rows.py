"""The rows of SQLite's tables for who follows the records of batches."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import orjson

from serving.metering import sqlite_statements as sql
from serving.metering.followed import AccountRow, KeyRow
from serving.metering.rate_limits import Mark
from serving.metering.records import Entry, Receipt
from serving.metering.sqlite_posting import post_credits, post_marks

_ALL = -1
"""As SQLite has it: no limit."""


class SqliteRows:
    """The rows that one connection reads, by the protocol of `following`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def records(self, seen: int) -> Sequence[tuple[int, str]]:
        """Return the number and the changes of each record after `seen`, in order."""
        return self._connection.execute(sql.FOLLOW, (seen,)).fetchall()

    def newest(self) -> int:
        """Return the number of the newest record; 0 where there is none."""
        return int(self._connection.execute(sql.NEWEST).fetchone()[0])

    def posted(self) -> tuple[int, int]:
        """Return the numbers of the records up to which credits and marks are in the tables."""
        posted, marked = self._connection.execute(sql.POSTED).fetchone()
        return posted, marked

    def numbers(self, hashes: Collection[str]) -> Sequence[int]:
        """Return the numbers of the keys with those hashes."""
        return [row[0] for row in self._connection.execute(sql.NUMBERS, [_json(hashes)])]

    def accounts(self, ids: Collection[int]) -> Sequence[AccountRow]:
        """Return the rows of accounts."""
        return self._connection.execute(sql.ACCOUNTS, [_json(ids)]).fetchall()

    def keys(self, ids: Collection[int]) -> Sequence[KeyRow]:
        """Return the rows of keys."""
        return self._connection.execute(sql.KEYS, [_json(ids)]).fetchall()

    def keys_of(self, accounts: Collection[int]) -> Sequence[KeyRow]:
        """Return the rows of all keys of accounts."""
        return self._connection.execute(sql.KEYS_OF_ACCOUNTS, [_json(accounts)]).fetchall()

    def marks(self, after: Mapping[int, int], most: int | None) -> Mapping[int, Sequence[Mark]]:
        """Return the oldest marks of keys after an instant of each, at most so many of each."""
        limit = _ALL if most is None else most
        found: dict[int, Sequence[Mark]] = {}
        for key_id, instant in after.items():
            marks = self._connection.execute(sql.MARKS, (key_id, instant, limit)).fetchall()
            if marks:
                found[key_id] = marks
        return found

    def charges(self, receipts: Collection[Receipt]) -> Sequence[tuple[Entry, bool]]:
        """Return the charges that exist, each with whether it was refunded, once all credits are posted."""
        post_credits(self._connection)
        asked = _json([*receipt] for receipt in receipts)
        return [(Entry(*row[:11]), bool(row[11])) for row in self._connection.execute(sql.CHARGES, [asked])]

    def post_marks(self) -> None:
        """Post everything that waits, marks too."""
        post_marks(self._connection)


def _json(items: Iterable[Any]) -> str:
    return orjson.dumps([*items]).decode()
