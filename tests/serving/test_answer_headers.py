"""Answers have the headers of the table, and every route of every door has a row in it."""

import re
import shutil
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path

import falcon.inspect
import falcon.testing
import httpx
import pytest

from serving.accounts.billing import Billing
from serving.api.encodings import WORTHWHILE
from serving.api.security_headers import security_headers
from serving.concurrency.pool import BoundedPool
from serving.process.application import PATHS as MCP_PATHS
from serving.process.application import create_web_app
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings
from tests.serving.answer_headers import (
    API,
    EVERY,
    FREE,
    LAW,
    NOT_KEPT,
    PAGE,
    PARQUET,
    PUBLIC_URL,
    TABLE,
    WATCHED,
    Headers,
    Row,
)
from tests.serving.mcp.wire import ACCEPT
from tests.serving.metering.books import opened_books
from tests.serving.pages.people import Person, hidden_fields
from tests.serving.servers import Server, free_port

pytestmark = pytest.mark.e2e

SETTINGS = {
    "LAW_BASE_URL": PUBLIC_URL,
    "LAW_SECURITY_CONTACT": "mailto:security@law.example",
    "LAW_STRIPE_SECRET_KEY": "sk_test_x",
    "LAW_STRIPE_WEBHOOK_SECRET": "whsec_x",
}


class SecurePerson(Person):
    """A person whose browser sends cookies that are for HTTPS alone: the proxy in front of the server is left out."""

    def __init__(self, url: str) -> None:
        super().__init__(url, headers={"X-Forwarded-Proto": "https"})
        self.http.event_hooks["response"].append(self._remember)

    def _remember(self, answer: httpx.Response) -> None:
        held = dict(part.split("=", 1) for part in self.http.headers.get("Cookie", "").split("; ") if part)
        held |= {name: value for name, (value, _) in cookies_of(answer).items()}
        self.http.cookies.clear()
        self.http.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in held.items())


def cookies_of(answer: httpx.Response) -> dict[str, tuple[str, set[str]]]:
    """The cookies that an answer sets: value and attributes, but how long they last."""
    found = {}
    for header in answer.headers.get_list("set-cookie"):
        pair, *attributes = (part.strip() for part in header.split(";"))
        name, _, value = pair.partition("=")
        lasting = ("max-age=", "expires=")
        found[name] = value, {one for one in attributes if not one.lower().startswith(lasting)}
    return found


@dataclass
class Doors:
    """A server with its address for metrics, its keys, a person, and the ids that paths of the table stand for."""

    server: Server
    person: "SecurePerson"
    metrics: str
    keys: dict[str, str]
    names: dict[str, str]

    def answer(self, row: Row) -> httpx.Response:
        """Ask what a row asks."""
        method = row.route.split(" ")[0]
        known = self.person
        person = known if row.who == "person" else SecurePerson(self.server.url)
        names = {"metrics": self.metrics, "email": known.email} | self.names
        headers = {"Accept-Encoding": "gzip"} | row.headers
        if row.who in self.keys:
            headers["Authorization"] = f"Bearer {self.keys[row.who]}"
        if row.who == "visitor":
            person.get()
        if "{revoke}" in row.asked:
            known.create_key()
            names["revoke"] = re.findall(r'href="(/settings/keys/\d+/revoke)"', known.get().text)[0]
        path, form = row.asked.format(**names), row.form
        if form is not None:
            shown = hidden_fields(person.get(row.at.format(**names)).text, path) if row.at else {}
            form = shown | {
                name: value.format(**names) if isinstance(value, str) else value
                for name, value in form.items()
            }
        if row.body is not None:
            headers["Accept"] = ACCEPT
        try:
            return person.http.request(method, path, data=form, json=row.body, headers=headers)
        finally:
            if person is not known:
                person.http.close()


