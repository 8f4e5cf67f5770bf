"""Calls of both doors and of stdio, in any mix: the same limits and credits, and one exact ledger."""

import asyncio
import random
import time
from collections import Counter
from typing import Any

import httpx
import pytest

from serving.accounts.billing import UNKNOWN_KEYS_PER_MINUTE
from serving.metering.clock import MINUTE
from serving.metering.keys import mint
from serving.metering.tiers import TIERS
from serving.pages.chart import LABELS
from tests.serving.mcp.test_tools import CALLED, CALLS
from tests.serving.mcp.wire import ACCEPT, META, NEWEST, Wire, message, said

pytestmark = pytest.mark.e2e
FREE = TIERS["free"].per_minute


def tool_call(name: str, arguments: dict[str, Any], key: str) -> dict[str, Any]:
    headers = {
        "Authorization": f"Bearer {key}",
        "Accept": ACCEPT,
        "MCP-Protocol-Version": NEWEST,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }
    params = {"name": name, "arguments": arguments, "_meta": META}
    return {"method": "POST", "url": "/mcp", "json": message("tools/call", params), "headers": headers}


def rest_call(path: str, key: str) -> dict[str, Any]:
    return {"method": "GET", "url": path, "headers": {"Authorization": f"Bearer {key}"}}


def test_any_mix_of_both_doors_leaves_one_exact_ledger(server, books, node):
    balance = 60
    customer = books.customer(balance=balance, tier="bulk", keys=4)
    key = dict(enumerate(customer.keys))
    tools: list[tuple[str, dict[str, Any]]] = [(tool.name, CALLS[tool.name]) for tool in CALLED] + [
        ("get_law_node", {"citation": "1 S.F.C. § 99"}),
        ("search_law", {"query": ""}),
    ]
    paths = [
        f"/api/v1/node/{node('/us/sample/t1/s7')}",
        "/api/v1/search?q=harbor&limit=1",
        "/api/v1/me",
        "/api/v1/node/not-an-id",
    ]
    asks = [tool_call(*tools[number % len(tools)], key[number % 4]) for number in range(78)]
    asks += [rest_call(paths[number % len(paths)], key[number % 4]) for number in range(40)]
    random.Random(6).shuffle(asks)

    async def scenario() -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=12)
        async with httpx.AsyncClient(base_url=server.url, timeout=60, limits=limits) as client:
            return await asyncio.gather(*(client.request(**ask) for ask in asks))

    answers = asyncio.run(scenario())
    paid = sum(spent(answer) for answer in answers)
    outcomes = Counter(outcome(answer) for answer in answers)
    assert paid == balance == len(books.charged(customer.account_id)) - refunds(books, customer)
    assert outcomes["insufficient_credits"] > 0
    assert set(outcomes) == {"paid", "insufficient_credits", "not_found", "validation_error"}
    assert books.balance(customer.account_id) == books.sum(customer.account_id) == 0
    assert not books.credits.check_ledger()


def spent(answer: httpx.Response) -> int:
    if answer.request.url.path != "/mcp":
        return int(answer.headers["x-credits-cost"]) if answer.status_code == 200 else 0
    result = answer.json()["result"]
    return 0 if result["isError"] else int(result["_meta"]["creditsCost"])


def outcome(answer: httpx.Response) -> str:
    if spent(answer):
        return "paid"
    body = answer.json()
    code: str = said(body["result"])["error"]["code"] if "result" in body else body["error"]
    return code


def refunds(books, customer) -> int:
    return len(books.entries(customer.account_id, "refund"))


def test_both_doors_share_the_limits_of_a_key(http, books, node):
    customer = books.customer()
    wire = Wire(http, customer.key)
    headers = {"Authorization": f"Bearer {customer.key}"}
    for number in range(FREE - 2):
        if number % 2:
            assert http.get("/api/v1/code-bodies", headers=headers).status_code == 200
        else:
            assert wire.modern("tools/list").status_code == 200, "lists count as well"
    assert not wire.call("account_status")["isError"]
    assert wire.failure("search_law", query="")["code"] == "validation_error", "so do failures"
    refused = wire.failure("account_status")
    assert refused["code"] == "rate_limited"
    assert 0 < refused["retryAfterSec"] <= MINUTE // 1_000_000
    assert http.get("/api/v1/code-bodies", headers=headers).status_code == 429
    error = wire.modern("tools/list").json()["error"]
    assert (error["code"], error["data"]["code"]) == (429, "rate_limited")
    assert len(books.charged(customer.account_id)) == (FREE - 2) // 2 + 1


def test_lists_discovery_and_prompts_are_free(wire, books, customer):
    for method in (
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ):
        assert wire.modern(method).status_code == 200
    wire.modern("prompts/get", {"name": "cite_provision", "arguments": {"point": "x"}})
    assert books.charged(customer.account_id) == []


