"""A real server of two workers with its door for agents, clients of both eras, and the books behind it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.serving.mcp.wire import Wire
from tests.serving.metering.books import Books, Customer, opened_books
from tests.serving.servers import Server
from tests.serving.stores import new_databases

WORKERS = 2
LIMITED_ORIGIN = "https://app.example.org"


@pytest.fixture(scope="package")
def server(
    request: pytest.FixtureRequest, snapshots_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("mcp")
    with new_databases(request, "sqlite", folder) as make:
        server = Server(
            snapshots_folder,
            folder / "server.log",
            make(),
            workers=WORKERS,
            environment={"LAW_MCP_ORIGINS": LIMITED_ORIGIN},
        )
        try:
            server.wait_until_ready()
            server.wait_for_workers(WORKERS)
            yield server
        finally:
            server.kill()


@pytest.fixture(scope="package")
def books(server: Server) -> Iterator[Books]:
    with opened_books(server.database) as books:
        yield books


@pytest.fixture
def customer(books: Books) -> Customer:
    return books.customer(tier="bulk", balance=1_000)


@pytest.fixture(scope="module")
def anyone(books: Books) -> Customer:
    """A customer for the tests of a module that have no need of one of their own: making it takes longer than they."""
    return books.customer(tier="bulk", balance=1_000)


@pytest.fixture(scope="package")
def http(server: Server) -> Iterator[httpx.Client]:
    """Each request on a new connection: whichever worker takes it answers."""
    with httpx.Client(base_url=server.url, timeout=30, headers={"Connection": "close"}) as client:
        yield client


@pytest.fixture
def wire(http: httpx.Client, customer: Customer) -> Wire:
    """Speaks the newest revision by hand."""
    return Wire(http, customer.key)


@pytest.fixture
def stdio_command(server: Server, snapshots_folder: Path) -> tuple[str, list[str], dict[str, str]]:
    """Program, arguments and environment of a server over stdio on the same store."""
    environment = {"LAW_SNAPSHOTS": str(snapshots_folder), "LAW_DATABASE_URL": server.database}
    return sys.executable, ["-m", "serving.mcp"], environment


@pytest.fixture(scope="module")
def shared_wire(http: httpx.Client, anyone: Customer) -> Wire:
    """Speaks by hand too, for tests that say nothing of how much is left."""
    return Wire(http, anyone.key)
