"""Searches whose client leaves: dropped or stopped, and given back exactly once, on either store and by each door."""

import json
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from serving.metering.tiers import TIERS
from tests.serving.mcp.wire import ACCEPT, META, NEWEST
from tests.serving.metering.books import Books, opened_books
from tests.serving.metering.searches import COUNTED, SECONDS, held_by
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
DOORS = ["rest", "modern", "legacy"]
KEPT, LEFT = 6, 20
SETTLING = 60.0
"""Seconds in which all that was begun is settled, on a busy machine."""
ESTABLISHED, CLOSE_WAIT = "01", "08"
"""As the kernel's table of connections has them: the second is one whose other end is closed."""


@pytest.fixture(scope="module")
def slow_server(new_database, snapshots_folder, tmp_path_factory) -> Iterator[Server]:
    """One worker, with one thread for searches."""
    folder = tmp_path_factory.mktemp("slow")
    server = Server(
        snapshots_folder,
        folder / "server.log",
        new_database(),
        workers=1,
        app="tests.serving.metering.slow:app",
        environment={COUNTED: str(folder / "searches"), "LAW_SEARCH_THREADS": "1"},
    )
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.kill()


@pytest.fixture
def books(slow_server: Server) -> Iterator[Books]:
    with opened_books(slow_server.database) as books:
        yield books


def searches(server: Server) -> int:
    """How many searches have begun."""
    path = Path(server.log.parent / "searches")
    return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0


@contextmanager
def held(server: Server) -> Iterator[None]:
    """Let no search end meanwhile."""
    file = held_by(server.log.parent / "searches")
    file.touch()
    try:
        yield
    finally:
        file.unlink()


def until(reached: Callable[[], bool]) -> None:
    """Wait until it is so; not for ever."""
    deadline = time.monotonic() + SETTLING
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def clients(server: Server) -> int:
    """How many clients the server has, as far as it knows: it has read the end of the others."""
    number = 0
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        _, local, _, state, queues = line.split()[:5]
        if int(local.rpartition(":")[2], 16) == server.port:
            unread = int(queues.rpartition(":")[2], 16)
            number += state == ESTABLISHED or (state == CLOSE_WAIT and unread > 0)
    return number


def has_begun(server: Server, number: int) -> bool:
    """Whether so many searches have begun."""
    return searches(server) >= number


def ask(server: Server, door: str, key: str, request_id: str) -> socket.socket:
    """Send a search and return its connection."""
    fields = {"Host": "127.0.0.1", "Authorization": f"Bearer {key}", "X-Request-Id": request_id}
    body = b""
    if door == "rest":
        line = "GET /api/v1/search?q=harbor&limit=1 HTTP/1.1"
    else:
        line = "POST /mcp HTTP/1.1"
        params = {"name": "search_law", "arguments": {"query": "harbor"}}
        fields |= {"Accept": ACCEPT, "Content-Type": "application/json"}
        if door == "modern":
            params["_meta"] = META
            fields |= {"MCP-Protocol-Version": NEWEST, "Mcp-Method": "tools/call", "Mcp-Name": "search_law"}
        else:
            fields["MCP-Protocol-Version"] = "2025-06-18"
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        fields["Content-Length"] = str(len(body))
    head = "\r\n".join([line, *(f"{name}: {value}" for name, value in fields.items()), "", ""])
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    connection.sendall(head.encode() + body)
    return connection


def answered(connection: socket.socket) -> bool:
    """Wait for the head of an answer; whether it is a good one."""
    with connection:
        head = connection.recv(4096)
    return head.startswith(b"HTTP/1.1 200")


def await_entries(books: Books, account: int, charges: int, refunds: int = 0) -> None:
    """Wait until an account has as many entries; not for ever."""
    deadline = time.monotonic() + SETTLING
    while time.monotonic() < deadline:
        charged = books.entries(account, "charge")
        given_back = books.entries(account, "refund")
        if len(charged) >= charges and len(given_back) >= refunds:
            return
        time.sleep(0.05)


def settled(
    books: Books, account: int, charges: int, refunds: int
) -> tuple[Counter[str], Counter[int | None]]:
    """Wait until an account has as many entries, and return its charges and what its refunds refer to."""
    await_entries(books, account, charges, refunds)
    time.sleep(2 * SECONDS)
    given_back = books.entries(account, "refund")
    return Counter(books.charged(account)), Counter(entry.refers_to for entry in given_back)


