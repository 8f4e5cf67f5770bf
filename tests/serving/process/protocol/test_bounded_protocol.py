"""Raw bytes against a real server: what is no request, what has no bounds, and clients that keep it waiting."""

import json
import os
import re
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from serving.api.errors import STATUS
from serving.process.protocol.sizes import LONG_URL, MAX_HEAD, MAX_HEADERS, MAX_LEFTOVER, MAX_URL
from tests.serving.servers import KeyRing, Server, free_port

pytestmark = pytest.mark.e2e

LIMIT = 1
"""Seconds that the server of these tests waits for a client; it looks at its connections once a second."""
SOON = LIMIT + 10
"""Before any time that a server waits of itself, and late enough for a busy machine."""
TIMES = ("LAW_HEADER_SECONDS", "LAW_BODY_SECONDS", "LAW_IDLE_SECONDS", "LAW_WRITE_SECONDS")
HEAD = b"Host: law.example\r\n"
CHUNKED = b"POST /health HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
HEALTH = b"GET /health HTTP/1.1\r\n" + HEAD + b"\r\n"


@pytest.fixture(scope="module")
def metrics_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def server(snapshots_folder, sqlite_template, tmp_path_factory, metrics_port) -> Iterator[Server]:
    """A server with one worker."""
    folder = tmp_path_factory.mktemp("bounded")
    shutil.copy(sqlite_template, folder / "accounts.sqlite")
    server = Server(
        snapshots_folder,
        folder / "log",
        f"sqlite:///{folder / 'accounts.sqlite'}",
        workers=1,
        environment=dict.fromkeys(TIMES, str(LIMIT)) | {"LAW_METRICS_ADDRESS": f"127.0.0.1:{metrics_port}"},
    )
    try:
        server.wait_until_ready()
        yield server
        assert "Traceback" not in server.log.read_text(encoding="utf-8")
        assert server.stop() == 0
    finally:
        server.kill()


@contextmanager
def connected(server: Server) -> Iterator[socket.socket]:
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=30)) as connection:
        yield connection


def answers(stream) -> Iterator[tuple[int, dict[str, str], bytes]]:
    """Read answers until the connection ends."""
    while line := stream.readline():
        status, headers = int(line.split()[1]), {}
        while (line := stream.readline().strip()) != b"":
            name, _, value = line.decode("ascii").partition(": ")
            headers[name.lower()] = value
        yield status, headers, stream.read(int(headers["content-length"]))


def send(connection: socket.socket, sent: bytes) -> None:
    """Send as much as the server takes: one that refused has no use for the rest."""
    try:
        connection.sendall(sent)
    except (BrokenPipeError, ConnectionResetError):
        return


def is_taken(connection: socket.socket, sent: bytes) -> bool:
    """Send as much as the other end takes now; False once it closed the connection."""
    try:
        connection.send(sent)
    except TimeoutError:
        return True
    except (BrokenPipeError, ConnectionResetError):
        return False
    return True


def converse(server: Server, *pieces: bytes) -> list[tuple[int, dict[str, str], bytes]]:
    """Send bytes on a connection and read what is answered until the server closes it."""
    with connected(server) as connection:
        for number, piece in enumerate(pieces):
            if number:
                time.sleep(0.05)
            send(connection, piece)
        return list(answers(connection.makefile("rb")))


def assert_refused(found: list[tuple[int, dict[str, str], bytes]], code: str) -> None:
    """The last answer is an error as they all are, and the connection closed."""
    status, headers, body = found[-1]
    told = json.loads(body)
    assert (told["error"], status) == (code, STATUS[code])
    assert told["message"]
    assert told["requestId"] == headers["x-request-id"]
    assert headers["connection"] == "close"
    assert headers["cache-control"] == "no-store"
    assert headers["content-type"] == "application/json"
    assert headers["vary"].startswith("Accept-Encoding")
    assert headers["x-snapshot-id"]


