"""Measure node reads over HTTP with wrk: metered on both stores, unmetered, and nginx with the same bytes as a file.

Run: `python -m tests.benchmarks.bench_http SNAPSHOT_FOLDER [--rounds N] [--seconds N]`. Prints a table; exit status 1
if a bound of `http_bounds` is missed, if a metered read is refused or is not in the ledger, or if a balance is not the
sum of its entries. All take turns, round by round, and ratios are medians over the rounds: the machine is rarely ours
alone. Everyone gets the same requests. `one key` is one client that asks as fast as it is answered, with its limits out
of the way; `many keys` are 100 accounts with 10 keys each, asked in turn under their true limits, so that neighbours
share as little of the store as can be.
"""

import argparse
import contextlib
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import sqlalchemy as sa

from serving.accounts.accounts import Accounts
from serving.accounts.credits import MAX_GRANT, Credits
from serving.contract.layout import POINTER
from serving.metering import schema
from serving.metering.database import Database
from serving.metering.migrations import migrate
from serving.metering.records import Imbalance
from serving.snapshot.store import open_snapshot
from tests.benchmarks.bench_metering import postgres_server
from tests.benchmarks.http_bounds import BOUNDS, Round, Run, spread
from tests.serving.servers import CHECKOUT, free_port

WORKERS, CONNECTIONS, THREADS = 2, 64, 2
BODY_BYTES = 2_048
ACCOUNTS, KEYS_EACH = 100, 10
UNLIMITED = "pro"
"""The tier that `bench_app` frees of its limits."""
START_SECONDS, WARM_SECONDS = 60, 6
SCRIPT = Path(__file__).with_name("rotate.lua")


@dataclass(frozen=True, slots=True)
class Contestant:
    """What wrk is pointed at.

    Attributes:
        keys: file of the keys to ask with, one a line.
        master: process id of the parent of its workers.
        database: URL of the store that the calls are charged to; None where they are not.
        accept: media type to ask for; None for none.
        paths: file of the paths to ask for by turns, one a line; None for that of the URL alone.
        encoding: encoding to ask for; None for none.
    """

    name: str
    url: str
    keys: Path
    master: int
    database: str | None = None
    accept: str | None = None
    paths: Path | None = None
    encoding: str | None = None


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default 5)")
    parser.add_argument("--seconds", type=int, default=4, help="how long each time (default 4)")
    options = parser.parse_args()
    missing = [program for program in ("wrk", "nginx") if shutil.which(program) is None]
    if missing:
        print(f"Not measured: this needs {' and '.join(missing)}.")
        return 1
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="law-bench-"))
        stack.callback(shutil.rmtree, folder)
        folder.chmod(0o755)  # the programs under test have users of their own
        return _measure(stack, folder, options)


def _measure(stack: contextlib.ExitStack, folder: Path, options: argparse.Namespace) -> int:
    node, body = _node(options.snapshot)
    snapshots = _snapshots(folder, options.snapshot)
    sqlite = f"sqlite:///{folder / 'law.db'}"
    postgres = stack.enter_context(postgres_server(folder))
    nginx, nginx_master = stack.enter_context(_nginx(folder, body))
    contestants: list[Contestant] = []
    masters: dict[str, int] = {}
    for name, url in (("SQLite", sqlite), ("PostgreSQL", postgres)):
        many, one = _accounts(url, folder / name)
        server, master = stack.enter_context(_server(snapshots, url, folder / f"{name}.log"))
        masters[name] = master
        path = f"{server}/api/v1"
        if not contestants:
            contestants.append(Contestant("nginx", nginx, many, nginx_master))
            contestants.append(Contestant("unmetered", f"{path}/unmetered/{node}", many, master))
        for keys, file in (("many keys", many), ("one key", one)):
            contestants.append(Contestant(f"{name}, {keys}", f"{path}/node/{node}", file, master, url))
        # With a weight in it the header is not plain: the same call, answered by the application.
        long_way = Contestant(
            f"{name}, one key, long way", f"{path}/node/{node}", one, master, url, "application/json;q=0.9"
        )
        contestants.append(long_way)
    for contestant in contestants:
        _same_bytes(contestant, body)
    cores = len(os.sched_getaffinity(0))
    print(
        f"{len(body):,} bytes; {WORKERS} workers, {CONNECTIONS} connections, {cores} cores, all on one machine"
    )
    before = {url: _charges(url) for url in (sqlite, postgres)}
    warm = {contestant.name: _wrk(contestant, WARM_SECONDS) for contestant in contestants}
    rounds = [
        {contestant.name: _wrk(contestant, options.seconds) for contestant in contestants}
        for _ in range(options.rounds)
    ]
    _report(contestants, rounds)
    print(*(bound.line(rounds) for bound in BOUNDS), sep="\n")
    sound = all(bound.is_met(rounds) for bound in BOUNDS)
    memory = ", ".join(f"{name} {_memory(master)}" for name, master in masters.items())
    print(f"\nmemory of the workers, MB (proportional share): {memory}")
    for url, charged in before.items():
        mine = [contestant.name for contestant in contestants if contestant.database == url]
        runs = [measured[name] for measured in (warm, *rounds) for name in mine]
        # When wrk stops, up to one call of each connection is under way: charged, not counted by it.
        unseen = _charges(url) - charged - sum(run.answers for run in runs)
        wrong = len(_imbalances(url))
        print(
            f"charges beyond the answers that wrk counted, {url.partition(':')[0]}: {unseen} in {len(runs)} runs; "
            f"accounts whose balance is not the sum of its entries: {wrong}"
        )
        exact = 0 <= unseen <= CONNECTIONS * len(runs) and not wrong
        sound = sound and exact and not any(run.failed for run in runs)
    return 0 if sound else 1


