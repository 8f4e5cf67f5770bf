"""A server whose agents connect by OAuth, and account holders who are asked."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.serving.authorization.agents import Agent
from tests.serving.metering.books import Books, opened_books
from tests.serving.pages.people import Person
from tests.serving.servers import Server
from tests.serving.stores import new_databases

APP = "https://app.example.org"
"""Origin of the pages of a client that runs in a browser."""


@pytest.fixture(scope="package")
def server(
    request: pytest.FixtureRequest, snapshots_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("authorization")
    with new_databases(request, "sqlite", folder) as make:
        environment = {"LAW_MCP_ORIGINS": APP}
        server = Server(snapshots_folder, folder / "server.log", make(), environment=environment)
        try:
            server.wait_until_ready()
            server.wait_for_workers(2)
            yield server
        finally:
            server.kill()


@pytest.fixture(scope="package")
def books(server: Server) -> Iterator[Books]:
    with opened_books(server.database) as books:
        yield books


@pytest.fixture
def person(server: Server) -> Iterator[Person]:
    """An account holder with a browser."""
    person = Person(server.url).sign_up()
    yield person
    person.http.close()


@pytest.fixture
def agent(server: Server) -> Iterator[Callable[..., Agent]]:
    """Makes registered agents, each of a network of its own."""
    with ExitStack() as opened:

        def make(**metadata: object) -> Agent:
            agent = Agent(server.url)
            opened.callback(agent.http.close)
            agent.register(**metadata)
            return agent

        yield make
