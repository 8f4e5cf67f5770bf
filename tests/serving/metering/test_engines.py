"""What is particular to one engine: turns and durability on SQLite, broken connections on PostgreSQL."""

import contextlib
import fcntl
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from serving.accounts.accounts import Accounts
from serving.contract.errors import StoreUnavailableError
from serving.metering import checkpoints, schema
from serving.metering.database import Database
from serving.metering.records import Charge, Outcome, Settled
from serving.metering.sqlite import SqliteStore
from serving.metering.store import store_opener
from serving.metering.tables import bring_up_to_date
from serving.metering.turns import Turns

ROOT = Path(__file__).parents[3]


def until_held(path: Path) -> None:
    """Return once somebody holds the lock of that file."""
    with path.open("r+") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            fcntl.flock(file, fcntl.LOCK_UN)
            time.sleep(0.001)


def test_who_ends_a_turn_waits_for_who_waited(tmp_path):
    database = tmp_path / "law.db"
    first, second = Turns(database), Turns(database)
    order = []

    def other():
        with second:
            order.append("second")

    waiter = threading.Thread(target=other)
    with first:
        order.append("first")
        waiter.start()
        until_held(tmp_path / "law.db-next")
    with first:
        order.append("first again")
    waiter.join()
    assert order == ["first", "second", "first again"]
    first.close()
    second.close()