def _node(folder: Path) -> tuple[str, bytes]:
    """Give the node whose answer is nearest to the size that is measured."""
    snapshot = open_snapshot(folder)
    rows = range(len(snapshot.nodes))
    row = min(rows, key=lambda row: abs(len(snapshot.nodes.body(row).plain) - BODY_BYTES))
    found = str(snapshot.nodes.id(row)), bytes(snapshot.nodes.body(row).plain)
    snapshot.close()
    return found


def _snapshots(folder: Path, snapshot: Path) -> Path:
    snapshots = folder / "snapshots"
    snapshots.mkdir()
    (snapshots / snapshot.name).symlink_to(snapshot.resolve(), target_is_directory=True)
    (snapshots / POINTER).write_text(f'{{"snapshot": "{snapshot.name}"}}', encoding="utf-8")
    return snapshots


@contextlib.contextmanager
def _nginx(folder: Path, body: bytes) -> Iterator[tuple[str, int]]:
    port = free_port()
    (folder / "www").mkdir()
    (folder / "www" / "node.json").write_bytes(body)
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"""
        daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
        worker_processes {WORKERS};
        events {{ worker_connections 1024; }}
        http {{
            access_log off; sendfile on; tcp_nopush on;
            keepalive_timeout 75s; keepalive_requests 1000000000;
            default_type application/json;
            server {{ listen 127.0.0.1:{port}; root {folder}/www; }}
        }}
        """,
        encoding="utf-8",
    )
    process = subprocess.Popen(["nginx", "-e", str(folder / "nginx.log"), "-c", str(configuration)])
    try:
        url = f"http://127.0.0.1:{port}/node.json"
        _wait(url, process, folder / "nginx.log")
        yield url, process.pid
    finally:
        _end(process)