def test_pings_cost_no_request(wire):
    def left() -> int:
        told = wire.call("account_status")["_meta"]["rateLimit"]
        return int(told["remainingThisMinute"])

    before = left()
    for _ in range(3):
        assert wire.legacy("ping", version="2025-11-25").json()["result"] == {}
    assert left() == before - 1


def test_who_has_no_credits_is_told_where_they_are_bought(http, books):
    key = books.customer(balance=0).key
    wire = Wire(http, key)
    error = wire.failure("search_law", query="harbor")
    assert error["code"] == "insufficient_credits"
    told = http.get("/api/v1/search?q=harbor", headers={"Authorization": f"Bearer {key}"}).json()
    assert {name: error[name] for name in ("upgradeUrl", "creditsRemaining", "renewsAt")} == {
        name: told[name] for name in ("upgradeUrl", "creditsRemaining", "renewsAt")
    }
    assert wire.failure("get_law_node", nodeId="0" * 8 + "-0000-0000-0000-" + "0" * 12)["code"] == (
        "insufficient_credits"
    ), "credits come before what is not there"
    assert wire.modern("resources/read", {"uri": "law://coverage"}).json()["error"]["code"] == 402


@pytest.mark.parametrize(
    ("query", "code", "without_credits"),
    [
        (" ", "validation_error", "validation_error"),
        ("999999", "not_found", "insufficient_credits"),
    ],
)
def test_what_cannot_be_looked_up_is_never_charged(http, books, query, code, without_credits):
    poor, customer = books.customer(balance=0), books.customer(balance=5)
    told = [Wire(http, one.key).failure("formation_lookup_naics", query=query) for one in (customer, poor)]
    assert [error["code"] for error in told] == [code, without_credits]
    assert not books.charged(customer.account_id)
    assert not refunds(books, customer)


def test_words_are_looked_up_for_who_has_credits(http, books):
    poor, customer = books.customer(balance=0), books.customer(balance=5)
    error = Wire(http, poor.key).failure("formation_lookup_naics", query="bakery")
    assert error["code"] == "insufficient_credits"
    Wire(http, customer.key).answer("formation_lookup_naics", query="bakery")
    assert len(books.charged(customer.account_id)) == 1


def test_a_revoked_key_opens_nothing(http, books):
    customer = books.customer()
    wire = Wire(http, customer.key)
    for _ in range(4):  # both workers have met it
        assert wire.modern("tools/list").status_code == 200
    (key,) = [one for one in books.accounts.list_keys(customer.account_id) if one.revoked_at is None]
    books.accounts.revoke_key(customer.account_id, key.key_id)
    calls = [
        ("tools/list", {}),
        ("tools/call", {"name": "account_status"}),
        ("resources/read", {"uri": "law://coverage"}),
    ]
    for method, params in calls * 2:
        answer = wire.modern(method, params)
        assert (answer.status_code, answer.json()["error"]["data"]["code"]) == (401, "invalid_api_key")
        assert "resource_metadata=" in answer.headers["www-authenticate"]


def test_the_ledger_names_what_was_called_as_the_chart_does(wire, books, customer):
    for name, arguments in CALLS.items():
        assert not wire.call(name, **arguments)["isError"]
    named = [entry.endpoint for entry in books.entries(customer.account_id, "charge")][-len(CALLS) :]
    assert named == [tool.operation.name for tool in CALLED]
    assert set(named) <= set(LABELS)


def test_calls_whose_parameters_are_none_count_as_well(wire):
    def left() -> int:
        told = wire.call("account_status")["_meta"]["rateLimit"]
        return int(told["remainingThisMinute"])

    before = left()
    assert wire.modern("tools/call", {"name": "search_law", "arguments": 5}).status_code == 400
    assert left() == before - 2


def test_unknown_keys_of_a_network_are_looked_up_so_often(http, wire):
    stranger = {"X-Forwarded-For": "198.51.100.200"}
    begun = time.monotonic()
    answers = [
        Wire(http, mint().text).post(message("tools/list"), stranger)
        for _ in range(4 * UNKNOWN_KEYS_PER_MINUTE)
    ]
    refused = [answer for answer in answers if answer.status_code == 429]
    # Each of the two workers counts by itself, and allowances fill up meanwhile.
    minutes = (time.monotonic() - begun) / 60
    assert len(answers) - len(refused) <= 2 * UNKNOWN_KEYS_PER_MINUTE * (1 + minutes) + 2
    assert {answer.status_code for answer in answers} == {401, 429}
    assert {answer.json()["error"]["data"]["code"] for answer in refused} == {"rate_limited"}
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
    assert wire.modern("tools/list", **{"X-Forwarded-For": "198.51.100.201"}).status_code == 200