MALFORMED = {
    "nothing known": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "no version": b"GET /health\r\n\r\n",
    "a version to come": b"GET /health HTTP/2.0\r\n" + HEAD + b"\r\n",
    "a strange version": b"GET /health HTTP/1.7\r\n" + HEAD + b"\r\n",
    "HTTP/2 by force": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a strange method": b"FETCH /health HTTP/1.1\r\n" + HEAD + b"\r\n",
    "a proxy asked for": b"CONNECT law.example:443 HTTP/1.1\r\n" + HEAD + b"\r\n",
    "all of the server": b"OPTIONS * HTTP/1.1\r\n" + HEAD + b"\r\n",
    "another scheme": b"GET ftp://law.example/health HTTP/1.1\r\n" + HEAD + b"\r\n",
    "no host": b"GET http:///health HTTP/1.1\r\n" + HEAD + b"\r\n",
    "no header that names one": b"GET /health HTTP/1.1\r\nAccept: */*\r\n\r\n",
    "none beside the address that does": b"GET http://law.example/health HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /health HTTP/1.1\r\n" + HEAD + b"Host: other.example\r\n\r\n",
    "one host twice": b"GET /health HTTP/1.1\r\n" + HEAD + HEAD + b"\r\n",
    "a path for a host": b"GET /health HTTP/1.1\r\nHost: law.example/a\r\n\r\n",
    "a user at a host": b"GET /health HTTP/1.1\r\nHost: me@law.example\r\n\r\n",
    "a blank in a host": b"GET /health HTTP/1.1\r\nHost: law example\r\n\r\n",
    "a port that is no number": b"GET /health HTTP/1.1\r\nHost: law.example:http\r\n\r\n",
    "two hosts of an older version": b"GET /health HTTP/1.0\r\n" + HEAD + HEAD + b"\r\n",
    "no slash": b"GET health HTTP/1.1\r\n" + HEAD + b"\r\n",
    "NUL in the address": b"GET /hea\0lth HTTP/1.1\r\n" + HEAD + b"\r\n",
    "letters beyond ASCII in the address": b"GET /health?q=\xc2\xa7 HTTP/1.1\r\n" + HEAD + b"\r\n",
    "NUL in a header": b"GET /health HTTP/1.1\r\nHost: law\0.example\r\n\r\n",
    "a blank before the colon": b"GET /health HTTP/1.1\r\nHost : law.example\r\n\r\n",
    "a folded header": b"GET /health HTTP/1.1\r\nHost: law\r\n .example\r\n\r\n",
    "lines that end too early": b"GET /health HTTP/1.1\nHost: law.example\n\n",
    "a length and chunks": CHUNKED[:-2] + b"Content-Length: 3\r\n\r\n0\r\n\r\n",
    "chunks and a length": CHUNKED.replace(b"Transfer", b"Content-Length: 3\r\nTransfer") + b"0\r\n\r\n",
    "two lengths": b"POST /health HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    "a length below zero": b"POST /health HTTP/1.1\r\nContent-Length: -3\r\n\r\n",
    "a length beyond all": b"POST /health HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "a coding that is not taken": CHUNKED.replace(b"chunked", b"gzip"),
    "a coding twice": CHUNKED.replace(b"chunked", b"chunked, chunked"),
    "no size of a chunk": CHUNKED + b"lots\r\n",
    "a size of a chunk beyond all": CHUNKED + b"fffffffffffffffff\r\n",
    "another protocol for a body": b"POST /health HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabc",
}


