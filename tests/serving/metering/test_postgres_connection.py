"""A PostgreSQL that hangs: a named failure in bounded time, and everything goes on once it answers again."""

import time
from collections.abc import Iterator

import httpx
import psycopg
import pytest

from serving.accounts.accounts import Accounts
from serving.contract.errors import StoreUnavailableError
from serving.metering import postgres_statements
from serving.metering.database import Database
from serving.metering.keys import SCOPES, digest
from serving.metering.postgres import RETRY_SECONDS
from serving.metering.postgres_connection import connect
from serving.metering.records import Charge, Settled
from serving.metering.store import store_opener
from tests.serving.servers import Server
from tests.serving.stores import new_databases, stopped

pytestmark = pytest.mark.e2e
PATIENCE = 1.0
BOUND = 10.0
"""Seconds in which anything that is asked of a stopped database has failed, on a busy machine."""


@pytest.fixture
def url(request, tmp_path) -> Iterator[str]:
    with new_databases(request, "postgres", tmp_path) as make:
        yield make()


def key_of(url: str) -> tuple[int, str]:
    database = Database(url)
    account = Accounts(database).create().account_id
    key = Accounts(database).create_key(account, name="x", scopes=SCOPES)[1].text
    database.close()
    return account, key


def test_both_ways_to_a_stopped_database_fail_in_time_and_recover(url):
    account, key = key_of(url)
    store = store_opener(url, patience=PATIENCE)()
    database = Database(url, patience=PATIENCE)
    accounts = Accounts(database)
    charge = Charge(digest(key), 1, "node", "x")
    assert isinstance(store.settle([charge])[0], Settled)
    assert accounts.get(account).allotment == 999
    with stopped(url):
        for work in (lambda: store.settle([charge]), lambda: accounts.get(account)):
            for _ in range(2):  # on the connection that was open, and on a new one
                begun = time.monotonic()
                with pytest.raises(StoreUnavailableError):
                    work()
                assert time.monotonic() - begun < BOUND
        begun = time.monotonic()
        for _ in range(20):
            with pytest.raises(StoreUnavailableError):
                store.settle([charge])
        assert time.monotonic() - begun < BOUND, "those who wait do not each wait for an attempt"
    time.sleep(RETRY_SECONDS)
    assert isinstance(store.settle([charge])[0], Settled)
    # What was cut off was not committed, or it was and nobody was told: never less than what was told.
    assert accounts.get(account).allotment <= 998
    store.close()
    database.close()


def test_a_database_that_was_put_back_is_read_anew(url):
    """Its keys may have other numbers than those that the store remembers."""
    _, key = key_of(url)
    store = store_opener(url)()
    charge = Charge(digest(key), 1, "node", "x")
    assert isinstance(store.settle([charge])[0], Settled)
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("DELETE FROM marks")
        other.execute("UPDATE keys SET key_id = key_id + 1000")
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    with pytest.raises(StoreUnavailableError):
        store.settle([charge])
    assert isinstance(store.settle([charge])[0], Settled)
    store.close()


def test_a_statement_and_a_lock_are_not_waited_for_longer(url):
    _, key = key_of(url)
    store = store_opener(url, patience=PATIENCE)()
    with psycopg.connect(url) as other:
        other.execute(postgres_statements.LOCK)
        begun = time.monotonic()
        with pytest.raises(StoreUnavailableError):
            store.settle([Charge(digest(key), 1, "node", "x")])
        assert time.monotonic() - begun < BOUND
    assert isinstance(store.settle([Charge(digest(key), 1, "node", "x")])[0], Settled)
    store.close()
    with connect(url, patience=PATIENCE, autocommit=True) as connection:
        with pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute("SELECT pg_sleep(30)")
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_what_the_url_says_goes_first(url):
    with connect(
        f"{url}&options=-c%20statement_timeout%3D77777", patience=PATIENCE, autocommit=True
    ) as connection:
        assert connection.execute("SHOW statement_timeout").fetchone() == ("77777ms",)
        assert connection.execute("SHOW lock_timeout").fetchone() == ("1s",)
    with connect(url, patience=None, autocommit=True) as connection:
        assert connection.execute("SHOW statement_timeout").fetchone() == ("0",)


def test_a_server_over_a_stopped_database_answers_503_and_recovers(url, snapshots_folder, tmp_path, node):
    _, key = key_of(url)
    environment = {"LAW_DATABASE_SECONDS": str(PATIENCE)}
    server = Server(snapshots_folder, tmp_path / "log", url, workers=1, environment=environment)
    headers = {"Authorization": f"Bearer {key}"}
    path = f"/api/v1/node/{node('/us/sample/t1/s9')}"
    try:
        server.wait_until_ready()
        with httpx.Client(base_url=server.url, timeout=60, headers=headers) as client:
            assert client.get(path).status_code == 200
            with stopped(url):
                for asked in (path, "/api/v1/me", "/api/v1/search?q=harbor", path, path):
                    begun = time.monotonic()
                    answer = client.get(asked)
                    print(f"{asked}: {answer.status_code} after {time.monotonic() - begun:.1f} s")
                    assert (answer.status_code, answer.json()["error"]) == (503, "overloaded")
                    assert "store of accounts" in answer.json()["message"]
                    assert answer.headers["retry-after"]
                    assert time.monotonic() - begun < BOUND
                assert client.get("/health").status_code == 200
            deadline = time.monotonic() + BOUND
            while (answer := client.get(path)).status_code != 200:
                assert time.monotonic() < deadline, answer.text
                time.sleep(0.2)
    finally:
        server.kill()
