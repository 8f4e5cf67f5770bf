"""Real servers of four workers on either store: one by the engine's own time, one on a clock that tests move."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from serving.metering.clock import SECOND
from tests.serving.metering.books import Books, opened_books
from tests.serving.metering.clocks import CLOCK, FileClock
from tests.serving.servers import Server
from tests.serving.stores import ENGINES, new_databases

WORKERS = 4
NOON = 1_795_003_200 * SECOND
"""18 November 2026, 12:00 UTC."""
NEW_DATABASE = Callable[[], str]


@contextmanager
def running(server: Server) -> Iterator[Server]:
    try:
        server.wait_until_ready()
        server.wait_for_workers(WORKERS)
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="package", params=ENGINES)
def new_database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[NEW_DATABASE]:
    with new_databases(request, request.param, tmp_path_factory.mktemp("store")) as make:
        yield make


@pytest.fixture(scope="package")
def server(
    new_database: NEW_DATABASE, snapshots_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    log = tmp_path_factory.mktemp("metered") / "server.log"
    with running(Server(snapshots_folder, log, new_database(), workers=WORKERS)) as server:
        yield server


@pytest.fixture
def books(server: Server) -> Iterator[Books]:
    with opened_books(server.database) as books:
        yield books


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    """Asks the server, each time on a new connection: whichever worker takes it answers."""
    with httpx.Client(base_url=server.url, timeout=30, headers={"Connection": "close"}) as client:
        yield client


@pytest.fixture(scope="package")
def clock(new_database: NEW_DATABASE, tmp_path_factory: pytest.TempPathFactory) -> FileClock:
    """A clock for each store, which only ever goes forward."""
    return FileClock(tmp_path_factory.mktemp("clock") / "instant", start=NOON)


@pytest.fixture(scope="package")
def clocked(
    new_database: NEW_DATABASE,
    snapshots_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    clock: FileClock,
) -> Iterator[Server]:
    """A server on `clock`."""
    log = tmp_path_factory.mktemp("clocked") / "server.log"
    server = Server(
        snapshots_folder,
        log,
        new_database(),
        workers=WORKERS,
        app="tests.serving.metering.clocked:app",
        environment={CLOCK: str(clock.path)},
    )
    with running(server):
        yield server


@pytest.fixture
def paths(node: Callable[[str], str]) -> list[str]:
    """Calls of one credit: some charged when their answer is ready, some before it is made."""
    return [
        f"/api/v1/node/{node('/us/sample/t1/s9')}",
        "/api/v1/coverage",
        f"/api/v1/node/{node('/us/sample/t1/s7')}",
        "/api/v1/search?q=harbor&mode=keyword&limit=1",
        "/api/v1/code-bodies",
        "/api/v1/me",
    ]


@pytest.fixture
def clocked_books(clocked: Server, clock: FileClock) -> Iterator[Books]:
    with opened_books(clocked.database, clock=clock) as books:
        yield books