@pytest.mark.parametrize("sent", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_request_is_refused(server, sent):
    assert_refused(converse(server, sent), "bad_request")


def test_refusal_comes_after_the_answers_to_what_was_asked_before(server):
    found = converse(server, HEALTH * 3 + MALFORMED["no version"])
    assert [status for status, _, _ in found] == [200, 200, 200, 400]


def test_websocket_is_answered_as_any_request(server):
    upgrade = HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    sent = [b"GET " + path + b" HTTP/1.1\r\n" + upgrade + key for path in (b"/health", b"/api/v1/none")]
    close = HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    found = converse(server, b"".join(sent) + close)
    assert [status for status, _, _ in found] == [200, 404, 200]
    assert json.loads(found[1][2])["error"] == "not_found"


@pytest.mark.parametrize(
    ("target", "status"),
    [
        (b"http://law.example/health", 200),
        (b"http://law.example/health?x=1", 422),
        (b"http://law.example", 200),
    ],
)
def test_address_may_name_the_server(server, target, status):
    (found,) = converse(server, b"GET " + target + b" HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n")
    assert found[0] == status


@pytest.mark.parametrize(
    "sent",
    [
        b"1.0\r\n",
        b"1.0\r\nHost: law.example\r\n",
        b"1.1\r\nHOST: law.example:8000 \r\n",
        b"1.1\r\nHost: [::1]:8000\r\n",
        b"1.1\r\nHost: law_server-1\r\n",
        b"1.1\r\nHost:\r\n",
    ],
)
def test_host_may_be_any_name_and_is_named_by_no_older_version(server, sent):
    (found,) = converse(server, b"GET /health HTTP/" + sent + b"Connection: close\r\n\r\n")
    assert found[0] == 200


HUGE = 6_000_000
UNBOUNDED = {
    "lines": (b"GET /health HTTP/1.1\r\n" + b"a:b\r\n" * (HUGE // 5), "headers_too_large"),
    "one line": (b"GET /health HTTP/1.1\r\na: " + b"b" * HUGE, "headers_too_large"),
    "one name": (b"GET /health HTTP/1.1\r\n" + b"a" * HUGE, "headers_too_large"),
    "one header again and again": (
        b"GET /health HTTP/1.1\r\n" + b"Accept: a/b\r\n" * (MAX_HEADERS + 1) + b"\r\n",
        "headers_too_large",
    ),
    "address": (b"GET /" + b"a" * HUGE, "uri_too_long"),
    "address within the bound of a head": (b"GET /" + b"a" * MAX_URL + b" HTTP/1.1\r\n\r\n", "uri_too_long"),
    "path": (b"GET /" + b"a" * LONG_URL + b" HTTP/1.1\r\n" + HEAD + b"\r\n", "uri_too_long"),
    "path of an absolute address": (
        b"GET http://law.example/" + b"a" * LONG_URL + b"?x=1 HTTP/1.1\r\n" + HEAD + b"\r\n",
        "uri_too_long",
    ),
    "lines behind a long address": (
        b"GET /health?" + b"a" * 100_000 + b" HTTP/1.1\r\n" + b"a:b\r\n" * (HUGE // 5),
        "headers_too_large",
    ),
    "empty lines": (b"\r\n" * (HUGE // 2), "headers_too_large"),
    "extension of a chunk": (CHUNKED + b"3;" + b"a" * HUGE, "headers_too_large"),
    "trailer": (CHUNKED + b"0\r\n" + b"a:b\r\n" * (HUGE // 5), "headers_too_large"),
    "one line of a trailer": (CHUNKED + b"0\r\na: " + b"b" * HUGE, "headers_too_large"),
}


@pytest.mark.parametrize(("sent", "code"), UNBOUNDED.values(), ids=UNBOUNDED)
def test_what_has_no_bounds_is_refused_at_little_cost(server, sent, code):
    (worker,) = server.workers()
    before = processor_seconds(worker)
    found = converse(server, sent)
    assert_refused(found, code)
    assert processor_seconds(worker) - before < 0.5, "the worker read on"


def test_head_within_bounds_is_taken(server):
    headers = b"".join(b"x-%d: %s\r\n" % (number, b"b" * 300) for number in range(MAX_HEADERS - 2))
    sent = b"GET /health HTTP/1.1\r\n" + HEAD + headers + b"Connection: close\r\n\r\n"
    assert len(sent) <= MAX_HEAD
    (found,) = converse(server, sent)
    assert found[0] == 200


def test_an_address_of_all_that_an_operation_documents_is_taken(server):
    cited = "&".join(f"citation={quote('𝔸' * 499 + str(number % 10))}" for number in range(25))
    key = KeyRing(server.database).headers()["Authorization"]
    ask = (
        f"GET /api/v1/resolve?{cited} HTTP/1.1\r\nHost: law.example\r\nAuthorization: {key}\r\n\r\n".encode()
    )
    assert len(ask) > 65_535, "else the parser of addresses would take it"
    close = HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    pieces = [ask[start : start + 50_000] for start in range(0, len(ask), 50_000)]
    found = converse(server, *pieces, HEALTH + ask.replace(b"GET /", b"GET http://law.example/") + close)
    assert [status for status, _, _ in found] == [200] * 4
    for _, _, body in (found[0], found[2]):
        assert [one["input"] for one in json.loads(body)["results"]] == [
            "𝔸" * 499 + str(number % 10) for number in range(25)
        ]


OF_AGENT = b"Origin: http://localhost:6274\r\nX-Request-Id: mine\r\n"
ORIGIN = b"Origin: https://page.example\r\nAccept: application/problem+json\r\nX-Request-Id: mine\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /api/v1/resolve?citation=" + b"a" * MAX_URL + b" HTTP/1.1\r\n" + ORIGIN + b"\r\n", 414),
        (b"GET /api/v1/me HTTP/1.1\r\n" + ORIGIN + b"a: b\r\n" * MAX_HEADERS + b"\r\n", 431),
        (b"GET /api/v1/me HTTP/1.1\r\n" + ORIGIN + b"c: d\r\na : b\r\n\r\n", 400),
        (b"GET /api/v1/me HTTP/1.1\r\n" + ORIGIN + b"a", 408),
    ],
)
def test_a_refusal_is_an_error_as_they_all_are(server, sent, status):
    ((answered, headers, body),) = converse(server, sent)
    asked = {"Origin": "https://page.example", "Accept": "application/problem+json", "X-Request-Id": "mine"}
    usual = httpx.get(f"{server.url}/api/v1/nothing", headers=asked)
    told = json.loads(body)
    assert (answered, told["status"]) == (status, status)
    assert set(told) == set(usual.json()) - {"kind"}
    assert told["requestId"] == headers["x-request-id"] == "mine"
    of_each = {"content-length", "date", "connection"}
    assert {name: value for name, value in headers.items() if name not in of_each} == {
        name: value for name, value in usual.headers.items() if name not in of_each
    }


@pytest.mark.parametrize("path", [b"/mcp", b"/mcp/"])
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"?a=" + b"a" * MAX_URL + b" HTTP/1.1\r\n" + OF_AGENT + b"\r\n", 414),
        (b" HTTP/1.1\r\n" + OF_AGENT + b"a: b\r\n" * MAX_HEADERS + b"\r\n", 431),
        (b" HTTP/1.1\r\n" + OF_AGENT + b"c: d\r\na : b\r\n\r\n", 400),
        (b" HTTP/1.1\r\n" + OF_AGENT + b"a", 408),
    ],
    ids=["address", "headers", "blank", "pause"],
)
def test_a_refusal_of_an_agent_is_an_error_of_its_protocol(server, path, sent, status):
    ((answered, headers, body),) = converse(server, b"POST " + path + sent)
    asked = {"Origin": "http://localhost:6274", "X-Request-Id": "mine", "Accept-Encoding": "identity"}
    usual = httpx.post(f"{server.url}/mcp", headers=asked)
    assert usual.status_code == 401, "it is refused as a whole too"
    told, known = json.loads(body), usual.json()
    assert (answered, told["error"]["code"], STATUS[told["error"]["data"]["code"]]) == (status,) * 3
    assert (told.keys(), told["error"].keys()) == (known.keys(), known["error"].keys())
    assert told["error"]["data"].keys() == known["error"]["data"].keys()
    assert told["error"]["data"]["requestId"] == "mine"
    assert headers["access-control-allow-origin"] == "http://localhost:6274"
    of_each = {"content-length", "date", "connection", "www-authenticate", "vary"}
    assert {name: value for name, value in headers.items() if name not in of_each} == {
        name: value for name, value in usual.headers.items() if name not in of_each
    }


def test_a_body_of_an_agent_that_does_not_end_is_an_error_of_its_protocol(server):
    key = KeyRing(server.database).headers()["Authorization"].encode()
    of_body = b"Authorization: " + key + b"\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    ((answered, headers, body),) = converse(
        server, b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + OF_AGENT + of_body
    )
    assert answered == 408
    assert json.loads(body)["error"]["data"]["code"] == "request_timeout"
    assert headers["access-control-allow-origin"] == "http://localhost:6274"


def test_a_refusal_of_an_agent_before_its_origin_came_is_shared_with_no_page(server):
    for origin in (b"", b"Origin: https://evil.example\r\n"):
        ((_, headers, body),) = converse(server, b"POST /mcp HTTP/1.1\r\n" + origin + b"a : b\r\n" + OF_AGENT)
        assert json.loads(body)["error"]["data"]["code"] == "bad_request"
        assert "access-control-allow-origin" not in headers


def test_long_addresses_that_do_not_end_are_held_for_few(server):
    (worker,) = server.workers()
    before = resident(worker)
    with ExitStack() as held:
        for _ in range(240):
            send(held.enter_context(connected(server)), b"GET /api/v1/resolve?citation=" + b"a" * 160_000)
        assert resident(worker) - before < 30
        assert httpx.get(f"{server.url}/health", timeout=5).status_code == 200


def test_what_came_before_is_not_taken_for_what_is_refused(server):
    asked = b"GET /api/v1/nothing HTTP/1.1\r\n" + HEAD + ORIGIN + b"\r\n"
    first, second = converse(server, asked + MALFORMED["nothing known"])
    assert (first[0], second[0]) == (404, 400)
    assert second[1]["x-request-id"] != "mine"
    assert "access-control-allow-origin" not in second[1]


def test_cut_anywhere_requests_are_the_same(small_server):
    body = b"POST /health HTTP/1.1\r\n" + HEAD + b"Content-Length: 6\r\n\r\n\r\n\r\n\r\n"
    sent = HEALTH + b"\r\n" + body + HEALTH
    for cut in range(1, len(sent)):
        with connected(small_server) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(sent[:cut])
            time.sleep(0.002)
            connection.sendall(sent[cut:])
            found = answers(connection.makefile("rb"))
            assert [next(found)[0] for _ in range(3)] == [200, 405, 200], cut


def test_requests_in_a_row_are_all_answered(server):
    number = 3_000
    with connected(server) as connection:
        stream = connection.makefile("rb")
        paths = [b"/health", b"/api/v1/none", b"/ready"]
        rows = [b"GET " + paths[one % 3] + b" HTTP/1.1\r\n" + HEAD + b"\r\n" for one in range(number)]
        connection.sendall(b"".join(rows))
        found = answers(stream)
        assert [next(found)[0] for _ in range(number)] == [200, 404, 200] * (number // 3)


def test_requests_whose_answers_nobody_reads_are_not_read(server):
    (worker,) = server.workers()
    before = resident(worker)
    waiting = memoryview(HEALTH * (20_000_000 // len(HEALTH)))
    with connected(server) as connection:
        connection.settimeout(3)
        # A kernel may be set to hold more than all of it.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1_000_000)
        with suppress(OSError):
            while waiting:
                waiting = waiting[connection.send(waiting) :]
        assert len(waiting) > 5_000_000, "what is not read stays with the client and in the kernel"
        assert resident(worker) - before < 30
    assert httpx.get(f"{server.url}/health", timeout=5).status_code == 200


def test_client_that_reads_nothing_is_let_go(server):
    with connected(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(0.2)
        request = HEALTH.replace(b"/health", b"/api/v1/openapi.json")
        begun = time.monotonic()
        while is_taken(connection, request * 100):
            assert time.monotonic() - begun < 2 * SOON


def test_requests_after_a_chunked_one_are_answered_or_left_to_be_sent_again(server):
    found = converse(server, CHUNKED + b"3\r\nabc\r\n0\r\n\r\n" + HEALTH * 2)
    assert found[0][0] == 405
    assert found[0][1]["connection"] == "close"
    assert len(found) == 1


def test_connection_goes_on_after_a_body_that_nobody_asked_for(server):
    with connected(server) as connection:
        found = answers(connection.makefile("rb"))
        connection.sendall(
            b"POST /health HTTP/1.1\r\n" + HEAD + b"Content-Length: %d\r\n\r\na" % MAX_LEFTOVER
        )
        assert next(found)[0] == 405
        connection.sendall(b"a" * (MAX_LEFTOVER - 1) + HEALTH)
        assert next(found)[0] == 200


def test_long_body_that_nobody_asked_for_ends_the_connection(server):
    with connected(server) as connection:
        found = answers(connection.makefile("rb"))
        connection.sendall(b"POST /health HTTP/1.1\r\n" + HEAD + b"Content-Length: 1000000000\r\n\r\na")
        assert next(found)[0] == 405
        send(connection, b"a" * 10 * MAX_LEFTOVER)
        assert list(found) == []


def test_slow_head_is_answered_408(server):
    begun = time.monotonic()
    with connected(server) as connection:
        connection.sendall(HEALTH[:-2])
        assert_refused(list(answers(connection.makefile("rb"))), "request_timeout")
        assert LIMIT <= time.monotonic() - begun < SOON


def test_head_that_drips_is_answered_408(server):
    with connected(server) as connection:
        begun = time.monotonic()
        connection.sendall(HEALTH[:-2] + b"x-slow: ")
        while time.monotonic() < begun + LIMIT + 2:
            send(connection, b"a")
            time.sleep(0.2)
        assert_refused(list(answers(connection.makefile("rb"))), "request_timeout")


FORM = (
    b"POST /settings/sign-in HTTP/1.1\r\n"
    + HEAD
    + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n"
)


@pytest.mark.parametrize(("begun_with", "drip"), [(b"", b""), (b"email=a", b""), (b"email=a", b"a")])
def test_slow_body_is_answered_408(server, begun_with, drip):
    with connected(server) as connection:
        begun = time.monotonic()
        connection.sendall(FORM + begun_with)
        while time.monotonic() < begun + LIMIT + 2:
            send(connection, drip)
            time.sleep(0.2)
        assert_refused(list(answers(connection.makefile("rb"))), "request_timeout")


@pytest.mark.parametrize("before", [b"", HEALTH])
def test_connection_without_a_request_is_closed(server, before):
    begun = time.monotonic()
    with connected(server) as connection:
        connection.sendall(before)
        found = list(answers(connection.makefile("rb")))
        assert [status for status, _, _ in found] == ([200] if before else [])
        assert LIMIT <= time.monotonic() - begun < SOON


def test_refusals_are_logged_and_counted(server, metrics_port):
    converse(server, MALFORMED["no version"])
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    told = [line for line in lines if line["event"] == "request_refused"]
    assert told
    assert (told[-1]["error"], told[-1]["client"]) == ("bad_request", "127.0.0.1")
    counted = httpx.get(f"http://127.0.0.1:{metrics_port}/metrics").text
    assert re.search(r'law_requests_total\{endpoint="other",status="400"\} [1-9]', counted)


@pytest.fixture(scope="module")
def small_server(snapshots_folder, sqlite_template, tmp_path_factory) -> Iterator[Server]:
    """A server that may have few files open, and takes few connections from one address but the proxy's."""
    folder = tmp_path_factory.mktemp("small")
    shutil.copy(sqlite_template, folder / "accounts.sqlite")
    server = Server(
        snapshots_folder,
        folder / "log",
        f"sqlite:///{folder / 'accounts.sqlite'}",
        workers=1,
        environment={"LAW_CONNECTIONS_PER_ADDRESS": str(PER_ADDRESS)},
        files=256,
    )
    try:
        server.wait_until_ready()
        yield server
        assert "Traceback" not in server.log.read_text(encoding="utf-8")
    finally:
        server.kill()


PER_ADDRESS = 4


def opened(server: Server, held: ExitStack, source: str = "127.0.0.1") -> socket.socket:
    """Open a connection from an address."""
    address = ("127.0.0.1", server.port)
    connection = socket.create_connection(address, timeout=10, source_address=(source, 0))
    return held.enter_context(closing(connection))


def test_few_files_and_many_connections_leave_room_for_requests(small_server, node):
    server, ring = small_server, KeyRing(small_server.database)
    path = f"/api/v1/node/{node('/us/sample/t1/s7')}"
    with ExitStack() as held:
        for number in range(600):
            connection = opened(server, held)
            if number % 2:
                send(connection, b"GET /health HTTP/1.1\r\nX-Slow:")
        for _ in range(5):
            assert httpx.get(f"{server.url}/health", timeout=5).status_code == 200
            assert httpx.get(server.url + path, headers=ring.headers(), timeout=5).status_code == 200
        (kept,) = server.connections().values()
        assert 8 <= kept < 256


def test_client_gives_way_to_itself_and_to_nobody_else(small_server):
    with ExitStack() as held:
        other = opened(small_server, held, "127.0.0.2")
        mine = [opened(small_server, held, "127.0.0.3") for _ in range(PER_ADDRESS + 2)]
        assert [connection.recv(1) for connection in mine[:2]] == [b"", b""]
        for connection in (other, *mine[2:]):
            connection.sendall(HEALTH)
            assert next(answers(connection.makefile("rb")))[0] == 200


def test_trusted_proxy_has_as_many_connections_as_it_likes(small_server):
    with ExitStack() as held:
        for connection in [opened(small_server, held) for _ in range(2 * PER_ADDRESS)]:
            connection.sendall(HEALTH)
            assert next(answers(connection.makefile("rb")))[0] == 200


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> float:
    """Megabytes of memory that a process has."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024
