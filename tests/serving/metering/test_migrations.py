"""The schema of a migrated database is the schema that the code describes."""

import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from serving.contract.errors import StoreUnavailableError
from serving.metering import migrations
from serving.metering.database import Database
from serving.metering.migrations import migrate, revision
from serving.metering.schema import metadata
from serving.metering.store import store_opener

NEWEST = max(path.name[1:5] for path in Path(migrations.__file__).parent.glob("versions/r*.py"))


def test_a_migrated_database_is_as_described(meter):
    with meter.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_tables_are_strict_on_sqlite(tmp_path):
    url = f"sqlite:///{tmp_path / 'law.db'}"
    migrate(url)
    database = Database(url)
    with database.reading() as connection:
        tables = connection.execute(
            sa.text("SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main'")
        )
        found = {row.name: (row.strict, row.wr) for row in tables}
    database.close()
    assert {name for name in metadata.tables if found[name][0] != 1} == set()
    assert {name for name in metadata.tables if found[name][1]} == {"ledger", "windows", "order_stages"}


def test_migrating_again_keeps_everything(meter):
    account, _ = meter.key(wallet=3)
    migrate(meter.url)
    assert meter.accounts.get(account).wallet == 3
    assert revision(meter.url) == NEWEST


def test_processes_may_migrate_at_once(tmp_path):
    url = f"sqlite:///{tmp_path / 'law.db'}"
    threads = [threading.Thread(target=migrate, args=(url,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert revision(url) == NEWEST


def test_a_store_that_is_not_there_is_unavailable(tmp_path: Path):
    with pytest.raises(StoreUnavailableError):
        store_opener(f"sqlite:///{tmp_path / 'none.db'}")()
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(StoreUnavailableError):
        store_opener("postgresql://nobody@127.0.0.1:1/none")()


def test_a_store_in_memory_is_refused():
    with pytest.raises(ValueError, match="file"):
        Database("sqlite://")
