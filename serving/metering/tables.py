"""The tables as they are up to now: posting for who works on them off the hot path."""

import sqlite3
from typing import Any, cast

import psycopg
import sqlalchemy as sa

from serving.metering import postgres_posting, sqlite_posting


def bring_up_to_date(connection: sa.Connection) -> None:
    """Post the credits that wait, in a transaction that writes; until it ends nobody else settles."""
    if connection.dialect.name == "sqlite":
        sqlite_posting.post_credits(_sqlite(connection))
    else:
        postgres_posting.lock(_postgres(connection))
        postgres_posting.post_credits(_postgres(connection))


def is_behind(connection: sa.Connection) -> bool:
    """Return whether credits wait to be posted."""
    if connection.dialect.name == "sqlite":
        return sqlite_posting.is_behind(_sqlite(connection))
    return postgres_posting.is_behind(_postgres(connection))


def _sqlite(connection: sa.Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.driver_connection)


def _postgres(connection: sa.Connection) -> psycopg.Connection[Any]:
    return cast("psycopg.Connection[Any]", connection.connection.driver_connection)
