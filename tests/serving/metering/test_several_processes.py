"""Exactness between processes, and when they are killed."""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

WORKER = Path(__file__).with_name("worker.py")
ROOT = Path(__file__).parents[3]


def start(url: str, key: str, *, tasks: int, charges: int) -> "subprocess.Popen[str]":
    command = [sys.executable, str(WORKER), url, key, str(tasks), str(charges)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(processes) -> None:
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()


def open_limits(database, account: int) -> None:
    """Make room in the windows: 300 a minute is the largest tier, and these tests ask faster."""
    with database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE accounts SET tier = 'bulk' WHERE account_id = {account}")


def test_of_four_processes_exactly_n_charges_are_settled(live_meter):
    account, key = live_meter.key()
    open_limits(live_meter.database, account)
    live_meter.charge(key, cost=900)
    processes = [start(live_meter.url, key, tasks=16, charges=64) for _ in range(4)]
    go(processes)
    outcomes = Counter(
        line.strip() for process in processes for line in process.communicate(timeout=60)[0].splitlines()
    )
    assert outcomes == {"Settled": 100, "InsufficientCredits": 156}
    assert live_meter.accounts.get(account).allotment == 0
    entries = live_meter.accounts.ledger(account, limit=1000)
    assert sum(entry.kind == "charge" for entry in entries) == 101
    assert sum(entry.allotment + entry.wallet for entry in entries) == 0
    assert not live_meter.credits.check_ledger()


def test_of_four_processes_exactly_the_limit_passes(live_meter):
    account, key = live_meter.key()
    processes = [start(live_meter.url, key, tasks=8, charges=24) for _ in range(4)]
    go(processes)
    outcomes = Counter(
        line.strip() for process in processes for line in process.communicate(timeout=60)[0].splitlines()
    )
    assert outcomes == {"Settled": 30, "RateLimited": 66}
    assert live_meter.accounts.get(account).allotment == 970


@pytest.mark.parametrize("after_seconds", [0.02, 0.1])
def test_killed_processes_leave_no_answer_without_its_charge(live_meter, after_seconds):
    account = live_meter.accounts.create().account_id
    live_meter.credits.grant(account, 100_000)
    open_limits(live_meter.database, account)
    keys = [live_meter.accounts.create_key(account, name=f"{n}", scopes=["node"])[1].digest for n in range(3)]
    tasks = 8
    processes = [start(live_meter.url, key, tasks=tasks, charges=296) for key in keys]
    go(processes)
    time.sleep(after_seconds)
    for process in processes[:2]:
        process.kill()
    answered = [
        sum(line.strip() == "Settled" for line in process.communicate(timeout=60)[0].splitlines())
        for process in processes
    ]
    charged = [key.passed for key in reversed(live_meter.accounts.list_keys(account))]
    assert answered[2] == charged[2] == 296
    for said, taken in zip(answered[:2], charged[:2], strict=True):
        assert said <= taken <= said + tasks
    entries = live_meter.accounts.ledger(account, limit=10_000)
    assert sum(entry.kind == "charge" for entry in entries) == sum(charged)
    assert not live_meter.credits.check_ledger()
    assert type(live_meter.charge(keys[0])[0]).__name__ in {"Settled", "RateLimited"}
