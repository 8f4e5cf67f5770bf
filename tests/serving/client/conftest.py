"""A real server for the client, and services that answer as they are told."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from legal_client import Client
from legal_client.cli import BASE_URL, main
from legal_client.cli import KEY as KEY_VARIABLE
from legal_client.metered_client import MeteredClient
from tests.serving.servers import KeyRing, Server

KEY = "lr_live_" + "k" * 38


class Scripted:
    """A service that gives the answers it was told, one after the other, and notes what it was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers = list(answers)
        self.asked: list[httpx.Request] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def client_of() -> Iterator[Callable[..., tuple[Client, Scripted]]]:
    """Makes a client of a service that answers as told; waits are noted and not waited."""
    with ExitStack() as opened:

        def make(*answers: httpx.Response | Exception, **options: object) -> tuple[Client, Scripted]:
            service = Scripted(*answers)
            client = MeteredClient(
                "https://law.example",
                key=KEY,
                transport=httpx.MockTransport(service),
                sleep=service.slept.append,
                **options,
            )
            return opened.enter_context(client), service

        yield make


@pytest.fixture(scope="session")
def client_server(
    snapshots_folder: Path, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("client")
    shutil.copy(sqlite_template, folder / "accounts.sqlite")
    server = Server(snapshots_folder, folder / "server.log", f"sqlite:///{folder / 'accounts.sqlite'}")
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="session")
def key(client_server: Server) -> str:
    return KeyRing(client_server.database).headers()["Authorization"].removeprefix("Bearer ")


@pytest.fixture
def client(client_server: Server, key: str) -> Iterator[Client]:
    with Client(client_server.url, key=key) as client:
        yield client


@pytest.fixture
def legal(client_server, key, monkeypatch, capsys):
    """Runs a command against the server and gives its status, what it printed and what it said."""
    monkeypatch.setenv(BASE_URL, client_server.url)
    monkeypatch.setenv(KEY_VARIABLE, key)

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run
