"""The state of the store: causes told apart, one record for many failures, writing tried and refused."""

import asyncio
import logging
import shutil
import sqlite3

import psycopg
import pytest

from serving.accounts.accounts import Accounts
from serving.accounts.billing import Billing
from serving.accounts.credits import Credits
from serving.contract.errors import StoreUnavailableError
from serving.metering.database import Database
from serving.metering.health import CAUSES, LOG_SECONDS, StoreHealth, raise_failure
from serving.metering.migrations import migrate
from serving.metering.records import Charge, Settled
from serving.metering.sqlite import SqliteStore
from serving.metering.store import Store, store_opener
from tests.serving.stores import new_databases

CHARGE = Charge("0" * 64, 1, "node", "r1")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def sqlite(sqlite_template, tmp_path):
    path = tmp_path / "law.db"
    shutil.copy(sqlite_template, path)
    return path


def fill(connection: sqlite3.Connection) -> None:
    """Let a file grow no more: SQLite refuses as it does on a full disk."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}")


def spoil(path) -> None:
    """Overwrite every page but the first with what is none."""
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)


def settle_all(store: Store, charges: list[Charge]) -> None:
    for charge in charges:
        store.settle([charge])


def failures(caplog) -> list[str]:
    return [record.cause for record in caplog.records if record.getMessage() == "store_failed"]


def test_causes_are_told_apart(sqlite):
    with sqlite3.connect(sqlite) as connection:
        connection.execute("CREATE TABLE filler (content BLOB)")
        fill(connection)
        with pytest.raises(sqlite3.OperationalError) as full:
            connection.execute("INSERT INTO filler VALUES (zeroblob(1000000))")
        connection.execute("PRAGMA query_only=1")
        with pytest.raises(sqlite3.OperationalError) as read_only:
            connection.execute("DELETE FROM filler")
    connection.close()
    with pytest.raises(sqlite3.OperationalError) as absent:
        sqlite3.connect(sqlite / "nowhere")
    for error, cause in (
        (full.value, "disk_full"),
        (read_only.value, "read_only"),
        (absent.value, "unreachable"),
        (OSError(28, "No space left on device"), "disk_full"),
        (OSError(30, "Read-only file system"), "read_only"),
        (OSError(5, "Input/output error"), "io_error"),
        (psycopg.errors.DiskFull(), "disk_full"),
        (psycopg.errors.ReadOnlySqlTransaction(), "read_only"),
        (psycopg.errors.AdminShutdown(), "unreachable"),
        (psycopg.errors.DataCorrupted(), "corrupt"),
        (psycopg.OperationalError("connection refused"), "unreachable"),
    ):
        with pytest.raises(StoreUnavailableError) as failed:
            raise_failure(error)
        assert failed.value.cause == cause, error


@pytest.mark.parametrize(
    "error", [sqlite3.IntegrityError("UNIQUE"), psycopg.errors.UniqueViolation(), ValueError("ours")]
)
def test_faults_of_the_program_are_no_failures_of_the_store(error):
    with pytest.raises(type(error)) as raised:
        raise_failure(error)
    assert raised.value is error


def test_many_failures_are_one_record_and_a_count(caplog):
    clock = Clock()
    health = StoreHealth(clock=clock)
    error = StoreUnavailableError("It gave up.", cause="disk_full")
    with caplog.at_level(logging.INFO):
        for _ in range(1000):
            health.failed(error)
        assert failures(caplog) == ["disk_full"]
        assert health.take_failures() == {"disk_full": 1000}
        assert health.take_failures() == {}
        health.worked()
        health.failed(error)
        assert failures(caplog) == ["disk_full"], "what comes and goes is not logged each time either"
        clock.now = LOG_SECONDS
        health.failed(error)
    assert [record.failures for record in caplog.records if record.getMessage() == "store_failed"] == [
        1,
        1001,
    ]


@pytest.mark.parametrize("cause", sorted(CAUSES))
def test_refusal_names_the_cause(cause):
    health = StoreHealth()
    health.require()
    health.failed(StoreUnavailableError("secret host name", cause=cause))
    with pytest.raises(StoreUnavailableError, match=cause) as refused:
        health.require()
    assert "secret" not in refused.value.message


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_trying_writes_and_changes_nothing(request, engine, tmp_path):
    with new_databases(request, engine, tmp_path) as make:
        url = make()
        health = StoreHealth()
        database = Database(url, health=health)
        before = health.idle_seconds
        database.try_writing()
        assert before == float("inf")
        assert health.idle_seconds < 60
        assert health.cause is None
        database.close()
        migrate(url)


def test_trying_reaches_the_disk(sqlite):
    """A write that SQLite leaves out would find no full disk."""
    kept = sqlite3.connect(sqlite)  # else the log is copied and removed with the last connection
    kept.execute("PRAGMA journal_mode=WAL")
    kept.execute("SELECT * FROM alembic_version").fetchall()
    log = sqlite.with_name("law.db-wal")
    database = Database(f"sqlite:///{sqlite}")
    sizes = []
    for _ in range(3):
        database.try_writing()
        sizes.append(log.stat().st_size)
    database.close()
    kept.close()
    assert sizes[0] < sizes[1] < sizes[2]


def test_a_file_that_was_removed_is_noticed(sqlite):
    health = StoreHealth()
    database = Database(f"sqlite:///{sqlite}", health=health)
    database.try_writing()
    for path in sqlite.parent.glob("law.db*"):
        path.unlink()
    with pytest.raises(StoreUnavailableError):
        database.try_writing()
    assert health.cause is not None
    database.close()


def test_a_damaged_file_is_a_failure_until_all_of_it_is_whole(sqlite, caplog):
    sound = sqlite.read_bytes()

    async def scenario() -> list[str | None]:
        billing = Billing(f"sqlite:///{sqlite}")
        await billing.start()
        with sqlite3.connect(sqlite) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        spoil(sqlite)
        with pytest.raises(StoreUnavailableError) as refused:
            await billing._commit.settle(CHARGE)
        causes: list[str | None] = [refused.value.cause]
        await billing.try_writing()
        causes.append(billing.health.cause)
        with pytest.raises(StoreUnavailableError, match="corrupt"):
            await billing.check()
        await billing.close()
        sqlite.write_bytes(sound)
        for path in sqlite.parent.glob("law.db-[ws]*"):
            path.unlink()
        await billing.try_writing()
        causes.append(billing.health.cause)
        return causes

    with caplog.at_level(logging.INFO):
        assert asyncio.run(scenario()) == ["corrupt", "corrupt", None]
    assert failures(caplog) == ["corrupt"]


def test_a_full_file_refuses_charges_by_name(sqlite):
    url = f"sqlite:///{sqlite}"
    database = Database(url)
    accounts = Accounts(database)
    account = accounts.create()
    Credits(database).purchase(account.account_id, "bulk", event_id="evt-full")
    _, minted = accounts.create_key(account.account_id, name="full", scopes=("node",))
    database.close()
    store = store_opener(url)()
    assert isinstance(store, SqliteStore)
    charges = [Charge(minted.digest, 1, "node", f"r{number}") for number in range(300)]
    assert isinstance(store.settle(charges[:1])[0], Settled)
    fill(store._connection)
    with pytest.raises(StoreUnavailableError) as refused:
        settle_all(store, charges[1:])
    assert refused.value.cause == "disk_full"
    store._connection.execute("PRAGMA max_page_count=1000000")
    assert isinstance(store.settle(charges[-1:])[0], Settled), "it recovers alone"
    store.close()


def test_postgres_that_may_only_be_read_or_is_away(request, tmp_path):
    with new_databases(request, "postgres", tmp_path) as make:
        url = make()
        store = store_opener(url)()
        store.settle([CHARGE])
        with psycopg.connect(url, autocommit=True) as operator:
            row = operator.execute("SELECT current_database()").fetchone()
            assert row is not None
            (name,) = row
            operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
            operator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        health = StoreHealth()
        database = Database(url, health=health)
        with pytest.raises(StoreUnavailableError) as away:
            store.settle([CHARGE])
        assert away.value.cause == "unreachable"
        with pytest.raises(StoreUnavailableError):
            database.try_writing()
        told = health.cause  # mypy would hold the attribute to be that for good
        assert told == "read_only"
        with pytest.raises(StoreUnavailableError) as refused:
            store.settle([CHARGE])
        assert refused.value.cause == "read_only"
        with psycopg.connect(url, autocommit=True) as operator:
            operator.execute("SET default_transaction_read_only = off")
            operator.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        database.close()
        store.close()
        again = Database(url, health=health)
        again.try_writing()
        assert health.cause is None
        again.close()
