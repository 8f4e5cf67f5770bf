"""Transfer of a whole store of accounts into a file and back: for backups, and to change the engine."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import sqlalchemy as sa

from serving.accounts import backup_file
from serving.accounts.backup_file import BackupError, BackupReader, Header, Row, TableShape, Value
from serving.accounts.inspection import count, tables
from serving.contract.errors import StoreUnavailableError
from serving.metering.database import Database, sqlite_path
from serving.metering.ledger import imbalances
from serving.metering.migrations import current, make_file, revisions, upgrade

ROWS_AT_ONCE = 1_000


def backup(database_url: str, file: Path, *, force: bool = False) -> Header:
    """Write the whole store to a file as it was at one instant, while servers go on using it.

    Args:
        database_url: URL of the store, which may be at any revision.
        file: the backup; hashes of keys and passwords and addresses of customers are in it.
        force: replace a file of that name.

    Raises:
        BackupError: there is no store, or the file cannot be written.
        StoreUnavailableError: the store cannot be reached or failed.
    """
    path = sqlite_path(database_url)
    if path is not None and not path.exists():
        raise BackupError(f"There is no store of accounts at {path}.")
    database = Database(database_url)
    try:
        with database.reading() as connection:
            header = _describe(connection, created_at=database.now(connection))
            backup_file.write(file, header, _rows(connection, header), force=force)
    except sa.exc.DatabaseError as error:
        raise StoreUnavailableError("The store of accounts cannot be read.") from error
    finally:
        database.close()
    return header


def restore(file: Path, database_url: str) -> Header:
    """Fill an empty store, on either engine, with the contents of a backup: all or nothing.

    The whole file is checked before the store is touched. A database that was never migrated takes a backup
    of any revision known here, and is brought to the newest.

    Raises:
        BackupError: the backup is not sound, or the store is not empty.
        StoreRevisionError: the backup's revision is unknown, or the store is past it.
        StoreUnavailableError: the store cannot be reached or failed.
    """
    with backup_file.reading(file) as checked:
        for _ in checked.rows():
            pass
        if checked.header.revision not in revisions():
            raise BackupError(
                f"{file.name} is of revision {checked.header.revision}; this version of the software knows "
                f"{revisions()[-1]} and older ones. Use the version that made it, or a newer one."
            )
    make_file(database_url)
    database = Database(database_url)
    try:
        with database.writing() as connection, backup_file.reading(file) as source:
            _require_empty(connection, to_be=source.header.revision)
            _fill(connection, source)
            upgrade(connection)
            _require_balance(connection, source.header)
    except sa.exc.DatabaseError as error:
        raise BackupError(f"{file.name} does not fit the store: {error.orig}") from error
    finally:
        database.close()
    return source.header


def _describe(connection: sa.Connection, *, created_at: int) -> Header:
    found = current(connection)
    if found is None:
        raise BackupError("This database holds no store of accounts.")
    shapes = [
        TableShape(name, tuple(columns), count(connection, name))
        for name, columns in tables(connection).items()
    ]
    imbalanced = tuple(found.account_id for found in imbalances(connection))
    return Header(revision=found, created_at=created_at, tables=tuple(shapes), imbalanced=imbalanced)


def _rows(connection: sa.Connection, header: Header) -> Iterator[Row]:
    inspector = sa.inspect(connection)
    for shape in header.tables:
        key = inspector.get_pk_constraint(shape.name)["constrained_columns"]
        table = _table(shape)
        query = sa.select(table).order_by(*(table.c[name] for name in key))
        found = connection.execute(query, execution_options={"yield_per": ROWS_AT_ONCE})
        for row in found:
            yield shape.name, tuple(row)


def _require_empty(connection: sa.Connection, *, to_be: str) -> None:
    if current(connection) is None and tables(connection):
        raise BackupError("This database holds tables of something else; restore into an empty one.")
    upgrade(connection, to=to_be)
    if connection.dialect.name == "postgresql":
        # A server that uses the empty store already waits until it is filled.
        connection.execute(sa.text("LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE"))
    for name in tables(connection):
        if count(connection, name):
            raise BackupError(
                f"The store is not empty: table {name} has rows. Restore into an empty one; "
                "nothing was changed."
            )


def _fill(connection: sa.Connection, source: BackupReader) -> None:
    present = {name: set(columns) for name, columns in tables(connection).items()}
    if present != {shape.name: set(shape.columns) for shape in source.header.tables}:
        raise BackupError(f"The header names other tables than revision {source.header.revision} has.")
    shapes = {shape.name: shape for shape in source.header.tables}
    for name, rows in groupby(source.rows(), key=lambda row: row[0]):
        for batch in _batches(rows):
            connection.execute(
                sa.insert(_table(shapes[name])),
                [dict(zip(shapes[name].columns, values, strict=True)) for values in batch],
            )
    if connection.dialect.name == "postgresql":
        for shape in source.header.tables:
            _set_sequence(connection, shape)


def _batches(rows: Iterator[Row]) -> Iterator[list[Sequence[Value]]]:
    batch: list[Sequence[Value]] = []
    for _, values in rows:
        batch.append(values)
        if len(batch) == ROWS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _set_sequence(connection: sa.Connection, shape: TableShape) -> None:
    """Set the counter of a table, so that the next row gets a new number."""
    table = _table(shape)
    for column in shape.columns:
        named = {"table": shape.name, "column": column}
        sequence = connection.execute(
            sa.text("SELECT pg_get_serial_sequence(:table, :column)"), named
        ).scalar_one()
        if sequence is not None and shape.rows:
            newest = connection.execute(sa.select(sa.func.max(table.c[column]))).scalar_one()
            connection.execute(sa.text("SELECT setval(:name, :value)"), {"name": sequence, "value": newest})


def _require_balance(connection: sa.Connection, header: Header) -> None:
    known = set(header.imbalanced)
    wrong = [str(found.account_id) for found in imbalances(connection) if found.account_id not in known]
    if wrong:
        raise BackupError(f"The balances of accounts {', '.join(wrong[:10])} are not those of their entries.")


def _table(shape: TableShape) -> sa.TableClause:
    return sa.table(shape.name, *(sa.column(name) for name in shape.columns))
