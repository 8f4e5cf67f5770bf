"""The tables of accounts, keys and ledger as they are up to now: posting for who works on them off the hot path."""

import sqlite3
from typing import cast

import sqlalchemy as sa

from serving.metering import sqlite_posting


def bring_up_to_date(connection: sa.Connection) -> None:
    """Post what waits, in a transaction that writes. Nothing is settled from here until it ends."""
    sqlite_posting.post_credits(_sqlite(connection))


def is_behind(connection: sa.Connection) -> bool:
    """Return whether credits wait to be posted."""
    return sqlite_posting.is_behind(_sqlite(connection))


def _sqlite(connection: sa.Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.driver_connection)
