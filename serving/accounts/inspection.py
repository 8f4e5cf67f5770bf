"""Inspection of a database of accounts at whatever revision it is, without changing it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from serving.contract.errors import StoreUnavailableError
from serving.metering.database import Database, sqlite_path
from serving.metering.migrations import current, revisions

_OF_ALEMBIC = "alembic_version"


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """The state of a store: its revision and its tables.

    Attributes:
        location: its URL without the password.
        revision: revision of its schema; None if there is no store yet.
        newest: the revision that this software works with.
        rows: number of rows by table.
    """

    location: str
    revision: str | None
    newest: str
    rows: Mapping[str, int]

    @property
    def is_ready(self) -> bool:
        """True if this software can use the store as it is."""
        return self.revision == self.newest


def status(url: str) -> StoreStatus:
    """Return the state of a store without changing anything: a file that does not exist is not made.

    Raises:
        StoreUnavailableError: it cannot be reached, or the file is not a store.
    """
    location, newest = make_url(url).render_as_string(hide_password=True), revisions()[-1]
    path = sqlite_path(url)
    if path is not None and not path.exists():
        return StoreStatus(location, None, newest, {})
    database = Database(url)
    try:
        with database.reading(behind=True) as connection:
            revision = current(connection)
            held = {} if revision is None else {name: count(connection, name) for name in tables(connection)}
    except sa.exc.DatabaseError as error:
        raise StoreUnavailableError("The store of accounts cannot be read.") from error
    finally:
        database.close()
    return StoreStatus(location, revision, newest, held)


def tables(connection: sa.Connection) -> dict[str, Sequence[str]]:
    """Return the columns of each table that exists; a table comes after those that it refers to."""
    inspector = sa.inspect(connection)
    names = [name for name, _ in inspector.get_sorted_table_and_fkc_names() if name and name != _OF_ALEMBIC]
    return {name: [column["name"] for column in inspector.get_columns(name)] for name in names}


def count(connection: sa.Connection, name: str) -> int:
    """Return the number of rows in a table."""
    return int(connection.execute(sa.select(sa.func.count()).select_from(sa.table(name))).scalar_one())
