"""The faults: each is done to a running server under load, and undone; what comes of it is one row of the table."""

import os
import shutil
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from serving.contract.layout import POINTER
from serving.contract.manifest import Manifest
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.snapshot.verify import verify_files
from tests.benchmarks.attackers import Attack, attacked_by
from tests.faults.house import NEWER, OLDER, PATIENCE_SECONDS, House, files_of, house, lawbuild
from tests.serving.disks import limited_files, small_disk
from tests.serving.servers import Server
from tests.serving.stores import postgres_server, stopped

LASTS_SECONDS = 4.0
"""How long a fault lasts that would last for good."""
KILLS = 5
FILES = 160
"""Files that a process of the server without descriptors may have open."""
ROOM = 64 << 20
"""Bytes that are free on the disk of the snapshots, beside room for three."""
PUBLICATION = ("--drop", "sample-city")
"""A publication that changes something and builds nothing."""
SMALL = Attack(slow=100, idle=60, heads=2, head_bytes=3_000_000, pipeline_bytes=20_000_000)


@dataclass(frozen=True, slots=True)
class Place:
    """What a fault is given: a folder of its own, one snapshot, and the settings of a workspace with sample law."""

    folder: Path
    snapshot: Path
    workspace: dict[str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Attributes:
        done: what was done.
        seen: what clients saw while it lasted, by status; `broken` counts requests without an answer.
        broken: likewise.
        notes: what was found besides.
        lost: what was lost; empty for nothing.
        recovered: seconds after the end of the fault until no answer failed any more.
    """

    done: str
    seen: Counter[int]
    broken: int
    notes: str
    lost: str
    recovered: float


class Watch:
    """Counts what clients see from one moment on, and says what came of it."""

    def __init__(self, home: House) -> None:
        self._home = home
        self._before = home.load.statuses()
        self._broken = len(home.load.broken)

    def row(self, done: str, *, notes: str = "") -> Row:
        """Wait until the server is well, and return the row of the fault."""
        recovered = self._home.load.wait_until_well(seconds=PATIENCE_SECONDS)
        seen = self._home.load.statuses() - self._before
        broken = len(self._home.load.broken) - self._broken
        self._home.load.__exit__(None, None, None)
        reckoning = self._home.settle()
        lost = "" if reckoning.is_exact else str(reckoning)
        charged = f"{reckoning.unanswered} charged without their answer" if reckoning.unanswered else ""
        return Row(done, seen, broken, "; ".join(filter(None, (notes, charged))), lost, recovered)


@contextmanager
def on_sqlite(place: Place, **options: object) -> Iterator[House]:
    """A house with its store in a file."""
    with house(
        place.folder,
        place.snapshot,
        f"sqlite:///{place.folder / 'accounts.sqlite'}",
        **options,  # type: ignore[arg-type]  # options of `house`
    ) as home:
        yield home


def publish_without_space(place: Place) -> Row:
    """Publish onto a disk without room, and again with room."""
    with ExitStack() as stack:
        source = Path(place.workspace["LAW_SNAPSHOTS"])
        taken = sum(path.stat().st_size for path in source.rglob("*") if path.is_file())
        disk = stack.enter_context(small_disk(place.folder / "disk", space=3 * taken + ROOM))
        built = disk.folder / "built"
        shutil.copytree(source, built)
        home = stack.enter_context(on_sqlite(place, snapshots=built))
        before, current = list_snapshots(built), current_snapshot_id(built)
        places = place.workspace | {"LAW_SNAPSHOTS": str(built)}
        watch = Watch(home)
        disk.fill(home.server)
        failed = lawbuild(places, *PUBLICATION)
        left = sorted(one.name for one in built.iterdir() if not one.is_dir() and one.name != POINTER)
        assert failed.returncode != 0, failed.stdout + failed.stderr
        assert (list_snapshots(built), current_snapshot_id(built)) == (before, current), left
        disk.free(home.server)
        again = lawbuild(places, *PUBLICATION)
        assert again.returncode == 0, again.stdout + again.stderr
        new = current_snapshot_id(built)
        assert new != current
        return watch.row(
            "the disk of the snapshots was full while a map was taken out of service by `lawbuild --drop`; then it had room",
            notes="the publication failed and left nothing; the next one was put in service",
        )


def store_without_space(place: Place) -> Row:
    """Fill the disk of the store, and make room."""
    with small_disk(place.folder / "disk") as disk:
        database = f"sqlite:///{disk.folder / 'accounts.sqlite'}"
        with house(place.folder, place.snapshot, database) as home:
            watch = Watch(home)
            disk.fill(home.server)
            time.sleep(LASTS_SECONDS)
            assert home.ready()[0] == 503
            disk.free(home.server)
            return watch.row("the disk of the store was full")


def store_that_may_not_grow(place: Place) -> Row:
    """Let no file of the store grow, and let it."""
    with limited_files(place.folder / "disk") as disk:
        database = f"sqlite:///{disk.folder / 'accounts.sqlite'}"
        with house(place.folder, place.snapshot, database) as home:
            watch = Watch(home)
            disk.fill(home.server)
            time.sleep(LASTS_SECONDS)
            disk.free(home.server)
            return watch.row("writes to the store failed (the limit on the size of its files)")


def flipped_bytes(place: Place) -> Row:
    """Flip one byte in each file of the snapshot in service, one file after the other."""
    with on_sqlite(place, settings={"LAW_VERIFY_HOURS": "0.0001"}) as home:
        watch = Watch(home)
        files = files_of(home.snapshots / NEWER)
        seconds = []
        for name in files:
            path = home.snapshots / NEWER / name
            _flip(path)
            found = verify_files(home.snapshots / NEWER, Manifest.load(home.snapshots / NEWER))
            assert [name in one for one in found] == [True], found
            begun = time.monotonic()
            _wait_until(home, OLDER)
            seconds.append(time.monotonic() - begun)
            _flip(path)
            _wait_until(home, NEWER)
        return watch.row(
            f"one byte was flipped in each of the {len(files)} files of the snapshot in service, one after the other",
            notes=f"each was named by `/ready`; the older snapshot stood in after {min(seconds):.1f} to {max(seconds):.1f} s",
        )


def _flip(path: Path) -> None:
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        (byte,) = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))


def _wait_until(home: House, snapshot: str) -> None:
    """Wait until both workers serve a snapshot."""
    deadline, said = time.monotonic() + PATIENCE_SECONDS, 0
    while said < 8:
        assert time.monotonic() < deadline, home.ready()
        status, told = home.ready()
        said = said + 1 if status == 200 and told["snapshot"] == snapshot else 0


def deleted_file(place: Place) -> Row:
    """Delete a file of the snapshot in service, and put it back."""
    with on_sqlite(place) as home:
        watch = Watch(home)
        path = home.snapshots / NEWER / "nodes.arrow"
        away = place.folder / "away"
        shutil.move(path, away)
        _wait_until(home, OLDER)
        shutil.move(away, path)
        _wait_until(home, NEWER)
        return watch.row("`nodes.arrow` of the snapshot in service was deleted, and put back")


def database_that_stops(place: Place) -> Row:
    """Stop PostgreSQL, and start it again."""
    with postgres_server() as server, house(place.folder, place.snapshot, _new_database(server)) as home:
        watch = Watch(home)
        server.stop()
        time.sleep(LASTS_SECONDS)
        assert home.ready()[0] == 503
        server.start()
        return watch.row(f"PostgreSQL was stopped for {LASTS_SECONDS:g} s")


def database_that_hangs(place: Place) -> Row:
    """Halt all processes of PostgreSQL, and let them go on."""
    with postgres_server() as server:
        url = _new_database(server)
        with house(place.folder, place.snapshot, url) as home:
            watch = Watch(home)
            with stopped(url):
                time.sleep(2 * LASTS_SECONDS)
            return watch.row(f"all processes of PostgreSQL were halted for {2 * LASTS_SECONDS:g} s")


def _new_database(server: object) -> str:
    url: str = server.get_uri()  # type: ignore[attr-defined]  # of a library without types
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE law")
    return url.replace("/postgres?", "/law?")


def killed_workers(place: Place) -> Row:
    """Kill a worker a second."""
    with on_sqlite(place) as home:
        watch = Watch(home)
        for _ in range(KILLS):
            os.kill(home.server.workers()[0], signal.SIGKILL)
            time.sleep(1)
        return watch.row(f"{KILLS} workers were killed (SIGKILL), one a second")


def killed_master(place: Place) -> Row:
    """Kill the master, and start the server again, as systemd does."""
    with on_sqlite(place) as home:
        watch = Watch(home)
        workers = home.server.workers()
        home.server.kill()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while any(Path(f"/proc/{pid}").exists() for pid in workers):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        home.server = Server(
            home.snapshots,
            place.folder / "log.2",
            home.server.database,
            port=home.server.port,
            environment={"LAW_LOG_LEVEL": "warning"},
        )
        try:
            return watch.row("the master was killed (SIGKILL) and, once its workers had left, started again")
        finally:
            home.server.kill()


def no_descriptors(place: Place) -> Row:
    """Hold more connections than the server may have files."""
    with on_sqlite(place, files=FILES, settings={"LAW_CONNECTIONS_PER_ADDRESS": "4096"}) as home:
        watch = Watch(home)
        with ExitStack() as held:
            for _ in range(2 * FILES):
                held.enter_context(socket.create_connection(("127.0.0.1", home.server.port), timeout=10))
            time.sleep(LASTS_SECONDS)
        return watch.row(
            f"{2 * FILES} idle connections were opened to processes that may have {FILES} files open each"
        )


def slow_and_broken_http(place: Place) -> Row:
    """Send heads byte by byte, heads without end, requests in a row whose answers nobody reads."""
    with on_sqlite(place) as home:
        watch = Watch(home)
        workers = home.server.workers()
        path, key = "/api/v1/coverage", home.books.customer(balance=1000, tier="bulk").key
        with attacked_by(SMALL, home.server.port, path, key):
            time.sleep(2 * LASTS_SECONDS)
        same = sorted(home.server.workers()) == sorted(workers)
        return watch.row(
            f"{SMALL.slow} heads came a byte a second, {SMALL.idle} connections were idle, heads had no end, and "
            "requests in a row had answers that nobody read",
            notes="no worker was replaced" if same else "a worker was replaced",
        )


Fault = Callable[[Place], Row]
FAULTS: dict[str, Fault] = {
    "Disk of the snapshots full while publishing": publish_without_space,
    "Disk of the store full": store_without_space,
    "Store that may not grow": store_that_may_not_grow,
    "Bytes flipped": flipped_bytes,
    "File deleted": deleted_file,
    "PostgreSQL away": database_that_stops,
    "PostgreSQL hangs": database_that_hangs,
    "Workers killed": killed_workers,
    "Master killed": killed_master,
    "No descriptors": no_descriptors,
    "Slow and broken HTTP": slow_and_broken_http,
}
"""Every fault by its name in the table."""
