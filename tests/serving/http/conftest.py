"""A client of the application over the sample law, which holds every answer against the OpenAPI document."""

import asyncio
import copy
import gzip
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import falcon.testing
import orjson
import pyarrow as pa
import pytest
from jsonschema import Draft202012Validator

from serving.accounts.billing import Billing
from serving.http.charging import HEADERS
from serving.metering.clock import SECOND
from serving.metering.keys import SCOPES
from serving.process.application import create_web_app
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings

DOCUMENT = Path(__file__).parents[3] / "serving" / "api" / "openapi.json"
START = 1_795_003_200 * SECOND
"""18 November 2026, 12:00 UTC."""
NO_CONTENT = {"HEAD", "OPTIONS"}
OWN_HEADERS = {name.lower() for name in (*HEADERS, "Retry-After", "Link", "ETag", "X-Snapshot-Id")}
"""Headers of the service that a client acts on."""
App = falcon.asgi.App[Any, Any]


class Contract:
    """The OpenAPI document as a judge of answers."""

    def __init__(self) -> None:
        self.document = orjson.loads(DOCUMENT.read_bytes())
        strict = copy.deepcopy(self.document)
        _forbid_unknown_fields(strict["components"]["schemas"])
        self._strict = strict
        self._templates = {
            re.compile(re.sub(r"\{\w+\}", "[^/]+", template)): operations
            for template, operations in self.document["paths"].items()
        }

    def resolve(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return what an entry refers to, or itself."""
        while "$ref" in entry:
            found: Any = self._strict
            for key in entry["$ref"].removeprefix("#/").split("/"):
                found = found[key]
            entry = found
        return entry

    def check(self, method: str, path: str, result: falcon.testing.Result) -> None:
        """Assert that an answer is one that the document describes."""
        operations = next(
            (entry for template, entry in self._templates.items() if template.fullmatch(path)), None
        )
        if operations is None or method == "OPTIONS":
            return
        operation = operations.get(method.lower(), operations["get"])
        described = operation["responses"].get(str(result.status_code))
        assert described is not None, f"{method} {path} may not answer {result.status_code}"
        response = self.resolve(described)
        self._check_headers(response, result)
        if method in NO_CONTENT or result.status_code == 304:
            assert result.content == b""
            return
        media_type = result.headers["content-type"].split(";")[0]
        assert media_type in response["content"], f"{media_type} is not described"
        if media_type.endswith("json"):
            schema = {**response["content"][media_type]["schema"], "components": self._strict["components"]}
            Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
                orjson.loads(_decoded(result))
            )

    def _check_headers(self, response: dict[str, Any], result: falcon.testing.Result) -> None:
        if result.status_code < 500 and result.status_code != 304:
            sent = {name for name in OWN_HEADERS if name in result.headers}
            assert sent <= {name.lower() for name in response.get("headers", {})}, "not described"
        for name, entry in response.get("headers", {}).items():
            header = self.resolve(entry)
            value = result.headers.get(name.lower())
            assert value is not None or not header.get("required"), f"{name} is missing"
            if value is not None and "pattern" in header["schema"]:
                assert re.fullmatch(header["schema"]["pattern"], value)


def _forbid_unknown_fields(node: Any) -> None:
    """Close every object schema: clients must ignore unknown fields, tests must not."""
    if isinstance(node, dict):
        if node.get("type") == "object" and "properties" in node:
            node["additionalProperties"] = False
        for value in node.values():
            _forbid_unknown_fields(value)
    elif isinstance(node, list):
        for value in node:
            _forbid_unknown_fields(value)


def _decoded(result: falcon.testing.Result) -> bytes:
    encoding = result.headers.get("content-encoding", "identity")
    if encoding == "gzip":
        return gzip.decompress(result.content)
    if encoding == "zstd":
        content: bytes = pa.CompressedInputStream(pa.BufferReader(result.content), "zstd").read()
        return content
    assert encoding == "identity"
    return result.content


def staying(app: App) -> Any:
    """Return the application as clients meet it that wait for their answer: falcon's leaves as soon as it asked."""

    async def answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
        answered = asyncio.Event()

        async def staying_receive() -> Any:
            event = await receive()
            if event["type"] == "http.disconnect":
                await answered.wait()
            return event

        await app(scope, staying_receive if scope["type"] == "http" else receive, send)
        answered.set()

    return answer


class CheckedClient:
    """Sends requests to the application with a key and checks every answer against the document."""

    def __init__(self, app: App, contract: Contract, key: str) -> None:
        self._client = falcon.testing.TestClient(staying(app))
        self._contract = contract
        self._key = key

    def request(
        self, method: str, path: str, *, key: str | None = "", **options: Any
    ) -> falcon.testing.Result:
        """Send a request; `key` is another than the client's own, or None for no key at all."""
        if key is not None:
            own = {"Authorization": f"Bearer {key or self._key}"}
            options["headers"] = own | dict(options.get("headers") or {})
        result = self._client.simulate_request(method, path, **options)
        self._contract.check(method, path, result)
        return result

    def get(self, path: str, **options: Any) -> falcon.testing.Result:
        """Send a GET request; `params` become the query."""
        return self.request("GET", path, **options)


@pytest.fixture(scope="session")
def contract() -> Contract:
    """The document as a judge."""
    return Contract()


@pytest.fixture(scope="session")
def settings(snapshots_folder: Path) -> Settings:
    """Settings of the application under test."""
    return Settings(snapshots=snapshots_folder, base_url="https://law.example", search_threads=2)


@pytest.fixture(scope="session")
def holder(snapshots_folder: Path) -> Iterator[SnapshotHolder]:
    """The sample law, held open."""
    holder = SnapshotHolder(snapshots_folder)
    holder.refresh()
    yield holder
    holder.close()


class SteppingClock:
    """A clock that goes on by ten seconds whenever it is read, so that no limit is ever reached."""

    def __init__(self) -> None:
        self._instants = count(START, 10 * SECOND)

    def now(self) -> int:
        return next(self._instants)


@dataclass
class Customer:
    """An account of the store under test, and a key of it with every scope."""

    account_id: int
    key: str


@pytest.fixture(scope="session")
def billing(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Billing]:
    """The accounts of the application under test, on a clock that never stands."""
    path = tmp_path_factory.mktemp("accounts") / "accounts.sqlite"
    shutil.copy(sqlite_template, path)
    billing = Billing(f"sqlite:///{path}", clock=SteppingClock())
    # The loop in which falcon's test client runs every request.
    falcon.async_to_sync(billing.start)
    yield billing
    falcon.async_to_sync(billing.close)


@pytest.fixture(scope="session")
def new_customer(billing: Billing) -> Callable[..., Customer]:
    """Open an account with a wallet and a key."""

    def make(*, wallet: int = 1_000_000, scopes: Sequence[str] = SCOPES) -> Customer:
        account = billing.accounts.create()
        if wallet:
            billing.credits.grant(account.account_id, wallet)
        _, minted = billing.accounts.create_key(account.account_id, name="test", scopes=scopes)
        return Customer(account.account_id, minted.text)

    return make


@pytest.fixture(scope="session")
def client(
    settings: Settings,
    holder: SnapshotHolder,
    billing: Billing,
    contract: Contract,
    new_customer: Callable[..., Customer],
) -> CheckedClient:
    """A client of the application over the sample law."""
    return CheckedClient(create_web_app(settings, holder, billing), contract, new_customer().key)


@pytest.fixture
def client_over(
    settings: Settings, billing: Billing, contract: Contract, new_customer: Callable[..., Customer]
) -> Callable[..., CheckedClient]:
    """Make a client over other snapshots or settings."""

    def make(holder: SnapshotHolder, other: Settings = settings) -> CheckedClient:
        return CheckedClient(create_web_app(other, holder, billing), contract, new_customer().key)

    return make


@pytest.fixture(scope="session")
def decoded() -> Callable[[falcon.testing.Result], bytes]:
    """Return the body of an answer without its encoding."""
    return _decoded
