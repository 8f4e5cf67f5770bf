"""Node reads on the short way and on the long one: gunicorn answers both alike, in order, and charges both."""

import json
import re
import shutil
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import pytest

from serving.counting.counters import Counters
from serving.counting.requests import Requests, request_families
from serving.metering.gate import Caller, Gate
from serving.metering.keys import mint
from serving.process.protocol.plain_reads import PlainReads
from serving.services.snapshots import SnapshotHolder
from tests.serving.metering.books import Books, Customer, opened_books
from tests.serving.servers import Server

LONG = {"Accept": "application/json;q=0.9"}
"""Asks for what a plain read asks for, in words that take the long way."""
VARYING = {"date", "ratelimit", "x-request-id", "x-credits-remaining", "x-research-allotment-remaining"}
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@dataclass
class House:
    """A server with one worker, and its store."""

    server: Server
    books: Books
    node: str
    large: str

    def get(self, customer: Customer, path: str | None = None, **given: str) -> httpx.Response:
        asked = {"Authorization": f"Bearer {customer.key}", "Accept-Encoding": "identity"} | {
            name.replace("_", "-"): value for name, value in given.items()
        }
        return httpx.get(self.server.url + (path or self.node), headers=asked, timeout=30)

    def met(self, **kind: Any) -> Customer:
        """A customer whose key the worker knows: its first call takes the long way."""
        customer = self.books.customer(**kind)
        assert self.get(customer).status_code in (200, 402, 403)
        return customer

    def converse(self, sent: bytes, *, answers: int) -> list[tuple[int, dict[str, str], bytes]]:
        """Send bytes over one connection; give status, headers and body of the answers."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
            connection.sendall(sent)
            stream = connection.makefile("rb")
            return [_answer(stream) for _ in range(answers)]


def _answer(stream) -> tuple[int, dict[str, str], bytes]:
    status = int(stream.readline().split()[1])
    found: dict[str, str] = {}
    while (line := stream.readline().strip()) != b"":
        name, _, value = line.decode("ascii").partition(": ")
        found[name.lower()] = value
    return status, found, stream.read(int(found["content-length"]))


def request(path: str, customer: Customer, *more: str, version: str = "1.1") -> bytes:
    lines = [
        f"GET {path} HTTP/{version}",
        "Host: law.example",
        f"Authorization: Bearer {customer.key}",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.fixture(scope="module")
def house(snapshots_folder, sqlite_template, node, tmp_path_factory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("plain")
    shutil.copy(sqlite_template, folder / "accounts.sqlite")
    server = Server(snapshots_folder, folder / "log", f"sqlite:///{folder / 'accounts.sqlite'}", workers=1)
    paths = [f"/api/v1/node/{node(one)}" for one in ("/us/sample/t1/s7", "/sample/code/1-1")]
    try:
        server.wait_until_ready()
        with opened_books(server.database) as books:
            yield House(server, books, *paths)
    finally:
        server.kill()


def steady(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in VARYING}


@pytest.mark.e2e
@pytest.mark.parametrize("encoding", ["identity", "gzip", "zstd", "br", "gzip;q=0.5, zstd"])
def test_both_ways_give_one_answer(house, encoding):
    customer = house.met()
    for path in (house.node, house.large):
        short = house.get(customer, path, Accept_Encoding=encoding)
        long = house.get(customer, path, Accept_Encoding=encoding, **LONG)
        assert short.status_code == long.status_code == 200
        assert steady(short.headers) == steady(long.headers)
        assert short.content == long.content
        left = [int(one.headers["x-credits-remaining"]) for one in (short, long)]
        assert left[0] - left[1] == 1
        assert re.sub(r"\d+", "n", short.headers["ratelimit"]) == re.sub(
            r"\d+", "n", long.headers["ratelimit"]
        )


@pytest.mark.e2e
def test_each_answer_is_charged_under_its_id(house):
    customer = house.met()
    given = house.get(customer, X_Request_Id="my-own.id:7")
    strange = house.get(customer, X_Request_Id="no id")
    revealing = house.get(customer, X_Request_Id=customer.key)
    assert given.headers["x-request-id"] == "my-own.id:7"
    ids = [one.headers["x-request-id"] for one in (given, strange, revealing)]
    assert house.books.charged(customer.account_id)[1:] == ids
    assert customer.key not in ids


@pytest.mark.e2e
def test_limit_credits_and_revocation_are_told_as_on_the_long_way(house):
    spent = house.met(balance=0)
    poor = house.met(balance=1)
    for customer in (spent, poor):
        answer = house.get(customer)
        assert (answer.status_code, answer.json()["error"]) == (402, "insufficient_credits")
        assert answer.json()["upgradeUrl"].endswith("/settings#packs")
        assert answer.headers["x-credits-remaining"] == "0"
    quick = house.met()
    answers = [house.get(quick) for _ in range(30)]
    assert [one.status_code for one in answers] == [200] * 29 + [429]
    last = answers[-1]
    assert last.json()["retryAfterSec"] == int(last.headers["retry-after"])
    assert last.json()["requestId"] == last.headers["x-request-id"]
    assert "x-credits-cost" not in last.headers
    assert len(house.books.charged(quick.account_id)) == 30
    gone = house.met()
    (key,) = house.books.accounts.list_keys(gone.account_id)
    house.books.accounts.revoke_key(gone.account_id, key.key_id)
    answer = house.get(gone)
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_api_key")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.e2e
def test_answers_leave_in_the_order_of_the_requests(house):
    customer = house.met(tier="bulk")
    paths = [house.node, "/api/v1/code-bodies", house.large, house.node, "/api/v1/nothing", house.node] * 5
    answers = house.converse(b"".join(request(path, customer) for path in paths), answers=len(paths))
    known = {path: house.get(customer, path).content for path in set(paths)}
    for path, (status, found, body) in zip(paths, answers, strict=True):
        assert status == (404 if path == "/api/v1/nothing" else 200)
        if status == 200:
            assert body == known[path]
        else:
            assert json.loads(body)["requestId"] == found["x-request-id"]
    assert len(house.books.charged(customer.account_id)) == 1 + 25 + 3


@pytest.mark.e2e
def test_request_in_pieces_is_one_request(house):
    customer = house.met()
    sent = request(house.node, customer)
    with socket.create_connection(("127.0.0.1", house.server.port), timeout=30) as connection:
        for start in range(0, len(sent), 16):
            connection.sendall(sent[start : start + 16])
            time.sleep(0.002)
        status, _, body = _answer(connection.makefile("rb"))
    assert status == 200
    assert body == house.get(customer).content


@pytest.mark.e2e
@pytest.mark.parametrize(("version", "more"), [("1.1", ["Connection: close"]), ("1.0", [])])
def test_connection_ends_where_it_is_to_end(house, version, more):
    customer = house.met()
    with socket.create_connection(("127.0.0.1", house.server.port), timeout=30) as connection:
        connection.sendall(request(house.node, customer, *more, version=version))
        stream = connection.makefile("rb")
        status, found, _ = _answer(stream)
        assert status == 200
        assert found["connection"] == "close"
        assert stream.read() == b""


@pytest.mark.e2e
def test_caller_that_leaves_costs_nobody_else_anything(house):
    leaver, stayer = house.met(tier="bulk"), house.met(tier="bulk")
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", house.server.port)) as connection:
            connection.sendall(request(house.node, leaver) * 3)
    assert house.get(stayer).status_code == 200
    assert len(house.books.charged(leaver.account_id)) <= 61
    assert len(house.books.charged(stayer.account_id)) == 2


@pytest.mark.e2e
def test_both_ways_are_logged_alike(house):
    customer = house.met()
    ids = [house.get(customer).headers["x-request-id"], house.get(customer, **LONG).headers["x-request-id"]]
    lines = [json.loads(line) for line in house.server.log.read_text().splitlines() if line.startswith("{")]
    short, long = (next(line for line in lines if line.get("request_id") == one) for one in ids)
    differing = {"time", "request_id", "ms"}
    assert {k: v for k, v in short.items() if k not in differing} == {
        k: v for k, v in long.items() if k not in differing
    }
    assert 0 <= short["ms"] < 30_000


def no_counts() -> Requests:
    families = request_families((), ())
    return Requests(families, Counters(families))


@pytest.fixture(scope="module")
def reads(snapshots_folder) -> Iterator[tuple[PlainReads, str, str, PlainReads]]:
    holder, minted = SnapshotHolder(snapshots_folder), mint()
    gate = Gate(None, None, None)  # type: ignore[arg-type]  # it is asked for known callers alone
    gate._known[minted.digest] = Caller(minted.digest, 1, 1, minted.prefix, ("node",))
    closed = mint()
    gate._known[closed.digest] = Caller(closed.digest, 1, 2, closed.prefix, ("search",))
    before = PlainReads(gate, SnapshotHolder(snapshots_folder), no_counts(), public_url="http://law.example")
    holder.refresh()
    yield (
        PlainReads(gate, holder, no_counts(), public_url="http://law.example"),
        minted.text,
        closed.text,
        before,
    )
    holder.close()


def test_only_plain_reads_are_taken(reads, node):
    taken, key, closed, before = reads
    url = f"/api/v1/node/{node('/us/sample/t1/s7')}".encode()
    plain = [(b"host", b"x"), (b"authorization", b"Bearer " + key.encode())]
    assert taken.begin(url, plain) is not None
    assert before.begin(url, plain) is None, "no snapshot is open"
    for more in (
        (b"accept", b"*/*"),
        (b"accept", b"application/json"),
        (b"user-agent", b"x"),
        (b"x-request-id", b"\xff"),
    ):
        assert taken.begin(url, [*plain, more]) is not None, more
    for more in (
        (b"accept", b"text/markdown"),
        (b"accept", b"application/problem+json"),
        (b"if-none-match", b'"x"'),
        (b"content-length", b"3"),
        (b"transfer-encoding", b"chunked"),
        (b"expect", b"100-continue"),
        (b"upgrade", b"h2c"),
        (b"authorization", b"Bearer other"),
    ):
        assert taken.begin(url, [*plain, more]) is None, more
    for other in (
        url + b"?snapshot=2026.11.21-1",
        url + b"/",
        url.upper(),
        url[:-1],
        b"/api/v1/node/" + str(uuid4()).encode(),
    ):
        assert taken.begin(other, plain) is None, other
    for authorization in (
        b"",
        b"Basic x",
        b"Bearer",
        f"Bearer {mint().text}".encode(),
        f"Bearer {closed}".encode(),
        b"Bearer \xff",
    ):
        assert taken.begin(url, [(b"authorization", authorization)]) is None, authorization
    assert taken.begin(url, [(b"authorization", b"bEARER   " + key.encode() + b" ")]) is not None
    assert taken.begin(url, [(b"host", b"x")]) is None