@pytest.fixture(scope="module")
def doors(
    snapshots_folder: Path,
    sqlite_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
    node: Callable[[str], str],
    body: Callable[[str], str],
) -> Iterator[Doors]:
    folder = tmp_path_factory.mktemp("headers")
    shutil.copy(sqlite_template, folder / "accounts.sqlite")
    metrics = f"127.0.0.1:{free_port()}"
    server = Server(
        snapshots_folder,
        folder / "server.log",
        f"sqlite:///{folder / 'accounts.sqlite'}",
        workers=1,
        environment=SETTINGS | {"LAW_METRICS_ADDRESS": metrics},
    )
    try:
        server.wait_until_ready()
        with opened_books(server.database) as books:
            keys = {
                "key": books.customer(tier="bulk", balance=1_000).key,
                "poor": books.customer(tier="bulk", balance=0).key,
                "scopeless": books.customer(scopes=("formation",)).key,
            }
        names = {"node": node("/us/sample/t1/s9"), "body": body("us-sample")}
        names["district"] = node("/sample-city/code/1")
        person = SecurePerson(server.url)
        person.sign_up()
        yield Doors(server, person, f"http://{metrics}", keys, names)
        person.http.close()
    finally:
        server.kill()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.route} {row.status} {row.who}")
def test_an_answer_has_the_headers_of_the_table(doors: Doors, row: Row) -> None:
    answer = doors.answer(row)
    assert answer.status_code == row.status, answer.text
    assert protecting(answer.headers) == row.kind
    assert answer.headers.get("cache-control") == row.cache
    assert answer.headers.get("content-type") == row.media
    assert {name: attributes for name, (_, attributes) in cookies_of(answer).items()} == row.cookies
    if len(answer.content) >= WORTHWHILE and row.media != PARQUET:
        assert answer.headers.get("content-encoding") == "gzip"
    if "content-encoding" in answer.headers:
        assert "Accept-Encoding" in answer.headers["vary"]


def protecting(headers: Mapping[str, str]) -> Headers:
    return {name.lower(): value for name, value in headers.items() if name.lower() in WATCHED}


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /health HTTP/9.9\r\n\r\n", 400),
        (b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 20_000 + b"\r\n", 431),
    ],
)
def test_what_is_refused_unread_has_headers_too(doors: Doors, sent: bytes, status: int) -> None:
    with socket.create_connection(("127.0.0.1", doors.server.port), timeout=10) as connection:
        with suppress(ConnectionError):
            connection.sendall(sent)
        answer = HTTPResponse(connection)
        answer.begin()
    assert answer.status == status
    assert protecting(dict(answer.getheaders())) == EVERY
    assert answer.headers["Cache-Control"] == NOT_KEPT


def test_every_route_of_every_door_has_a_row(
    snapshots_folder: Path, sqlite_template: Path, tmp_path: Path
) -> None:
    # The guide is there where it was built; `pages/test_guide.py` holds its headers.
    built = {"LAW_METRICS_ADDRESS": "127.0.0.1:1", "LAW_GUIDE": str(tmp_path / "none")}
    settings = Settings.from_env(SETTINGS | built)
    app = create_web_app(
        settings, SnapshotHolder(snapshots_folder), Billing(f"sqlite:///{tmp_path / 'none'}")
    )
    routes = {
        f"{method.method} {route.path}"
        for route in falcon.inspect.inspect_routes(app)
        for method in route.methods
        if not method.internal
    }
    assert routes | {f"POST {path}" for path in MCP_PATHS} <= {row.route for row in TABLE}


@pytest.mark.parametrize("path", ["/api/v1/quality", "/ready", "/zoning", "/settings/ledger"])
def test_failures_of_ours_have_the_headers_too(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings.from_env(SETTINGS)
    kind = {"/zoning": LAW, "/settings/ledger": PAGE, "/ready": FREE}.get(path, API)
    app = create_web_app(settings, SnapshotHolder(tmp_path), Billing(f"sqlite:///{tmp_path / 'none'}"))
    client = falcon.testing.TestClient(app)
    headers = {"Cookie": "lr_session=x; lr_form=x"}
    without = client.simulate_get(path, headers=headers)
    assert (without.status_code, protecting(without.headers)) == (503, kind)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("of ours")

    for owner, name in ((SnapshotHolder, "try_lease"), (Billing, "check"), (BoundedPool, "run")):
        monkeypatch.setattr(owner, name, fail)
    failed = client.simulate_get(path, headers=headers)
    assert (failed.status_code, protecting(failed.headers)) == (500, kind)
    assert failed.headers["cache-control"] == "no-store"


def test_without_https_nobody_is_told_to_stay_with_it() -> None:
    assert "Strict-Transport-Security" in dict(security_headers(PUBLIC_URL))
    assert "Strict-Transport-Security" not in dict(security_headers("http://law.example"))
