"""What a database holds as it is found, at whatever revision it is."""

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
    """How a store stands.

    Attributes:
        location: its URL without the password.
        revision: of its schema; None where there is no store yet.
        newest: the revision that this software works with.
        rows: by table.
    """

    location: str
    revision: str | None
    newest: str
    rows: Mapping[str, int]

    @property
    def is_ready(self) -> bool:
        """Whether this software can work with it as it is."""
        return self.revision == self.newest


def status(url: str) -> StoreStatus:
    """Say how a store stands, and change nothing: a file that is not there is not made.

    Raises:
        StoreUnavailableError: it cannot be reached, or the file is none.
    """
    location, newest = make_url(url).render_as_string(hide_password=True), revisions()[-1]
    path = sqlite_path(url)
    if path is not None and not path.exists():
        return StoreStatus(location, None, newest, {})
    database = Database(url)
    try:
        with database.reading() as connection:
            revision = current(connection)
            held = {} if revision is None else {name: count(connection, name) for name in tables(connection)}
    except sa.exc.DatabaseError as error:
        raise StoreUnavailableError("The store of accounts cannot be read.") from error
    finally:
        database.close()
    return StoreStatus(location, revision, newest, held)


def tables(connection: sa.Connection) -> dict[str, Sequence[str]]:
    """Columns of the tables that are there, a table after those that it refers to."""
    inspector = sa.inspect(connection)
    names = [name for name, _ in inspector.get_sorted_table_and_fkc_names() if name and name != _OF_ALEMBIC]
    return {name: [column["name"] for column in inspector.get_columns(name)] for name in names}


def count(connection: sa.Connection, name: str) -> int:
    """Rows of a table."""
    return int(connection.execute(sa.select(sa.func.count()).select_from(sa.table(name))).scalar_one())
