"""Posting: killed anywhere it loses nothing and doubles nothing, and nobody changes credits behind its back."""

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from serving.accounts.audit import audit
from serving.accounts.usage import usage_since
from serving.contract.errors import StoreUnavailableError
from serving.metering import poster as poster_module
from serving.metering import schema
from serving.metering.ledger import imbalances, newest_entries
from serving.metering.poster import Poster
from serving.metering.posting import RECORDS_AT_ONCE
from serving.metering.records import Charge, Refund, Refunded, Settled
from serving.metering.store import store_opener
from tests.serving.metering.posted import post_all, tables_of, wait_until_alone

FAILURES = (sqlite3.DatabaseError, psycopg.Error, sa.exc.DBAPIError)


def waits(meter) -> int:
    with meter.database.reading(behind=True) as connection:
        charges = sa.select(sa.func.count()).where(schema.ledger.c.kind == "charge")
        return int(connection.execute(charges).scalar_one())


def test_charges_wait_until_somebody_reads_them(meter):
    account, key = meter.key()
    meter.charge(key, times=3)
    assert waits(meter) == 0
    assert meter.accounts.get(account).allotment == 997
    assert waits(meter) == 3
    (kept,) = meter.accounts.list_keys(account)
    assert (kept.passed, kept.last_used_at) == (3, meter.clock.instant)
    meter.charge(key)
    assert len(meter.accounts.ledger(account)) == 5
    meter.charge(key)
    with meter.database.reading() as connection:
        found = audit(connection)
    assert (found.is_clean, found.entries) == (True, 6)


def test_a_refund_finds_a_charge_that_waits_once(meter):
    account, key = meter.key()
    receipts = [outcome.receipt for outcome in meter.charge(key, times=2)]
    assert meter.refund(receipts[0]) == Refunded(account, 999, 0)
    other = store_opener(meter.url, clock=meter.clock)()
    assert other.settle([Refund(receipts[0], "again")]) == [Refunded(account, 999, 0)]
    assert other.settle([Refund(receipts[1], "other")]) == [Refunded(account, 1000, 0)]
    assert isinstance(other.settle([Charge(key, 1, "node", "r")])[0], Settled)
    other.close()
    assert meter.accounts.get(account).allotment == 999
    assert not meter.credits.check_ledger()


def test_credits_are_not_changed_behind_what_waits(meter):
    account, key = meter.key()
    meter.charge(key)
    with pytest.raises(FAILURES), meter.database.writing() as connection:
        connection.execute(sa.update(schema.accounts).values(wallet=5))
    assert meter.accounts.get(account).wallet == 0
    # Once all is posted it may be, and every worker charges from there.
    with meter.database.writing() as connection:
        connection.execute(sa.update(schema.accounts).values(wallet=5))
    assert meter.charge(key)[0].wallet == 5
    assert [wrong.wallet for wrong in meter.credits.check_ledger()] == [5]


def test_an_account_may_be_opened_while_charges_of_others_wait(meter):
    _, key = meter.key()
    meter.charge(key)
    second, other = meter.key()
    assert meter.charge(other)[0].balance == 999
    assert meter.accounts.get(second).allotment == 999


def test_posting_again_what_was_posted_halfway_changes_nothing(meter):
    _, key = meter.key(wallet=100)
    for _ in range(8):
        meter.charge(key, times=2)
        meter.clock.pass_(1)
    tables = tables_of(meter.url)
    wait_until_alone(tables)
    posting = tables.waiting_credits(5)
    tables.enter(posting.entries)
    tables.post_credits(posting)
    tables.enter(tables.waiting_credits(5).entries[:3])
    marks = tables.waiting_marks(1)
    assert marks is not None
    tables.post_marks(marks.rows[:1])
    tables.close()
    post_all(meter.url)
    with meter.database.reading() as connection:
        found = audit(connection)
        rows = connection.execute(sa.select(schema.marks).order_by(schema.marks.c.at)).all()
    assert (found.is_clean, found.entries) == (True, 18)
    assert [row.ordinal for row in rows] == list(range(0, 16, 2))


def test_entries_that_are_ahead_of_their_balance_are_not_read(meter):
    account, key = meter.key()
    meter.charge(key, times=3)
    tables = tables_of(meter.url)
    tables.enter(tables.waiting_credits(100).entries[:2])
    tables.close()
    with meter.database.reading(behind=True) as connection:
        assert [entry.kind for entry in newest_entries(connection, account, limit=9)] == ["allotment"]
        assert usage_since(connection, account, start=0) == []
        assert not imbalances(connection)
        found = audit(connection)
        assert (found.is_clean, found.entries) == (True, 1)
    assert len(meter.accounts.ledger(account)) == 4
    with meter.database.reading() as connection:
        (day,) = usage_since(connection, account, start=0)
    assert (day.calls, day.credits) == (3, 3)


def test_one_process_posts_at_a_time(meter):
    with closing(tables_of(meter.url)) as second:
        with closing(tables_of(meter.url)) as first:
            assert first.try_alone()
            assert not second.try_alone()
        wait_until_alone(second)


def process_of(store) -> "subprocess.Popen[bytes]":
    process: subprocess.Popen[bytes] | None = store._poster._process
    assert process is not None
    return process


