"""Answers of tools are read as those of endpoints: results, refusals, waits."""

import json
from typing import Any

import httpx
import pytest

from legal_client import (
    InsufficientCreditsError,
    InvalidKeyError,
    MalformedAnswerError,
    RateLimitedError,
    ServiceError,
    UnavailableError,
    ValidationError,
)

EMPTY: dict[str, Any] = {
    "citations": [],
    "quotations": [],
    "checked": 0,
    "total": 0,
    "snapshot": "2026.1.1-1",
}


def told(content: dict[str, Any], *, failed: bool = False, **meta: Any) -> httpx.Response:
    result = {"content": [{"type": "text", "text": json.dumps(content)}], "isError": failed, "_meta": meta}
    return httpx.Response(200, json={"jsonrpc": "2.0", "id": 1, "result": result})


def refused(code: str, **more: Any) -> httpx.Response:
    return told({"error": {"code": code, "message": f"No: {code}.", "requestId": "r1", **more}}, failed=True)


def test_a_tool_is_posted_with_its_arguments_and_its_cost_is_read(client_of):
    client, service = client_of(told(EMPTY, requestId="r7", creditsCost=3, creditsRemaining=9))
    checked = client.check_text("17 U.S.C. § 107", first=25)
    (asked,) = service.asked
    assert (asked.method, asked.url.path, asked.headers["Authorization"][:7]) == ("POST", "/mcp", "Bearer ")
    assert json.loads(asked.content)["params"] == {
        "name": "check_text",
        "arguments": {"text": "17 U.S.C. § 107", "first": 25},
    }
    meta = checked.meta
    assert (meta.request_id, meta.snapshot_id, meta.credits_cost, meta.credits_remaining) == (
        "r7",
        "2026.1.1-1",
        3,
        9,
    )


def test_the_snapshot_of_the_client_is_asked_for_unless_the_call_names_one(client_of):
    client, service = client_of(told(EMPTY), told(EMPTY), date="2026-01-02")
    client.check_text("§ 1")
    client.check_text("§ 1", snapshot="2026.1.1-1")
    pins = [json.loads(asked.content)["params"]["arguments"] for asked in service.asked]
    assert [(one.get("date"), one.get("snapshot")) for one in pins] == [
        ("2026-01-02", None),
        (None, "2026.1.1-1"),
    ]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("insufficient_credits", InsufficientCreditsError),
        ("validation_error", ValidationError),
        ("internal_error", ServiceError),
        ("something_new", ServiceError),
    ],
)
def test_what_a_tool_refuses_is_an_error_of_the_client(client_of, code, kind):
    client, service = client_of(refused(code))
    with pytest.raises(kind) as caught:
        client.check_text("§ 1")
    assert (caught.value.code, caught.value.message, caught.value.request_id) == (code, f"No: {code}.", "r1")
    assert len(service.asked) == 1


def test_a_tool_that_says_to_wait_is_waited_for(client_of):
    client, service = client_of(refused("rate_limited", retryAfterSec=7), told(EMPTY))
    assert client.check_text("§ 1").total == 0
    assert service.slept == [7]
    client, _ = client_of(refused("rate_limited", retryAfterSec=700))
    with pytest.raises(RateLimitedError) as caught:
        client.check_text("§ 1")
    assert caught.value.retry_after == 700
    client, service = client_of(*[refused("overloaded", retryAfterSec=1)] * 4)
    with pytest.raises(UnavailableError):
        client.check_text("§ 1")
    assert len(service.slept) == 3


def test_errors_of_the_protocol_and_of_others_are_told(client_of):
    data = {"code": "invalid_api_key", "message": "Unknown key.", "requestId": "r2"}
    wrapped = {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": 401, "message": "Unknown key. Stop.", "data": data},
    }
    client, _ = client_of(httpx.Response(401, json=wrapped))
    with pytest.raises(InvalidKeyError, match=r"^Unknown key\.$"):
        client.check_text("§ 1")
    host = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Not that host."}}
    client, _ = client_of(httpx.Response(421, json=host))
    with pytest.raises(ServiceError, match="Not that host") as caught:
        client.check_text("§ 1")
    assert caught.value.status == 421
    client, _ = client_of(httpx.Response(404, text="no such page"))
    with pytest.raises(Exception, match="404"):
        client.check_text("§ 1")
    client, _ = client_of(httpx.Response(200, text="<html>"))
    with pytest.raises(MalformedAnswerError):
        client.check_text("§ 1")
