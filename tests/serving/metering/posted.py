"""Posting at once, as the process that posts does it now and then."""

import time
from contextlib import closing

from serving.metering.database import sqlite_path
from serving.metering.poster import Tables, post
from serving.metering.postgres_posting import PostgresTables
from serving.metering.sqlite_posting import SqliteTables


def tables_of(url: str) -> Tables:
    """A connection that posts."""
    path = sqlite_path(url)
    return PostgresTables(url) if path is None else SqliteTables(path)


def wait_until_alone(tables: Tables, *, seconds: float = 30) -> None:
    """Keep others from posting, once nobody does: PostgreSQL frees a closed connection's lock a moment late."""
    end = time.monotonic() + seconds
    while not tables.try_alone():
        assert time.monotonic() < end, f"somebody else posted for {seconds:g} s"
        time.sleep(0.01)


def post_all(url: str, *, marks: bool = True) -> None:
    """Post all that waits, marks too or not."""
    with closing(tables_of(url)) as tables:
        wait_until_alone(tables)
        post(tables, records=1, of_marks=1 if marks else 10**9)
