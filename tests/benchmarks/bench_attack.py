"""Read nodes with a key while the server is attacked: slow and idle connections, large heads, requests in a row.

Run: `python -m tests.benchmarks.bench_attack SNAPSHOT_FOLDER [--seconds N] [--checkout FOLDER]`. Exit status 1 if
a read waits too long or fails, a worker is replaced, or a worker's memory grows too much. All attacks last as long
as the reads do: a connection that is closed is opened again, a head that was sent is sent again. `--checkout` serves
with the code of another checkout, to compare with.
"""

import argparse
import contextlib
import http.client
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from tests.benchmarks.attackers import Attack, attacked_by
from tests.benchmarks.bench_http import _accounts, _node, _snapshots, _wait, _workers
from tests.serving.servers import CHECKOUT, free_port

READERS, PACE = 8, 0.02
WORKERS = 2
MOST_P99, MOST_GROWTH = 1.0, 50.0
"""Seconds that a read may wait, and megabytes that a worker may grow by."""
PATIENCE = 60
LATE = "late"
"""Failure of a read that was due when its connection still waited for the one before, until the end."""


@dataclass
class Reads:
    """How long reads took, in seconds, and what failed."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def p(self, percent: int) -> float:
        """Return a percentile."""
        return (
            statistics.quantiles(self.seconds, n=100)[percent - 1] if len(self.seconds) > 1 else float("inf")
        )


def main() -> int:
    """Attack, measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--seconds", type=int, default=30, help="how long (default 30)")
    parser.add_argument("--checkout", type=Path, default=CHECKOUT, help="code that serves (default: this)")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="law-bench-"))
        stack.callback(shutil.rmtree, folder)
        return _measure(stack, folder, options)


def _measure(stack: contextlib.ExitStack, folder: Path, options: argparse.Namespace) -> int:
    node, _ = _node(options.snapshot)
    url = f"sqlite:///{folder / 'law.db'}"
    _, one = _accounts(url, folder / "keys")
    key = one.read_text(encoding="utf-8").strip()
    snapshots = _snapshots(folder, options.snapshot)
    port, master = stack.enter_context(_server(snapshots, url, folder / "log", options.checkout))
    path = f"/api/v1/node/{node}"
    read_nodes(port, path, [key], 3)
    quiet = read_nodes(port, path, [key], 5)
    before = {pid: resident(pid) for pid in _workers(master)}
    with attacked_by(Attack(), port, path, key), watched(master) as most:
        time.sleep(1)
        attacked = read_nodes(port, path, [key], options.seconds)
    after = _workers(master)
    replaced = len(set(before) - set(after))
    grown = [most.get(pid, 0.0) - had for pid, had in before.items()]
    for name, reads in (("quiet", quiet), ("attacked", attacked)):
        print(
            f"{name:<9} {len(reads.seconds):>7} reads, p50 {reads.p(50) * 1000:>9.1f} ms, "
            f"p99 {reads.p(99) * 1000:>9.1f} ms, longest {max(reads.seconds, default=0) * 1000:>9.1f} ms, "
            f"{len(reads.failures)} failed {sorted(set(reads.failures))[:3]}"
        )
    print(f"workers replaced: {replaced}; grown by MB: {', '.join(f'{one:.0f}' for one in grown)}")
    sound = (
        attacked.p(99) <= MOST_P99 and not attacked.failures and not replaced and max(grown) <= MOST_GROWTH
    )
    print(
        f"bounds: p99 {MOST_P99:g} s, no failure, no worker replaced, {MOST_GROWTH:g} MB: {'held' if sound else 'BROKEN'}"
    )
    return 0 if sound else 1


@contextlib.contextmanager
def _server(snapshots: Path, database: str, log: Path, checkout: Path) -> Iterator[tuple[int, int]]:
    """Serve; give the port and the process id of the master."""
    port = free_port()
    settings = {
        "LAW_SNAPSHOTS": str(snapshots),
        "LAW_DATABASE_URL": database,
        "LAW_PORT": str(port),
        "LAW_WORKERS": str(WORKERS),
        "LAW_LOG_LEVEL": "warning",
        "PYTHONPATH": str(checkout.resolve()),
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "serving/process/gunicorn.conf.py"]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*command, "tests.benchmarks.bench_app:app"],
            cwd=checkout,
            env={**os.environ, **settings},
            stderr=stream,
        )
    try:
        _wait(f"http://127.0.0.1:{port}/ready", process, log)
        time.sleep(2)  # until the other worker is ready too
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def read_nodes(port: int, path: str, keys: Sequence[str], seconds: float) -> Reads:
    """Read nodes on some connections for a while, each at its own pace; one that failed is made anew.

    A read is timed from when it was due: one that waits makes those after it wait too.
    """
    found = Reads()
    turns = cycle(keys)
    start = time.monotonic()

    def read() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        for number in range(int(seconds / PACE)):
            due = start + number * PACE
            if time.monotonic() > start + seconds:
                # Others were waited for so long that it was never asked.
                found.failures.append(LATE)
                found.seconds.append(time.monotonic() - due)
                continue
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                connection.request("GET", path, headers={"Authorization": f"Bearer {next(turns)}"})
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    found.failures.append(str(answer.status))
            except (OSError, http.client.HTTPException) as error:
                found.failures.append(type(error).__name__)
                connection.close()
            found.seconds.append(time.monotonic() - due)
        connection.close()

    threads = [threading.Thread(target=read) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@contextlib.contextmanager
def watched(master: int) -> Iterator[dict[int, float]]:
    """Note the most memory that each worker has meanwhile, in megabytes."""
    most: dict[int, float] = {}
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            for pid in _workers(master):
                with contextlib.suppress(OSError, StopIteration):
                    most[pid] = max(most.get(pid, 0.0), resident(pid))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()


def resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


if __name__ == "__main__":
    sys.exit(main())
