"""Measure zoning layers: their download beside nginx with the same bytes as files, and points looked up in process.

Run: `python -m tests.benchmarks.bench_gis SNAPSHOT_FOLDER [--rounds N] [--seconds N] [--points N]`. Prints tables; exit
status 1 if a download is below its share of nginx, a look-up takes too long, or one differs from the brute-force
check: every zone of the published GeoJSON asked for every point. The metered answers and nginx take turns, round by
round, and ratios are medians over the rounds.
"""

import argparse
import contextlib
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns

import httpx
import numpy as np
import orjson
import shapely

from serving.accounts.accounts import Accounts
from serving.accounts.credits import MAX_GRANT, Credits
from serving.contract.layout import POINTER
from serving.metering.database import Database
from serving.metering.migrations import migrate
from serving.services.zoning import locate
from serving.snapshot.layers import Layer
from serving.snapshot.store import Snapshot, open_snapshot
from tests.serving.servers import Server, free_port

WORKERS, CONNECTIONS, THREADS = 2, 16, 2
ACCOUNTS, KEYS_EACH = 30, 10
LEAST_SHARE, MOST_MS = 0.50, 1.0
SCRIPT = Path(__file__).with_name("rotate.lua")
SEED = 5
SLACK = 0.1
"""Share of a layer's width and height that points lie outside of it."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """What wrk is pointed at. `encoding` is asked for and must be answered."""

    name: str
    url: str
    encoding: str
    size: int


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument(
        "--rounds", type=int, default=5, help="how often each download is measured (default 5)"
    )
    parser.add_argument("--seconds", type=int, default=3, help="how long each time (default 3)")
    parser.add_argument("--points", type=int, default=10_000, help="looked up in each layer (default 10000)")
    options = parser.parse_args()
    snapshot = open_snapshot(options.snapshot)
    layers = list(snapshot.layers)
    if not layers:
        print(f"Not measured: snapshot {snapshot.id} holds no zoning layers.")
        return 0
    agreed = [measure_points(snapshot, layer, options.points) for layer in layers]
    sound = all(agreed)
    largest = max(layers, key=lambda layer: len(layer.answer.plain))
    missing = [program for program in ("wrk", "nginx") if shutil.which(program) is None]
    if missing:
        print(f"Downloads not measured: this needs {' and '.join(missing)}.")
        return 1
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="law-bench-"))
        stack.callback(shutil.rmtree, folder)
        folder.chmod(0o755)  # nginx's workers have a user of their own
        sound &= measure_downloads(stack, folder, options, largest)
    return 0 if sound else 1


def measure_points(snapshot: Snapshot, layer: Layer, count: int) -> bool:
    """Look points up, print how long it took, and hold each answer against the brute-force check."""
    entry = layer.entry
    west, south, east, north = entry.bbox
    rng = random.Random(SEED)
    points = [
        (
            rng.uniform(west - SLACK * (east - west), east + SLACK * (east - west)),
            rng.uniform(south - SLACK * (north - south), north + SLACK * (north - south)),
        )
        for _ in range(count)
    ]
    start = perf_counter_ns()
    index = snapshot.layers.points(layer)
    opened = (perf_counter_ns() - start) / 1e6
    times, found = [], []
    for longitude, latitude in points:
        start = perf_counter_ns()
        location = locate(snapshot, entry.short_code, latitude=latitude, longitude=longitude)
        times.append((perf_counter_ns() - start) / 1e6)
        found.append({here.zone_id for here in location.zones})
    expected = brute_force(layer, points)
    wrong = sum(one != other for one, other in zip(found, expected, strict=True))
    median = statistics.median(times)
    p99 = statistics.quantiles(times, n=100)[-1]
    print(
        f"{entry.short_code}: {layer.zone_count:,} zones, {len(index):,} polygons, indexed in {opened:.0f} ms\n"
        f"  {count:,} points: p50 {median:.3f} ms, p99 {p99:.3f} ms, most {max(times):.2f} ms; bound {MOST_MS:g} ms\n"
        f"  {sum(bool(one) for one in found):,} in a zone, {sum(len(one) > 1 for one in found):,} in several; "
        f"{wrong} differ from brute force"
    )
    return wrong == 0 and median <= MOST_MS


def brute_force(layer: Layer, points: Sequence[tuple[float, float]]) -> list[set[str]]:
    """Return the ids of the zones of the published GeoJSON that cover each point."""
    shapes = shapely.points(points)
    covering: list[set[str]] = [set() for _ in points]
    for feature in orjson.loads(layer.answer.plain)["geojson"]["features"]:
        geometry = shapely.from_geojson(orjson.dumps(feature["geometry"]))
        shapely.prepare(geometry)
        for place in np.flatnonzero(shapely.covers(geometry, shapes)).tolist():
            covering[place].add(feature["id"])
    return covering


def measure_downloads(
    stack: contextlib.ExitStack, folder: Path, options: argparse.Namespace, layer: Layer
) -> bool:
    """Download a layer from nginx and, metered, from the server; print and judge the ratios."""
    plain, gzip = layer.answer.plain, layer.answer.gzip
    if gzip is None:
        raise RuntimeError("the layer is not stored as gzip")
    nginx = stack.enter_context(_nginx(folder, {"plain": plain, "gzip": gzip}))
    database = f"sqlite:///{folder / 'law.db'}"
    keys = _keys(database, folder / "keys")
    server = Server(
        _snapshots(folder, options.snapshot),
        folder / "server.log",
        database,
        workers=WORKERS,
        environment={"LAW_LOG_LEVEL": "warning"},
    )
    stack.callback(server.kill)
    server.wait_until_ready()
    server.wait_for_workers(WORKERS)
    url = f"{server.url}/api/v1/gis/{layer.entry.short_code}"
    pairs = [
        (
            Contestant(f"nginx, {encoding}", f"{nginx}/{name}", "identity", len(body)),
            Contestant(f"metered, {encoding}", url, encoding, len(body)),
        )
        for name, encoding, body in (("plain", "identity", plain), ("gzip", "gzip", gzip))
    ]
    for pair in pairs:
        for contestant in pair:
            _same_bytes(contestant, keys)
    print(f"\n{layer.entry.short_code}: {WORKERS} workers, {CONNECTIONS} connections, all on one machine")
    runs: dict[str, list[float]] = {}
    failed = 0
    for _ in range(options.rounds):
        for contestant in (one for pair in pairs for one in pair):
            rate, failures = _wrk(contestant, keys, options.seconds)
            runs.setdefault(contestant.name, []).append(rate)
            failed += failures
    return _report(pairs, runs) and failed == 0


def _report(pairs: Sequence[tuple[Contestant, Contestant]], runs: dict[str, list[float]]) -> bool:
    sound = True
    print(f"{'':<20} {'bytes':>12} {'answers/s':>10} {'MB/s':>8}  of nginx")
    for nginx, ours in pairs:
        shares = [mine / its for mine, its in zip(runs[ours.name], runs[nginx.name], strict=True)]
        share = statistics.median(shares)
        for contestant in (nginx, ours):
            rate = statistics.median(runs[contestant.name])
            told = f"{share:.2f} [{min(shares):.2f}-{max(shares):.2f}]" if contestant is ours else ""
            megabytes = rate * contestant.size / 1e6
            print(f"{contestant.name:<20} {contestant.size:>12,} {rate:>10,.1f} {megabytes:>8,.0f}  {told}")
        sound = sound and share >= LEAST_SHARE
    print(f"\nbound: at least {LEAST_SHARE:.2f} of nginx")
    return sound


def _snapshots(folder: Path, snapshot: Path) -> Path:
    snapshots = folder / "snapshots"
    snapshots.mkdir()
    (snapshots / snapshot.name).symlink_to(snapshot.resolve(), target_is_directory=True)
    (snapshots / POINTER).write_text(f'{{"snapshot": "{snapshot.name}"}}', encoding="utf-8")
    return snapshots


def _keys(database: str, file: Path) -> Path:
    """Fill a new store; return the file of its keys, one a line."""
    migrate(database)
    opened = Database(database)
    accounts, credits_ = Accounts(opened), Credits(opened)
    keys = []
    for number in range(ACCOUNTS):
        account = accounts.create().account_id
        credits_.purchase(account, "bulk", event_id=f"bench-{number}")
        credits_.grant(account, MAX_GRANT)
        keys += [accounts.create_key(account, name="bench", scopes=["gis"])[1].text for _ in range(KEYS_EACH)]
    opened.close()
    file.write_text("".join(f"{key}\n" for key in keys), encoding="utf-8")
    return file


@contextlib.contextmanager
def _nginx(folder: Path, bodies: dict[str, bytes | memoryview]) -> Iterator[str]:
    port = free_port()
    (folder / "www").mkdir()
    for name, body in bodies.items():
        (folder / "www" / name).write_bytes(body)
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
        for _ in range(100):
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"http://127.0.0.1:{port}/none", timeout=5)
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=60)


def _same_bytes(contestant: Contestant, keys: Path) -> None:
    key = keys.read_text(encoding="utf-8").split()[0]
    headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": contestant.encoding}
    with httpx.stream("GET", contestant.url, headers=headers, timeout=60) as answer:
        size = sum(len(piece) for piece in answer.iter_raw())
    if (answer.status_code, size) != (200, contestant.size):
        raise RuntimeError(f"{contestant.name} answers {answer.status_code} with {size} bytes")


def _wrk(contestant: Contestant, keys: Path, seconds: int) -> tuple[float, int]:
    """Return answers per second, and how many failed."""
    command = [
        "wrk",
        f"-t{THREADS}",
        f"-c{CONNECTIONS}",
        f"-d{seconds}s",
        "--timeout",
        "30s",
        "-s",
        str(SCRIPT),
    ]
    done = subprocess.run(
        [*command, contestant.url, "--", str(keys), contestant.encoding],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("measured "))
    answers, microseconds, _, _, failed = line.split()[1:]
    return int(answers) / int(microseconds) * 1e6, int(failed)


if __name__ == "__main__":
    sys.exit(main())
