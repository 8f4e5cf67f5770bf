"""Answers that come before a long body has: none is lost, none stalls the next, and what ends a connection says so."""

import random
import shutil
import socket
import time
from collections.abc import Iterator

import pytest

from serving.process.protocol.deadlines import LINGER_SECONDS
from serving.process.protocol.sizes import MAX_LEFTOVER
from tests.serving.process.protocol.test_bounded_protocol import HEALTH, answers, connected, is_taken
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e

BODY_SECONDS = 8
PATHS = ("/oauth/register", "/oauth/token", "/mcp", "/settings/sign-in", "/health")
"""All answer a long body: some before it has come, some once they have read too much of it."""
LENGTHS = (MAX_LEFTOVER + 1, 90_000, 150_000, 300_000)
KEPT, CLOSED = b"", b"Connection: close\r\n"


@pytest.fixture(scope="module")
def server(snapshots_folder, sqlite_template, tmp_path_factory) -> Iterator[Server]:
    """A server with one worker."""
    folder = tmp_path_factory.mktemp("early")
    shutil.copy(sqlite_template, folder / "accounts.sqlite")
    database = f"sqlite:///{folder / 'accounts.sqlite'}"
    environment = {"LAW_BODY_SECONDS": str(BODY_SECONDS)}
    server = Server(snapshots_folder, folder / "log", database, workers=1, environment=environment)
    try:
        server.wait_until_ready()
        yield server
        assert "Traceback" not in server.log.read_text(encoding="utf-8")
        assert server.stop() == 0
    finally:
        server.kill()


def head(path: str, framing: str, connection: bytes, *, number: int = 0) -> bytes:
    lines = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.18.{number // 250}.{number % 250 + 1}\r\n"
    )
    lines += "Content-Type: application/x-www-form-urlencoded\r\n"
    return lines.encode() + connection + framing.encode() + b"\r\n\r\n"


def in_chunks(body: bytes) -> bytes:
    pieces = [body[start : start + 8_000] for start in range(0, len(body), 8_000)]
    return b"".join([b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces]) + b"0\r\n\r\n"


def in_pieces(connection: socket.socket, sent: bytes, chance: random.Random, pieces: int) -> None:
    """Send bytes in so many pieces, with or without a moment between two."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    step = len(sent) // pieces + 1
    for start in range(0, len(sent), step):
        if start and chance.random() < 0.5:
            time.sleep(chance.random() * 0.004)
        connection.sendall(sent[start : start + step])


@pytest.mark.parametrize("pieces", [1, 2, 7, 40])
@pytest.mark.parametrize("connection", [KEPT, CLOSED], ids=["kept", "closed"])
@pytest.mark.parametrize("chunked", [False, True], ids=["whole", "chunked"])
def test_long_bodies_are_answered_and_what_ends_a_connection_says_so(server, pieces, connection, chunked):
    chance = random.Random(f"{pieces} {connection!r} {chunked}")
    for number, path in enumerate(PATHS * 3):
        body = b"a=1&" * (chance.choice(LENGTHS) // 4)
        framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}"
        sent = head(path, framing, connection, number=number) + (in_chunks(body) if chunked else body)
        with connected(server) as wire:
            wire.settimeout(10)
            found = answers(wire.makefile("rb"))
            in_pieces(wire, sent, chance, pieces)
            status, headers, _ = next(found)
            assert 400 <= status < 500, path
            if headers.get("connection") == "close":
                assert list(found) == []
            else:
                assert connection == KEPT
                wire.sendall(HEALTH)
                assert next(found)[0] == 200


def test_answer_says_so_where_the_rest_of_a_body_is_not_read(server):
    for left, ends in [(MAX_LEFTOVER, False), (MAX_LEFTOVER + 1, True)]:
        with connected(server) as wire:
            wire.sendall(head("/health", f"Content-Length: {left + 1}", KEPT) + b"a")
            status, headers, _ = next(answers(wire.makefile("rb")))
            assert (status, headers.get("connection") == "close") == (405, ends)


def test_answer_is_not_lost_to_who_sends_slowly_and_reads_at_the_end(server):
    body = b"a" * 300_000
    with connected(server) as wire:
        begun = time.monotonic()
        wire.sendall(head("/oauth/register", f"Content-Length: {len(body)}", CLOSED))
        for start in range(0, len(body), 20_000):
            wire.sendall(body[start : start + 20_000])
            time.sleep(0.5)
        assert time.monotonic() - begun > LINGER_SECONDS + 1.5, "longer than one who sends nothing may take"
        (found,) = answers(wire.makefile("rb"))
        assert found[0] == 400


def test_connection_that_lingers_ends(server):
    with connected(server) as wire:
        begun = time.monotonic()
        wire.sendall(head("/health", "Content-Length: 1000000000", KEPT) + b"a")
        (found,) = answers(wire.makefile("rb"))
        assert found[1]["connection"] == "close"
        while is_taken(wire, b"a"):
            time.sleep(0.2)
            assert time.monotonic() - begun < BODY_SECONDS + 20
        assert time.monotonic() - begun > BODY_SECONDS, "one who still sends is given the time for bodies"


def test_connection_that_lingers_ends_soon_for_who_sends_no_more(server):
    with connected(server) as wire:
        wire.sendall(head("/health", "Content-Length: 1000000000", KEPT) + b"a")
        (found,) = answers(wire.makefile("rb"))
        assert found[1]["connection"] == "close"
        time.sleep(LINGER_SECONDS + 2.5)
        assert not (is_taken(wire, b"a") and is_taken(wire, b"a"))
