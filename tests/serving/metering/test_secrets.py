"""What opens something is shown once, kept as a hash and written nowhere; guessing orders teaches nothing."""

import http.client
import json
import math
import secrets
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest

from serving.metering.database import sqlite_path
from serving.metering.keys import ACCESS, BRAND, CODE, REFRESH, digest, mint
from tests.serving.authorization.agents import Agent
from tests.serving.metering.books import Books, Customer
from tests.serving.pages.people import PASSWORD, Person
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
SHOWN = 4
"""Characters of a key that lists show beyond its brand."""
PAIRS = 300


def raw_database(url: str) -> bytes:
    """All bytes of the files that hold the store, its log of writes included."""
    path = sqlite_path(url)
    if path is not None:
        return b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        query = "SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()"
        row = connection.execute(query).fetchone()
        assert row is not None
        folder, oid = row
        files = [*Path(folder, "base", str(oid)).iterdir(), *Path(folder, "pg_wal").iterdir()]
        return b"".join(map(_bytes_of, files))


def _bytes_of(path: Path) -> bytes:
    """The bytes of a file; none of a folder, and of a file that the database has removed meanwhile."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return b""


@dataclass
class Session:
    """What was told to a server, and all that it answered, but for the page that shows a new key."""

    secrets: set[str] = field(default_factory=set)
    request_ids: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def note(self, answer: httpx.Response) -> None:
        answer.read()
        if "x-request-id" in answer.headers:  # what is no HTTP is turned away before it reaches the service
            self.request_ids.append(answer.headers["x-request-id"])
        if answer.request.url.path != "/settings/keys":
            cookies = {"set-cookie"}  # a session is for the browser that it is given to
            told = [value for name, value in answer.headers.items() if name not in cookies]
            self.answers.append("\n".join([*told, answer.text]))


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def caller(server: Server, session: Session) -> Iterator[httpx.Client]:
    hooks = {"response": [session.note]}
    with httpx.Client(base_url=server.url, timeout=30, event_hooks=hooks) as client:
        yield client


def mistyped(key: str) -> str:
    return key[:-1] + ("0" if key[-1] != "0" else "1")


def call_with_keys(caller: httpx.Client, customer: Customer) -> set[str]:
    """Put keys where they belong and where they do not; give those that were used."""
    good, stranger = customer.key, mint().text
    keys = {good, stranger, mistyped(good)}
    for key in keys:
        header = {"Authorization": f"Bearer {key}"}
        caller.get("/api/v1/me", headers=header)
        caller.get("/api/v1/me", headers={"Authorization": key})
        caller.get("/api/v1/me", headers=header | {"X-Request-Id": key, "User-Agent": key, "Accept": key})
        caller.get(f"/api/v1/me?api_key={key}")
        caller.get(f"/api/v1/me?{key}={key}", headers=header)
        caller.get(f"/api/v1/coverage?snapshot={key}", headers=header)
        caller.get(f"/api/v1/search?q={key}&jurisdiction={key}", headers=header)
        caller.get(f"/api/v1/search?q=x&limit={key}&mode={key}", headers=header)
        caller.get(f"/api/v1/node/{key}", headers=header)
        caller.get(f"/api/v1/browse?codeBodyId={key}", headers=header)
        caller.get(f"/api/v1/formation/status/{key}?token={key}", headers=header)
        caller.get(f"/{key}", headers=header)
        caller.get(f"/settings/{key}?{key}")
        caller.request(key[:20], "/api/v1/me", headers=header)
        caller.post("/payments/stripe/webhook", content=key, headers={"Stripe-Signature": key})
    return keys


def call_with_tokens(caller: httpx.Client, books: Books, customer: Customer) -> set[str]:
    """Ask for an order with its token, with others, and with id and token changed round."""
    order = books.orders.create(
        customer.account_id, entity_name="Harbor", entity_type="llc", filing_jurisdiction="dc"
    )
    right, wrong = order.token, secrets.token_urlsafe(32)
    header = {"Authorization": f"Bearer {customer.key}"}
    path = f"/api/v1/formation/status/{order.order.order_id}"
    statuses = []
    for token in (right, wrong):
        statuses.append(caller.get(path, params={"token": token}, headers=header).status_code)
        caller.get(path, params={"token": token})
        caller.get(path, params={"token": [token, token]}, headers=header)
        caller.get(path, params={"tokens": token}, headers=header)
        caller.get(path, params={"token": token * 5}, headers=header)
        caller.get(f"{path}/{token}", headers=header)
        caller.get(
            f"/api/v1/formation/status/{token}", params={"token": order.order.order_id}, headers=header
        )
        caller.get(f"/api/v1/formation/status/{uuid4()}", params={"token": token}, headers=header)
    assert statuses == [200, 404]
    return {right, wrong}


def visit_with_passwords(server: Server, session: Session) -> set[str]:
    """Open an account, make a key, sign out, fail to sign in, sign in."""
    person = Person(server.url)
    person.http.event_hooks = {"response": [session.note]}
    wrong = secrets.token_hex(12)
    person.sign_up()
    key = person.create_key()
    cookies = set(person.http.cookies.values())
    person.submit("/settings/sign-out")
    person.submit("/settings/sign-in", email=person.email, password=wrong)
    person.submit("/settings/sign-in", email=person.email, password=PASSWORD)
    person.http.close()
    return {PASSWORD, wrong, key} | cookies | set(person.http.cookies.values())


def connect_an_agent(server: Server) -> set[str]:
    """Connect an agent, renew its tokens, and use all of them, also where they do not belong."""
    person, agent = Person(server.url).sign_up(), Agent(server.url)
    agent.register()
    code = agent.is_allowed(person)
    first = agent.exchanges(code).json()
    second = agent.refreshes(first["refresh_token"]).json()
    tokens = {code, *(one[name] for one in (first, second) for name in ("access_token", "refresh_token"))}
    for token in tokens:
        assert agent.calls(token).status_code == (200 if token == second["access_token"] else 401)
    for token in tokens:  # the code, used twice, ends the connection
        agent.calls(token, f"/api/v1/search?q={token}")
        agent.calls(token, f"/{token}")
        person.get(f"/settings/authorize?client_id={token}&state={token}")
        agent.exchanges(token)
        agent.refreshes(f"{token}x")
    agent.revokes(second["refresh_token"])
    for client in (person.http, agent.http):
        client.close()
    return tokens


def test_no_secret_is_written_anywhere(server, books, session, caller):
    customer = books.customer(balance=5_000, tier="bulk")
    keys = call_with_keys(caller, customer)
    tokens = call_with_tokens(caller, books, customer)
    others = visit_with_passwords(server, session) | connect_an_agent(server)
    log = server.log.read_text(encoding="utf-8")
    database = raw_database(server.database)
    # The places that are searched hold what they should: else nothing could be found in them.
    assert all(one in log for one in session.request_ids)
    assert digest(customer.key).encode() in database
    shown = customer.key[: len(BRAND) + SHOWN]
    assert shown.encode() in database
    assert any(shown in answer for answer in session.answers)
    assert b"$argon2id$" in database
    found = []
    for secret in keys | tokens | others:
        # Of a key even the part that lists never show must not stand alone.
        brand = next((one for one in (BRAND, ACCESS, REFRESH, CODE) if secret.startswith(one)), None)
        part = secret if brand is None else secret[len(brand) + SHOWN :]
        found += [f"log: {line}" for line in log.splitlines() if part in line]
        found += [f"answer: {answer}" for answer in session.answers if part in answer]
        found += ["database"] if part.encode() in database else []
    assert found == []


class Asker:
    """One connection, and keys in turn so that no limit is met."""

    def __init__(self, port: int, keys: tuple[str, ...]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._keys = keys
        self._asked = 0

    def order(self, order_id: str, token: str) -> tuple[float, http.client.HTTPResponse, bytes]:
        """Ask for an order: how many seconds it took, and the answer."""
        key = self._keys[self._asked % len(self._keys)]
        self._asked += 1
        headers = {"Authorization": f"Bearer {key}"}
        started = time.perf_counter()
        self._connection.request("GET", f"/api/v1/formation/status/{order_id}?token={token}", headers=headers)
        answer = self._connection.getresponse()
        body = answer.read()
        return time.perf_counter() - started, answer, body

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def asker(server: Server, books: Books) -> Iterator[Asker]:
    asker = Asker(server.port, books.customer(tier="bulk", balance=5_000, keys=10).keys)
    yield asker
    asker.close()


@pytest.fixture
def order(books: Books) -> str:
    """Id of an order that exists."""
    made = books.orders.create(
        books.customer().account_id, entity_name="Harbor", entity_type="llc", filing_jurisdiction="dc"
    )
    return made.order.order_id


def test_unknown_order_and_wrong_token_get_one_answer(asker, order):
    changing = {"date", "x-request-id", "ratelimit"}
    answers = []
    for order_id in (order, str(uuid4())):
        _, answer, body = asker.order(order_id, secrets.token_urlsafe(32))
        assert answer.status == 404
        headers = {name.lower(): value for name, value in answer.getheaders()}
        told = json.loads(body) | {"requestId": None}
        answers.append((told, len(body), {name: headers[name] for name in headers if name not in changing}))
    assert answers[0] == answers[1]


def rank_sum_p(first: list[float], second: list[float]) -> float:
    """How likely so uneven ranks are if both come from one distribution (two-sided, Mann and Whitney)."""
    ordered = sorted([(one, True) for one in first] + [(one, False) for one in second])
    rank_sum = sum(rank for rank, (_, is_first) in enumerate(ordered, 1) if is_first)
    n, m = len(first), len(second)
    deviation = math.sqrt(n * m * (n + m + 1) / 12)
    return math.erfc(abs(rank_sum - n * (n + m + 1) / 2) / deviation / math.sqrt(2))


def test_unknown_order_and_wrong_token_take_the_same_time(asker, order):
    """Compared again where they differ: the machine may be busy, but not three times on one side."""
    seen = []
    for _ in range(3):
        wrong: list[float] = []
        unknown: list[float] = []
        for pair in range(PAIRS):
            sides = [(wrong, order), (unknown, str(uuid4()))]
            for times, order_id in sides if pair % 2 else reversed(sides):
                times.append(asker.order(order_id, secrets.token_urlsafe(32))[0])
        ratio = statistics.median(wrong) / statistics.median(unknown)
        seen.append((round(ratio, 3), round(rank_sum_p(wrong, unknown), 4)))
        if 0.9 < ratio < 1.1 and seen[-1][1] > 0.001:
            return
        time.sleep(1)
    pytest.fail(f"ratio of the medians, and probability of such ranks: {seen}")
