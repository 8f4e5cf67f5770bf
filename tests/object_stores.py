"""Object stores for tests: one in memory, and moto's S3 over loopback where it is installed (`make storage`)."""

import importlib
import importlib.util
import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from werkzeug.serving import make_server

HAS_S3 = all(importlib.util.find_spec(name) for name in ("moto", "s3fs"))
needs_s3 = pytest.mark.skipif(
    not HAS_S3, reason="moto and s3fs are not installed here: `make storage` runs this"
)

on_s3 = pytest.mark.parametrize("store_url", [pytest.param("s3", marks=needs_s3)], indirect=True)
"""A test that takes too long to be run on a store in memory too."""

Ask = dict[str, Any]
"""A request, as WSGI has it."""


class S3Server:
    """moto's S3, whose requests may be changed or refused on their way.

    Attributes:
        url: where it answers.
        refuses: says of a request whether it is answered 503, as by a store that breaks down.
        on_request: told of each request first, and may change it.
    """

    def __init__(self) -> None:
        moto = importlib.import_module("moto.server")
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._app = moto.DomainDispatcherApplication(moto.create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.port}"
        self.forget_faults()

    def forget_faults(self) -> None:
        self.refuses: Callable[[Ask], bool] = lambda _: False
        self.on_request: Callable[[Ask], None] = lambda _: None

    def new_bucket(self) -> str:
        """Make a bucket and return its name."""
        boto3 = importlib.import_module("boto3")
        name = f"law-{secrets.token_hex(6)}"
        boto3.client("s3", endpoint_url=self.url).create_bucket(Bucket=name)
        return name

    def _answer(self, ask: Ask, start: Any) -> Any:
        self.on_request(ask)
        if self.refuses(ask):
            start("503 Service Unavailable", [("Content-Type", "application/xml"), ("Connection", "close")])
            return [b"<Error><Code>ServiceUnavailable</Code><Message>Broken down</Message></Error>"]
        return self._app(ask, start)

    @contextmanager
    def running(self) -> Iterator["S3Server"]:
        self._thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()


@pytest.fixture(scope="session")
def running_s3() -> Iterator[S3Server]:
    if not HAS_S3:
        pytest.skip("moto and s3fs are not installed here: `make storage` runs this")
    with S3Server().running() as server:
        yield server


@pytest.fixture
def s3(running_s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """S3, and the settings in the environment by which libraries find it."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", running_s3.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    yield running_s3
    running_s3.forget_faults()
    forget_connections()


def forget_connections() -> None:
    """Close the connections to S3 that the library keeps, with the settings that they were opened by."""
    files = importlib.import_module("s3fs").S3FileSystem
    for opened in files._cache.values():
        if opened._s3creator is not None:
            files.close_session(opened.loop, opened._s3)
    files.clear_instance_cache()


@pytest.fixture(params=["memory", pytest.param("s3", marks=needs_s3)])
def store_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty store, of each kind that is there."""
    if request.param == "memory":
        return f"memory://law-{secrets.token_hex(6)}/workspace"
    server: S3Server = request.getfixturevalue("s3")
    return f"s3://{server.new_bucket()}/workspace"