def is_running(store) -> bool:
    return store._poster._process is not None and process_of(store).poll() is None


def test_a_store_that_is_late_has_its_records_posted_and_killing_that_loses_nothing(meter, monkeypatch):
    """The process is killed again and again, wherever it is, while charges go on."""
    monkeypatch.setattr(poster_module, "RETRY_SECONDS", 0.0)
    store = store_opener(meter.url, clock=meter.clock)()
    seeded = random.Random(5)
    keys = [meter.key(wallet=1_000_000, tier="bulk")[1] for _ in range(8)]
    charged = 0
    end = time.monotonic() + 120

    def charge(batches: int) -> None:
        nonlocal charged
        for _ in range(batches):
            work = [Charge(key, 1, "node", f"r{charged}") for key in seeded.sample(keys, 4)]
            outcomes = store.settle(work)
            assert {type(outcome) for outcome in outcomes} == {Settled}
            charged += len(outcomes)
            meter.clock.pass_(10)

    for _ in range(5):
        while not is_running(store):
            assert time.monotonic() < end
            charge(128)
        time.sleep(seeded.random())
        killed = process_of(store)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    # One that nobody kills brings the tables up to date by itself.
    while not is_running(store) or waits(meter) < charged - 4 * 2 * RECORDS_AT_ONCE:
        assert time.monotonic() < end
        charge(1)
    last = process_of(store)
    store.close()
    assert last.returncode == 0, "it ends with the store"
    with meter.database.reading() as connection:
        found = audit(connection)
        passed = connection.execute(sa.select(sa.func.sum(schema.keys.c.passed))).scalar_one()
        ids = sa.select(sa.func.count()).where(schema.ledger.c.kind == "charge")
        assert connection.execute(ids).scalar_one() == charged == passed
    assert found.is_clean


def test_the_process_ends_when_its_parent_is_killed(meter, tmp_path):
    script = (
        "import sys\nfrom serving.metering.poster import Poster\nposter = Poster(sys.argv[1])\nposter.start()\n"
        "print(poster._process.pid, flush=True)\nsys.stdin.readline()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, meter.url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    tables = tables_of(meter.url)
    end = time.monotonic() + 60
    while tables.try_alone():
        tables.close()
        assert time.monotonic() < end, "it never began"
        time.sleep(0.05)
        tables = tables_of(meter.url)
    parent.kill()
    parent.wait()
    while not tables.try_alone():
        assert time.monotonic() < end, f"{pid} goes on"
        time.sleep(0.05)
    tables.close()
    parent.communicate()


def test_readers_see_each_account_whole_while_it_is_posted(meter):
    """Balances, counts and entries are those of one moment, however they are posted meanwhile."""
    accounts = [meter.key(wallet=10_000, tier="bulk") for _ in range(4)]
    done = threading.Event()
    wrong = []

    def settle():
        store = store_opener(meter.url, clock=meter.clock)()
        for number in range(250):
            store.settle([Charge(key, 1, "node", f"r{number}") for _, key in accounts])
            meter.clock.pass_(30)
            if number % 20 == 19:
                post_all(meter.url, marks=number % 40 == 39)
            if number % 20 == 9:
                tables = tables_of(meter.url)
                tables.enter(tables.waiting_credits(10**9).entries[: number % 7])
                tables.close()
        store.close()
        done.set()

    thread = threading.Thread(target=settle)
    thread.start()
    before = 0
    while not done.is_set():
        wrong += meter.credits.check_ledger()
        statement = meter.accounts.statement(accounts[0][0])
        left = statement.account.allotment + statement.account.wallet
        assert statement.entries[0].balance_after == left
        assert statement.entries[0].entry_no >= before
        before = statement.entries[0].entry_no
    thread.join()
    assert not wrong
    assert all(meter.accounts.list_keys(account)[0].passed == 250 for account, _ in accounts)


def test_a_password_of_the_database_is_no_argument_of_the_process():
    poster = Poster("sqlite:///of/anybody.db", patience=5.0)
    poster.start()
    process = poster._process
    assert process is not None
    shown = Path(f"/proc/{process.pid}")
    told = b""
    limit = time.monotonic() + 5
    # A process shows no arguments in the moment in which its program is replaced.
    while b"posting_process" not in told and time.monotonic() < limit:
        told = (shown / "cmdline").read_bytes() + (shown / "environ").read_bytes()
    poster.close()
    assert b"posting_process" in told
    assert b"anybody" not in told
    assert process.returncode, "there is no such store"


def test_a_server_of_before_there_were_batches_is_told_that_the_store_is_unavailable(meter):
    """What it settles with names a table that is gone: it says 503, and charges nothing beside what waits."""
    _, key = meter.key()
    meter.charge(key)
    older = (
        "SELECT k.key_id, k.passed - m.ordinal, (SELECT min(w.at) FROM windows w WHERE w.key_id = k.key_id) "
        "FROM keys k LEFT JOIN windows m ON m.key_id = k.key_id AND m.at = ("
        "SELECT min(w.at) FROM windows w WHERE w.key_id = k.key_id AND w.at > 5)"
    )
    with pytest.raises(StoreUnavailableError), meter.database.reading(behind=True) as connection:
        connection.exec_driver_sql(older)