def test_a_dead_process_gives_its_turn_back(tmp_path):
    database = tmp_path / "law.db"
    hold = (
        "import sys, time\nfrom pathlib import Path\nfrom serving.metering.turns import Turns\n"
        "with Turns(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", hold, str(database)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    until_held(tmp_path / "law.db-turn")
    holder.kill()
    holder.communicate()
    turns = Turns(database)
    with turns:
        pass
    turns.close()


def test_flushing_is_as_documented(sqlite_template):
    levels = {}
    for durability in ("normal", "full"):
        store = SqliteStore(sqlite_template, durability=durability)
        levels[durability] = store._connection.execute("PRAGMA synchronous").fetchone()[0]
        store.close()
    database = Database(f"sqlite:///{sqlite_template}")
    with database.writing() as connection:
        levels["rare"] = connection.exec_driver_sql("PRAGMA synchronous").scalar_one()
    database.close()
    assert levels == {"normal": 1, "full": 2, "rare": 2}


@pytest.mark.parametrize("new_url", ["sqlite"], indirect=True)
def test_a_program_that_takes_no_turns_is_waited_for(meter):
    _, key = meter.key()
    path = meter.url.removeprefix("sqlite:///")
    shell = "import sqlite3, sys, time\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\nc.execute('BEGIN IMMEDIATE')\nprint('held', flush=True)\ntime.sleep(0.3)\nc.execute('ROLLBACK')\n"
    holder = subprocess.Popen([sys.executable, "-c", shell, path], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    assert isinstance(meter.charge(key)[0], Settled)
    holder.communicate()


@pytest.mark.parametrize("new_url", ["postgres"], indirect=True)
def test_a_broken_connection_is_renewed(meter):
    _, key = meter.key()
    assert isinstance(meter.charge(key)[0], Settled)
    with psycopg.connect(meter.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(StoreUnavailableError):
        meter.charge(key)
    assert meter.charge(key)[0].balance == 998
    assert not meter.credits.check_ledger()


@pytest.mark.parametrize("new_url", ["postgres"], indirect=True)
def test_a_batch_that_postgres_refuses_takes_nothing(meter):
    account, key = meter.key()
    with pytest.raises(psycopg.DataError):
        meter.store.settle([Charge(key, 1, "node", "fine"), Charge(key, 1, "node", "no\x00text")])
    assert meter.accounts.get(account).allotment == 1000
    assert meter.charge(key)[0].balance == 999


def test_stores_wait_for_each_other_without_deadlock(url):
    database = Database(url)
    with contextlib.closing(database):
        from_accounts = _two_keys(database)
        results: list[list[Outcome]] = [[], []]

        def settle(number):
            order = from_accounts if number else from_accounts[::-1]
            store = store_opener(url)()
            for _ in range(14):
                results[number] += store.settle([Charge(key, 1, "node", "r") for key in order])
            store.close()

        threads = [threading.Thread(target=settle, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {type(outcome) for outcome in results[0] + results[1]} == {Settled}
    assert len(results[0] + results[1]) == 56


def _two_keys(database):
    accounts = Accounts(database)
    return [
        accounts.create_key(accounts.create().account_id, name="k", scopes=["node"])[1].digest
        for _ in range(2)
    ]


def test_a_turn_is_taken_at_once_only_where_nobody_has_it_or_waits(tmp_path):
    first, second, third = (Turns(tmp_path / "law.db") for _ in range(3))
    assert first.try_take()
    assert not second.try_take()
    waiter = threading.Thread(target=third.__enter__)
    waiter.start()
    first.give_back()
    waiter.join(60)
    assert not waiter.is_alive()
    assert not first.try_take(), "the third has it"
    third.give_back()
    assert second.try_take()
    second.give_back()
    for turns in (first, second, third):
        turns.close()


def test_what_would_wait_is_not_settled_at_once(meter):
    account, key = meter.key()
    work = [Charge(key, 1, "node", "r")]
    if meter.url.startswith("postgresql"):
        assert meter.store.try_settle(work) is None
        return
    (outcome,) = meter.store.try_settle(work)
    assert outcome.balance == 999
    with Turns(Path(meter.url.removeprefix("sqlite:///"))):
        assert meter.store.try_settle(work) is None
    full = SqliteStore(Path(meter.url.removeprefix("sqlite:///")), durability="full", clock=meter.clock)
    assert full.try_settle(work) is None, "it flushes to the disk"
    full.close()
    assert meter.accounts.get(account).allotment == 999


def test_who_joins_a_batch_is_asked_for_once_it_has_its_turn(meter):
    account, key = meter.key()
    asked = threading.Event()
    outcomes: list[Outcome] = []

    def joining():
        asked.set()
        return [Charge(key, 2, "node", "second"), Charge(key, 3, "node", "third")]

    settles = threading.Thread(
        target=lambda: outcomes.extend(meter.store.settle([Charge(key, 1, "node", "first")], joining))
    )
    with meter.database.writing() as connection:
        bring_up_to_date(connection)
        settles.start()
        assert not asked.wait(0.3), "somebody else has the turn"
    settles.join()
    assert [outcome.balance for outcome in outcomes if isinstance(outcome, Settled)] == [999, 997, 994]
    ledger = meter.accounts.ledger(account, limit=3)
    assert [entry.request_id for entry in ledger] == ["third", "second", "first"]


@pytest.mark.parametrize("new_url", ["sqlite"], indirect=True)
def test_the_log_stays_short_however_many_batches_are_settled(meter, monkeypatch):
    monkeypatch.setattr(checkpoints, "EVERY_PAGES", 500)
    _, key = meter.key(wallet=10_000, tier="bulk")
    log = Path(meter.url.removeprefix("sqlite:///") + "-wal")
    largest = 0
    for number in range(3_000):
        meter.clock.pass_(1)
        meter.store.settle([Charge(key, 1, "node", f"r{number}")])
        largest = max(largest, log.stat().st_size)
    assert 500 * 4_096 < largest < 3_000 * 4_096, "it begins anew though nobody ever stops writing"


def test_a_transaction_that_fails_halfway_leaves_nothing(url):
    database = Database(url, patience=5.0)
    account = Accounts(database).create(email="ada@example.org")

    def fail_halfway():
        with database.writing() as connection:
            connection.execute(sa.update(schema.accounts).values(email="eve@example.org"))
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway()
    assert Accounts(database).get(account.account_id).email == "ada@example.org"
    database.close()