@pytest.mark.parametrize("door", DOORS)
def test_what_waits_is_dropped_and_given_back_once(slow_server, books, door):
    customer = books.customer(tier="bulk", balance=1000)
    start, begun = books.balance(customer.account_id), searches(slow_server)
    with held(slow_server):
        kept = [ask(slow_server, door, customer.key, f"kept-{number}") for number in range(KEPT)]
        await_entries(books, customer.account_id, KEPT)
        left = [ask(slow_server, door, customer.key, f"left-{number}") for number in range(LEFT)]
        await_entries(books, customer.account_id, KEPT + LEFT)
        for connection in left:
            connection.close()
        until(lambda: clients(slow_server) == KEPT)
    assert all(answered(connection) for connection in kept)
    charged, refunded = settled(books, customer.account_id, KEPT + LEFT, LEFT)
    began = searches(slow_server) - begun
    print(f"{door}: {sum(charged.values())} charged, {sum(refunded.values())} given back, {began} begun")
    assert set(charged.values()) == set(refunded.values()) == {1}
    assert len(charged) == KEPT + LEFT
    by_number = {entry.entry_no: entry.request_id for entry in books.entries(customer.account_id, "charge")}
    assert sorted(by_number[number] for number in refunded) == sorted(f"left-{n}" for n in range(LEFT))
    assert books.balance(customer.account_id) == books.sum(customer.account_id) == start - KEPT
    assert began == KEPT, "nothing that nobody waits for has begun"


@pytest.mark.parametrize("door", DOORS)
def test_what_runs_is_given_back_once(slow_server, books, door):
    customer = books.customer(tier="bulk", balance=1000)
    start = books.balance(customer.account_id)
    for number in range(5):
        begun = searches(slow_server) + 1
        with held(slow_server):
            connection = ask(slow_server, door, customer.key, f"one-{number}")
            until(partial(has_begun, slow_server, begun))
            connection.close()
            until(lambda: clients(slow_server) == 0)
        await_entries(books, customer.account_id, number + 1, number + 1)
    charged, refunded = settled(books, customer.account_id, 5, 5)
    assert set(charged.values()) == set(refunded.values()) == {1}
    assert len(charged) == len(refunded) == 5
    assert books.balance(customer.account_id) == books.sum(customer.account_id) == start


def test_abandoned_requests_count_against_the_limits(slow_server, books):
    for door in DOORS:
        customer = books.customer(balance=1000)
        limit = TIERS["free"].per_minute
        begun = [ask(slow_server, door, customer.key, f"{door}-{number}") for number in range(limit)]
        await_entries(books, customer.account_id, limit)
        for connection in begun:
            connection.close()
        answer = b""
        with ask(slow_server, door, customer.key, f"{door}-more") as connection:
            while not (b"rate_limited" in answer or b" 429 " in answer):
                more = connection.recv(65_536)
                assert more, (door, answer[:400])
                answer += more


def test_a_killed_worker_leaves_charges_without_an_answer_at_most(slow_server, books):
    customer = books.customer(tier="bulk", balance=1000)
    start = books.balance(customer.account_id)
    for door in DOORS:
        kept = [ask(slow_server, door, customer.key, f"{door}-kept-{number}") for number in range(2)]
        left = [ask(slow_server, door, customer.key, f"{door}-left-{number}") for number in range(10)]
        await_entries(books, customer.account_id, len(books.entries(customer.account_id, "charge")) + 1)
        for connection in left:
            connection.close()
        time.sleep(0.01)
        os.kill(slow_server.workers()[0], signal.SIGKILL)
        for connection in kept:
            connection.close()
        slow_server.wait_until_ready()
    charged, refunded = settled(books, customer.account_id, 0, 0)
    print(f"{sum(charged.values())} charged, {sum(refunded.values())} given back")
    assert set(charged.values()) == {1}
    assert set(refunded.values()) <= {1}
    assert books.sum(customer.account_id) == books.balance(customer.account_id)
    assert books.balance(customer.account_id) == start - len(charged) + len(refunded)
    assert not books.credits.check_ledger()
