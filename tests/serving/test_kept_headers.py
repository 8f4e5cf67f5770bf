"""What clients send is not kept: the memory of a worker after thousands of requests that differ in one long header."""

import http.client
from pathlib import Path

import pytest

from tests.serving.pages.conftest import copied
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
REQUESTS = 2_000
LENGTH = 60_000
GROWTH = 20 << 20
"""Bytes that a worker may take more than before: what the allocator holds for requests of that size."""


@pytest.fixture(scope="module")
def server(snapshots_folder, sqlite_template, tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    environment = {"LAW_LOG_LEVEL": "warning"}
    server = Server(
        snapshots_folder,
        folder / "server.log",
        copied(sqlite_template, folder),
        workers=1,
        environment=environment,
    )
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.kill()


def resident(server: Server) -> int:
    (worker,) = server.workers()
    status = Path(f"/proc/{worker}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def ask(server: Server, method: str, path: str, name: str, values) -> None:
    """Send a request with each value of a header; what is refused may cost the connection."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    for value in values:
        try:
            connection.putrequest(method, path, skip_host=name == "Host", skip_accept_encoding=True)
            connection.putheader(name, value)
            if method == "POST":
                connection.putheader("Content-Length", "0")
            connection.endheaders()
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            connection.close()
    connection.close()


@pytest.mark.parametrize(
    ("method", "path", "name", "form"),
    [
        ("HEAD", "/api/v1", "Accept-Encoding", "{}"),
        ("HEAD", "/api/v1", "Accept", "text/{}"),
        ("HEAD", "/nothing", "Accept", "application/problem+json, text/{}"),
        ("HEAD", "/health", "X-Forwarded-For", "{}"),
        ("HEAD", "/health", "X-Request-Id", "{}"),
        ("HEAD", "/api/v1/me", "Authorization", "Bearer {}"),
        ("POST", "/mcp", "Host", "{}"),
        ("POST", "/mcp", "Origin", "http://{}"),
    ],
)
def test_thousands_of_long_headers_leave_nothing_behind(server, method, path, name, form):
    ask(server, method, path, name, (form.format(f"{number:x}".rjust(LENGTH, "x")) for number in range(60)))
    before = resident(server)
    ask(
        server,
        method,
        path,
        name,
        (form.format(f"{number:x}".rjust(LENGTH, "y")) for number in range(REQUESTS)),
    )
    grown = resident(server) - before
    print(f"{name} to {path}: {grown / 2**20:.1f} MB more after {REQUESTS} requests")
    assert grown < GROWTH
