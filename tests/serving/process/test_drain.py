"""A server that drains before it stops: not ready at once, and serving until the wait is over."""

import shutil
import signal
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.serving.servers import START_SECONDS, KeyRing, Server

pytestmark = pytest.mark.e2e
DRAIN_SECONDS = 10
"""Long enough for a busy machine to ask a dozen times meanwhile."""


@pytest.fixture
def serve(snapshots_folder, sqlite_template, tmp_path) -> Iterator[Callable[[int], Server]]:
    servers: list[Server] = []

    def start(drain_seconds: int) -> Server:
        shutil.copy(sqlite_template, tmp_path / "accounts.sqlite")
        server = Server(
            snapshots_folder,
            tmp_path / "server.log",
            f"sqlite:///{tmp_path / 'accounts.sqlite'}",
            environment={"LAW_DRAIN_SECONDS": str(drain_seconds)},
        )
        servers.append(server)
        server.wait_until_ready()
        server.wait_for_workers(2)
        return server

    yield start
    for server in servers:
        server.kill()


def ready(server: Server) -> httpx.Response:
    return httpx.get(f"{server.url}/ready", headers={"Connection": "close"}, timeout=START_SECONDS)


def test_a_stop_is_told_by_all_workers_before_it_comes_and_nothing_is_refused(serve, node):
    server = serve(DRAIN_SECONDS)
    key = KeyRing(server.database).headers()
    asked_at = time.monotonic()
    server.process.terminate()
    while ready(server).status_code == 200:
        assert time.monotonic() < asked_at + DRAIN_SECONDS
    answers = [ready(server) for _ in range(10)]
    assert {(one.status_code, one.json()["message"]) for one in answers} == {
        (503, "The server is about to stop.")
    }
    assert answers[0].headers["retry-after"] == "5"
    read = httpx.get(f"{server.url}/api/v1/node/{node('/us/sample/t1/s9')}", headers=key, timeout=10)
    assert read.status_code == 200
    assert server.process.wait(timeout=START_SECONDS) == 0
    assert time.monotonic() - asked_at >= DRAIN_SECONDS


def test_a_worker_that_is_replaced_is_no_stop_and_a_second_signal_ends_the_wait(serve):
    server = serve(600)
    before = set(server.workers())
    server.process.send_signal(signal.SIGHUP)
    deadline = time.monotonic() + START_SECONDS
    while before & set(server.workers()):
        assert time.monotonic() < deadline
        # It may wait until a new worker is there, and is not refused.
        assert ready(server).status_code == 200
        time.sleep(0.05)
    server.process.terminate()
    while ready(server).status_code == 200:
        assert time.monotonic() < deadline
    server.process.terminate()
    assert server.process.wait(timeout=START_SECONDS) == 0
