"""Posting at once, as the process that posts does it now and then."""

from serving.metering.database import sqlite_path
from serving.metering.poster import Tables, post
from serving.metering.postgres_posting import PostgresTables
from serving.metering.sqlite_posting import SqliteTables


def tables_of(url: str) -> Tables:
    """A connection that posts."""
    path = sqlite_path(url)
    return PostgresTables(url) if path is None else SqliteTables(path)


def post_all(url: str, *, marks: bool = True) -> None:
    """Post all that waits, marks too or not."""
    tables = tables_of(url)
    assert tables.try_alone()
    post(tables, records=1, of_marks=1 if marks else 10**9)
    tables.close()