@contextlib.contextmanager
def _server(snapshots: Path, database: str, log: Path, **others: str) -> Iterator[tuple[str, int]]:
    """Serve with gunicorn; give its URL and the process id of the master. Logs requests no more than nginx does."""
    port = free_port()
    settings = {
        "LAW_SNAPSHOTS": str(snapshots),
        "LAW_DATABASE_URL": database,
        "LAW_PORT": str(port),
        "LAW_WORKERS": str(WORKERS),
        "LAW_LOG_LEVEL": "warning",
        **others,
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "serving/process/gunicorn.conf.py"]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*command, "tests.benchmarks.bench_app:app"],
            cwd=CHECKOUT,
            env={**os.environ, **settings},
            stderr=stream,
        )
    try:
        _wait(f"http://127.0.0.1:{port}/ready", process, log)
        time.sleep(2)  # until the other worker is ready too
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        _end(process)


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(url, timeout=5).status_code == 200:
                return
        time.sleep(0.1)
    raise RuntimeError(f"{url} did not start:\n{log.read_text(encoding='utf-8')}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)


def _accounts(url: str, keys: Path, scopes: Sequence[str] = ("node",)) -> tuple[Path, Path]:
    """Fill a new store; give the files of its many keys and of the one."""
    migrate(url)
    database = Database(url)
    many = [_keys(database, "bulk", number=KEYS_EACH) for _ in range(ACCOUNTS)]
    one = _keys(database, UNLIMITED, number=1, scopes=scopes)
    database.close()
    # Neighbours are of different accounts: calls that settle together then share as little as can be.
    return (
        _written(keys.with_suffix(".many"), [key for turn in zip(*many, strict=True) for key in turn]),
        _written(keys.with_suffix(".one"), one),
    )


def _keys(database: Database, pack: str, *, number: int, scopes: Sequence[str] = ("node",)) -> list[str]:
    accounts, credits_ = Accounts(database), Credits(database)
    account = accounts.create().account_id
    credits_.purchase(account, pack, event_id=f"bench-{account}")
    credits_.grant(account, MAX_GRANT)
    return [accounts.create_key(account, name="bench", scopes=scopes)[1].text for _ in range(number)]


def _written(path: Path, keys: Sequence[str]) -> Path:
    path.write_text("".join(f"{key}\n" for key in keys), encoding="utf-8")
    return path


def _same_bytes(contestant: Contestant, body: bytes) -> None:
    key = contestant.keys.read_text(encoding="utf-8").split()[0]
    answer = httpx.get(
        contestant.url, headers={"Authorization": f"Bearer {key}", "Accept-Encoding": "identity"}
    )
    if answer.content != body:
        raise RuntimeError(f"{contestant.name} answers {answer.status_code}: {answer.text[:300]}")


def _wrk(contestant: Contestant, seconds: int) -> Run:
    command = [
        "wrk",
        f"-t{THREADS}",
        f"-c{CONNECTIONS}",
        f"-d{seconds}s",
        "-s",
        str(SCRIPT),
        contestant.url,
        "--",
    ]
    asked = [str(contestant.keys), contestant.encoding or "", contestant.accept or ""]
    paths = [] if contestant.paths is None else [str(contestant.paths)]
    before = _processor_seconds(contestant.master)
    done = subprocess.run([*command, *asked, *paths], capture_output=True, text=True, check=True)
    spent = _processor_seconds(contestant.master) - before
    line = next(line for line in done.stdout.splitlines() if line.startswith("measured "))
    answers, microseconds, p50, p99, failed = line.split()[1:]
    return Run(
        answers=int(answers),
        rate=int(answers) / int(microseconds) * 1e6,
        p50=float(p50) / 1000,
        p99=float(p99) / 1000,
        failed=int(failed),
        cpu=spent / int(answers) * 1e6,
    )


def _report(contestants: Sequence[Contestant], rounds: Sequence[Round]) -> None:
    print(
        f"{len(rounds)} rounds, medians; in brackets the least and the most\n\n"
        f"{'':<30} {'answers/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'CPU us':>8}  {'of nginx':<20} {'p99 of unmetered':<20}"
    )
    for name in (contestant.name for contestant in contestants):
        rate, p50, p99, cpu = (
            statistics.median(values)
            for values in zip(
                *((run.rate, run.p50, run.p99, run.cpu) for run in (one[name] for one in rounds)), strict=True
            )
        )
        share = [one[name].rate / one["nginx"].rate for one in rounds]
        slower = [one[name].p99 / one["unmetered"].p99 for one in rounds]
        print(
            f"{name:<30} {rate:>10,.0f} {p50:>8.2f} {p99:>8.2f} {cpu:>8.1f}  {spread(share):<20} {spread(slower):<20}"
        )
    print()


def _charges(url: str) -> int:
    database = Database(url)
    with database.reading() as connection:
        query = sa.select(sa.func.count()).where(schema.ledger.c.kind == "charge")
        number = int(connection.execute(query).scalar_one())
    database.close()
    return number


def _imbalances(url: str) -> Sequence[Imbalance]:
    database = Database(url)
    found = Credits(database).check_ledger()
    database.close()
    return found


def _workers(master: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "--ppid", str(master), "-o", "pid="], capture_output=True, text=True, check=True
    )
    return [int(pid) for pid in listed.stdout.split()]


def _processor_seconds(master: int) -> float:
    stats = [Path(f"/proc/{pid}/stat").read_text(encoding="ascii") for pid in _workers(master)]
    # User and system time are the 14th and 15th field; the name, the 2nd, may hold spaces.
    ticks = [sum(map(int, stat.rpartition(")")[2].split()[11:13])) for stat in stats]
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def _memory(master: int) -> str:
    return "+".join(f"{_proportional(pid):.0f}" for pid in _workers(master))


def _proportional(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


if __name__ == "__main__":
    sys.exit(main())
