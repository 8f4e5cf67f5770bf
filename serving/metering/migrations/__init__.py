"""Revisions of the store's schema, and the functions that bring a database up to one of them."""

import os
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from serving.contract.errors import LawError, StoreUnavailableError
from serving.metering.database import Database, sqlite_path

_ONE_AT_A_TIME = 0x6C72_6D65
"""Number of the PostgreSQL lock under which a database is migrated."""


class StoreRevisionError(LawError):
    """The store is at a revision that this software does not know or cannot migrate."""

    code = "store_revision"


def migrate(url: str) -> None:
    """Bring the database to the newest revision; several processes may call this at once.

    An SQLite file that does not exist is made, with its folder, readable by its owner alone.

    Raises:
        StoreRevisionError: the database was migrated by a newer version of this software.
        StoreUnavailableError: the database cannot be reached, or the file is not a database.
    """
    make_file(url)
    database = Database(url)
    try:
        with database.writing() as connection:
            upgrade(connection)
    except sa.exc.DatabaseError as error:
        raise StoreUnavailableError("The store of accounts cannot be migrated.") from error
    finally:
        database.close()


def upgrade(connection: sa.Connection, *, to: str | None = None) -> None:
    """Bring the database up to a revision, the newest by default, inside the caller's transaction.

    Raises:
        StoreRevisionError: the database is past that revision, or at an unknown one.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:n)"), {"n": _ONE_AT_A_TIME})
    known = revisions()
    target = to or known[-1]
    if target not in known:
        raise StoreRevisionError(
            f"Revision {target} is not known to this software, whose newest is {known[-1]}."
        )
    present = current(connection)
    if present is not None and present not in known:
        raise StoreRevisionError(
            f"The store of accounts is at revision {present}, which a newer version of this software made; "
            f"this one knows {known[-1]}. Use the newer version."
        )
    if present is not None and known.index(present) > known.index(target):
        raise StoreRevisionError(
            f"The store is at revision {present}, past {target}; only a new database can be brought to that."
        )
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, target)


def revisions() -> list[str]:
    """Return the revisions that this software knows, oldest first."""
    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()][::-1]


def current(connection: sa.Connection) -> str | None:
    """Return the revision of the database; None if it was never migrated."""
    return MigrationContext.configure(connection).get_current_revision()


def revision(url: str) -> str | None:
    """Return the revision of the database; None if it was never migrated.

    Raises:
        StoreUnavailableError: the database cannot be reached, or the file is not a database.
    """
    database = Database(url)
    try:
        with database.reading(behind=True) as connection:
            return current(connection)
    except sa.exc.DatabaseError as error:
        raise StoreUnavailableError("The store of accounts cannot be read.") from error
    finally:
        database.close()


def make_file(url: str) -> None:
    """Make the file of an SQLite store if there is none, so that only its owner can read it.

    Raises:
        StoreUnavailableError: it cannot be made.
    """
    path = sqlite_path(url)
    if path is None or path.exists():
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreUnavailableError("The file of the store of accounts cannot be made.") from error


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config
