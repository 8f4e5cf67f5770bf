"""Answers of the endpoint to what the server refuses by itself, without a server."""

from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from serving.api.origins import OriginPolicy
from serving.contract.errors import OverloadedError
from serving.mcp.endpoint import McpEndpoint
from serving.mcp.host_policy import HostPolicy
from tests.serving.mcp.conftest import LIMITED_ORIGIN

URL = "https://law.example"


@pytest.fixture(scope="module")
def endpoint() -> McpEndpoint:
    services: Any = SimpleNamespace(public_url=URL, snapshots=SimpleNamespace(current_id="2026.11.21-1"))
    origins = OriginPolicy(URL, [LIMITED_ORIGIN])
    unused: Any = SimpleNamespace()
    return McpEndpoint(unused, services, HostPolicy(URL), origins, metadata_url=f"{URL}/metadata")


@pytest.mark.parametrize(
    ("asked", "is_shared"),
    [({b"origin": LIMITED_ORIGIN}, True), ({b"origin": "https://evil.example"}, False), ({}, False)],
)
def test_a_refusal_is_told_as_an_error_of_json_rpc(endpoint, asked, is_shared):
    error = OverloadedError("Full.", retry_after_seconds=3)
    body, headers = endpoint.refused(error, "mine", asked)
    told = orjson.loads(body)
    assert (told["jsonrpc"], told["id"], told["error"]["code"]) == ("2.0", None, 503)
    data = told["error"]["data"]
    assert (data["code"], data["requestId"], data["retryAfterSec"]) == ("overloaded", "mine", 3)
    named = dict(headers)
    assert (named[b"retry-after"], named[b"x-request-id"]) == (b"3", b"mine")
    assert (named[b"content-type"], named[b"x-snapshot-id"]) == (b"application/json", b"2026.11.21-1")
    assert (named.get(b"access-control-allow-origin") == LIMITED_ORIGIN.encode()) is is_shared
