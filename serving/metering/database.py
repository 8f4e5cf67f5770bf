"""The database for operations off the hot path: SQLAlchemy over either engine, durable.

A database is named by URL: `sqlite:///path/to/file` or `postgresql://...`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from serving.contract.errors import StoreUnavailableError
from serving.metering.clock import Clock, SystemClock
from serving.metering.health import CORRUPT, StoreHealth, raise_failure
from serving.metering.postgres_connection import connect
from serving.metering.tables import bring_up_to_date, is_behind
from serving.metering.turns import BUSY_SECONDS, Turns

MOST_CONNECTIONS = 16
"""Connections to PostgreSQL at the same time: one for each thread of a server that needs one."""
PATIENCE_SECONDS = 30
"""Seconds that a thread waits for a free connection, unless `patience` says otherwise."""

_REVISION = sa.text("SELECT version_num FROM alembic_version")
_REWRITE_REVISION = sa.text("UPDATE alembic_version SET version_num = version_num")
_POSTGRES_NOW = sa.text("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")


def sqlite_path(url: str) -> Path | None:
    """Return the path of the file that an SQLite URL names; None for another engine's URL."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    if not parsed.database or parsed.database == ":memory:":
        raise ValueError("an SQLite store is a file: sqlite:///path/to/file")
    return Path(parsed.database)


class Database:
    """Opens transactions. Those on SQLite take their turn and are flushed to the disk when they commit.

    Args:
        url: URL of the database.
        clock: source of time; without one SQLite takes the machine's clock and PostgreSQL its own.
        patience: seconds that PostgreSQL has for a statement, or a connection; None for no limit.
        health: receives the success or failure of each write.
    """

    def __init__(
        self,
        url: str,
        *,
        clock: Clock | None = None,
        patience: float | None = None,
        health: StoreHealth | None = None,
    ) -> None:
        self._clock = clock
        self._health = health or StoreHealth()
        self._path = sqlite_path(url)
        if self._path is None:
            self._engine = sa.create_engine(
                "postgresql+psycopg://",
                creator=lambda: connect(url, patience=patience, autocommit=False),
                pool_size=2,
                max_overflow=MOST_CONNECTIONS - 2,
                pool_timeout=PATIENCE_SECONDS if patience is None else patience,
                pool_pre_ping=True,
            )
        else:
            self._clock = clock or SystemClock()
            self._engine = sa.create_engine(
                f"sqlite:///{self._path}", connect_args={"timeout": BUSY_SECONDS}, poolclass=sa.NullPool
            )
            sa.event.listen(self._engine, "connect", _on_connect)
            sa.event.listen(self._engine, "begin", _on_begin)

    @contextmanager
    def writing(self, *, flushed: bool = True) -> Iterator[sa.Connection]:
        """Yield a transaction that may write; it commits at the end and rolls back on an error.

        Args:
            flushed: whether SQLite waits for the disk; a power cut may take back what it did not wait for,
                and the caller sees to it that SQLite's log is copied.

        Raises:
            StoreUnavailableError: the database cannot be reached or failed.
        """
        with (
            self._failures(),
            self._turn(),
            self._engine.connect() as connection,
            connection.execution_options(unflushed=not flushed).begin(),
        ):
            yield connection
        self._health.worked()

    @contextmanager
    def reading(self, *, behind: bool = False) -> Iterator[sa.Connection]:
        """Yield a transaction that only reads, and sees one state throughout, with all that was settled.

        Args:
            behind: credits, counts and entries may be those before the batches that wait to be posted: for
                who reads none of them, and for a store of any revision.

        Raises:
            StoreUnavailableError: the database cannot be reached or failed.
        """
        isolated = self._path is None
        level = {"isolation_level": "REPEATABLE READ"} if isolated else {"reads_only": True}
        with self._failures(), self._engine.connect() as connection:
            connection.execution_options(**level)
            if not behind:
                with connection.begin():
                    waits = is_behind(connection)
                if waits:
                    self._post()
            with connection.begin():
                yield connection

    def _post(self) -> None:
        with self.writing(flushed=False) as connection:
            bring_up_to_date(connection)

    def try_writing(self) -> None:
        """Write, as far as to the disk, without changing any data.

        Raises:
            StoreUnavailableError: the database cannot be written.
        """
        with self.writing() as connection:
            if self._path is None:
                connection.execute(_REWRITE_REVISION)
                return
            # SQLite leaves out to write what is there already, but for this number, which nothing else uses.
            connection.execute(_REVISION)
            connection.exec_driver_sql("PRAGMA user_version = 0")

    def look_through(self) -> None:
        """Read all of an SQLite file that was found damaged, to see whether it still is.

        Raises:
            StoreUnavailableError: it is still damaged.
        """
        if self._path is None:
            return
        with self.reading() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
            if found != "ok":
                raise StoreUnavailableError("The store of accounts is damaged.", cause=CORRUPT)

    def now(self, connection: sa.Connection) -> int:
        """Return the present instant in microseconds since 1970 UTC, by the clock of this database."""
        if self._clock is not None:
            return self._clock.now()
        return int(connection.execute(_POSTGRES_NOW).scalar_one())

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self._path is None:
            yield
            return
        try:
            turns = Turns(self._path)
        except OSError as error:
            raise_failure(error)
        try:
            with turns:
                yield
        finally:
            turns.close()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise errors of the database and of connecting to it as failures of the store, and record them."""
        try:
            try:
                yield
            except (sa.exc.DBAPIError, sa.exc.TimeoutError, sqlite3.DatabaseError) as error:
                raise_failure(error)
        except StoreUnavailableError as failure:
            self._health.failed(failure)
            raise


def _on_connect(connection: sa.engine.interfaces.DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _on_begin(connection: sa.Connection) -> None:
    options = connection.get_execution_options()
    if options.get("unflushed", False):
        # Each transaction has a connection of its own, which is closed with it.
        connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
        connection.exec_driver_sql("PRAGMA wal_autocheckpoint=0")
    connection.exec_driver_sql("BEGIN" if options.get("reads_only", False) else "BEGIN IMMEDIATE")
