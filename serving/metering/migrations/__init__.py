"""Revisions of the store's schema, and the one function that brings a database up to the newest."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from serving.metering.database import Database

_ONE_AT_A_TIME = 0x6C72_6D65
"""Number of the PostgreSQL lock under which a database is migrated."""


def migrate(url: str) -> None:
    """Bring the database to the newest revision; several processes may ask at once.

    Raises:
        StoreUnavailableError: the database cannot be reached.
    """
    database = Database(url)
    try:
        with database.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": _ONE_AT_A_TIME})
            config = Config()
            config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    finally:
        database.close()


def revision(url: str) -> str | None:
    """Revision that the database is at; None for one that was never migrated."""
    database = Database(url)
    try:
        with database.reading() as connection:
            return MigrationContext.configure(connection).get_current_revision()
    finally:
        database.close()
