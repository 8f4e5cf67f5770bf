"""A server with its snapshots and its store, under load: what faults are done to."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from serving.contract.layout import POINTER
from serving.contract.manifest import Manifest
from serving.metering.migrations import migrate
from serving.snapshot.store import open_snapshot
from tests.faults.load import Load
from tests.serving.manifests import edit_manifest
from tests.serving.metering.books import Books, Customer, opened_books
from tests.serving.servers import Server

WORKERS = 2
OLDER, NEWER = "2026.11.21-1", "2026.11.21-2"
CUSTOMERS, KEYS, BALANCE = 4, 10, 200_000
PATIENCE_SECONDS = 180
SETTINGS = {"LAW_PROBE_SECONDS": "0.5", "LAW_LOG_LEVEL": "warning", "LAW_DATABASE_SECONDS": "2"}


@dataclass
class House:
    """A running server, its load, and the books of its store."""

    folder: Path
    snapshots: Path
    server: Server
    load: Load
    books: Books
    customers: Sequence[Customer]

    def ready(self) -> tuple[int, Mapping[str, object]]:
        """Status and body of `/ready`; 0 where nobody answers."""
        with suppress(httpx.TransportError):
            answer = httpx.get(
                f"{self.server.url}/ready", headers={"Connection": "close"}, timeout=PATIENCE_SECONDS
            )
            return answer.status_code, answer.json()
        return 0, {}

    def settle(self) -> "Reckoning":
        """Compare what clients were told with what was charged."""
        charged = [one for customer in self.customers for one in self.books.charged(customer.account_id)]
        told = [answer.ask.request_id for answer in self.load.answers if answer.status == 200]
        return Reckoning(
            unpaid=len(set(told) - set(charged)),
            twice=len(charged) - len(set(charged)),
            unanswered=len(set(charged) - set(told)),
            in_flight=len(self.load.broken) + sum(self.load.statuses().values()) - len(told),
            imbalances=len(self.books.credits.check_ledger()),
        )


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What came of charges.

    Attributes:
        unpaid: answers without their charge.
        twice: charges beyond the first of a request.
        unanswered: charges whose answer did not come.
        in_flight: requests that were refused or never answered: what `unanswered` are of.
        imbalances: accounts whose balance is not the sum of their entries.
    """

    unpaid: int
    twice: int
    unanswered: int
    in_flight: int
    imbalances: int

    @property
    def is_exact(self) -> bool:
        """Return whether nothing was lost: each answer is charged once, and balances are their entries."""
        return not (self.unpaid or self.twice or self.imbalances) and self.unanswered <= self.in_flight


@dataclass
class Seen:
    """What clients saw while a fault lasted, and after it."""

    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0


@contextmanager
def house(
    folder: Path,
    snapshot: Path,
    database: str,
    *,
    settings: Mapping[str, str] | None = None,
    files: int | None = None,
    paths: Sequence[str] | None = None,
    snapshots: Path | None = None,
) -> Iterator[House]:
    """Start a server and clients that ask it.

    Args:
        folder: for all that it writes.
        snapshot: its law.
        database: URL of its store, which is made.
        settings: variables beyond those of all faults.
        files: how many files each of its processes may have open.
        paths: that clients ask for; None for those of `paths_of`.
        snapshots: that it serves; None for two copies of the snapshot, the newer one in service.
    """
    if snapshots is None:
        snapshots = folder / "snapshots"
        lay(snapshots, snapshot)
    migrate(database)
    with opened_books(database) as books:
        customers = [books.customer(balance=BALANCE, tier="bulk", keys=KEYS) for _ in range(CUSTOMERS)]
        server = Server(
            snapshots,
            folder / "log",
            database,
            workers=WORKERS,
            environment=SETTINGS | dict(settings or {}),
            files=files,
        )
        try:
            server.wait_until_ready(seconds=PATIENCE_SECONDS)
            server.wait_for_workers(WORKERS)
            keys = [key for turn in zip(*(one.keys for one in customers), strict=True) for key in turn]
            with Load(server.port, paths or paths_of(snapshot), keys) as load:
                load.wait_until_well(seconds=PATIENCE_SECONDS)
                yield House(folder, snapshots, server, load, books, customers)
        finally:
            server.kill()


def lay(snapshots: Path, snapshot: Path) -> None:
    """Put two copies of a snapshot into a folder, under ids of their own, and the newer one in service."""
    for name in (OLDER, NEWER):
        shutil.copytree(snapshot, snapshots / name)
        edit_manifest(snapshots / name, id=name)
    (snapshots / POINTER).write_text(json.dumps({"snapshot": NEWER}), encoding="utf-8")


def paths_of(snapshot: Path) -> list[str]:
    """Calls of one credit: some charged when their answer is ready, some before it is made."""
    opened = open_snapshot(snapshot)
    nodes = [str(opened.nodes.id(row)) for row in range(0, len(opened.nodes), max(1, len(opened.nodes) // 5))]
    opened.close()
    return [f"/api/v1/node/{node}" for node in nodes] + [
        "/api/v1/coverage",
        "/api/v1/search?q=permit&limit=1",
    ]


def files_of(snapshot: Path) -> list[str]:
    """Every file of a snapshot."""
    return [entry.path for entry in Manifest.load(snapshot).files]


def build_sample(folder: Path) -> dict[str, str]:
    """Build the sample with `lawbuild`, unless it is there; return the settings of its workspace."""
    places = {"LAW_WORKSPACE": str(folder / "data"), "LAW_SNAPSHOTS": str(folder / "built")}
    if not (folder / "built" / POINTER).exists():
        lawbuild(places, "sample-code", "sample-city-code", "sample-city").check_returncode()
    return places


def lawbuild(places: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `lawbuild`."""
    return subprocess.run(
        [str(Path(sys.executable).parent / "lawbuild"), *arguments],
        env={**os.environ, **places, "DAGSTER_HOME": str(Path(places["LAW_WORKSPACE"]).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
