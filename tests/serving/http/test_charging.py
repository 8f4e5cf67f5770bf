"""Keys, charges and limits before every metered endpoint: which error comes first, what an answer costs and says."""

import re
import shutil
from dataclasses import replace
from uuid import uuid4

import falcon
import pytest

from serving.accounts.billing import Billing
from serving.api import operations
from serving.metering.keys import SCOPES, mint
from serving.metering.tiers import FORMED_ALLOTMENT
from serving.process.application import create_web_app
from serving.services.snapshots import SnapshotHolder
from tests.serving.http.conftest import CheckedClient

ABSENT = "00000000-0000-5000-8000-000000000000"
PATHS = {
    operations.SEARCH: "/api/v1/search?q=harbor",
    operations.RESOLVE: "/api/v1/resolve?citation=1%20SFC%207",
    operations.NODE: f"/api/v1/node/{ABSENT}",
    operations.CITED_BY: f"/api/v1/node/{ABSENT}/cited-by",
    operations.HISTORY: f"/api/v1/node/{ABSENT}/history",
    operations.CODE_BODIES: "/api/v1/code-bodies",
    operations.BROWSE: f"/api/v1/browse?codeBodyId={ABSENT}",
    operations.CHANGES: "/api/v1/changes?from=2020.01.01-1",
    operations.WATCHES: "/api/v1/watches",
    operations.GIS: "/api/v1/gis/sample-city",
    operations.GIS_AT: "/api/v1/gis/sample-city/at?lat=0&lon=0",
    operations.COVERAGE: "/api/v1/coverage",
    operations.ME: "/api/v1/me",
    operations.ORDER_STATUS: f"/api/v1/formation/status/{ABSENT}?token=none",
}
METERED = pytest.mark.parametrize("operation", operations.ALL, ids=lambda operation: operation.name)


def spend_all(billing, customer):
    """Leave an account with one credit."""
    balance = billing.accounts.get(customer.account_id)
    assert balance.wallet == 0
    caller = falcon.async_to_sync(billing.gate.identify, customer.key)
    dear = replace(operations.SEARCH, cost=balance.allotment - 1)
    falcon.async_to_sync(billing.gate.settle, caller, dear, request_id="spend", problem=None, free=False)


def ask(client, path, **options):
    bare, _, query = path.partition("?")
    return client.get(bare, query_string=query, **options)


@METERED
def test_without_a_key_is_401_and_says_where_keys_go(client, operation):
    result = ask(client, PATHS[operation], key=None)
    assert (result.status_code, result.json["error"]) == (401, "invalid_api_key")
    assert result.headers["www-authenticate"] == "Bearer"
    assert "Authorization: Bearer" in result.json["message"]
    assert not {name for name in result.headers if "credits" in name or "ratelimit" in name}


@pytest.mark.parametrize(
    "header",
    ["Basic bGF3Omxhdw==", "Bearer", "Bearer  ", "lr_live_", "Bearer lr_live_short", "Token {key}", "{key}"],
)
def test_what_is_no_bearer_key_is_401(client, new_customer, header):
    key = new_customer().key
    headers = {"Authorization": header.format(key=key)}
    assert client.get("/api/v1/coverage", key=None, headers=headers).status_code == 401


def test_scheme_is_known_in_any_case(client, new_customer):
    headers = {"Authorization": f"bearer   {new_customer().key} "}
    assert client.get("/api/v1/coverage", key=None, headers=headers).status_code == 200


def test_key_of_nobody_and_key_with_a_wrong_checksum_are_401(client):
    stranger = mint().text
    assert client.get("/api/v1/coverage", key=stranger).status_code == 401
    mistyped = stranger[:-1] + ("0" if stranger[-1] != "0" else "1")
    result = client.get("/api/v1/coverage", key=mistyped)
    assert "checksum" in result.json["message"]
    assert mistyped not in result.text


@pytest.mark.parametrize(
    "operation", [one for one in operations.ALL if set(one.scopes) != set(SCOPES)], ids=lambda one: one.name
)
def test_key_without_the_scope_is_403_and_costs_nothing(client, new_customer, billing, operation):
    others = [scope for scope in SCOPES if scope not in operation.scopes]
    customer = new_customer(wallet=0, scopes=others)
    result = ask(client, PATHS[operation], key=customer.key)
    assert (result.status_code, result.json["error"]) == (403, "insufficient_scope")
    assert all(f"`{scope}`" in result.json["message"] for scope in operation.scopes)
    assert result.headers["x-credits-cost"] == "0"
    assert result.headers["x-credits-remaining"] == "1000"
    assert len(billing.accounts.ledger(customer.account_id)) == 1


@METERED
def test_any_one_scope_opens_it(client, new_customer, operation):
    for scope in operation.scopes:
        result = ask(client, PATHS[operation], key=new_customer(scopes=[scope]).key)
        assert result.status_code in (200, 404)


def test_answer_says_what_it_cost_and_what_is_left(client, new_customer):
    key = new_customer(wallet=5).key
    result = client.get("/api/v1/coverage", key=key)
    assert result.headers["x-credits-remaining"] == "1004"
    assert result.headers["x-research-allotment-remaining"] == "999"
    assert result.headers["x-credits-cost"] == "1"
    assert result.headers["x-ratelimit-limit"] == "30"
    assert result.headers["ratelimit-policy"] == '"minute";q=30;w=60, "day";q=1000;w=86400'
    assert re.fullmatch(r'"minute";r=29;t=60, "day";r=999;t=86400', result.headers["ratelimit"])
    exposed = result.headers["access-control-expose-headers"]
    assert "X-Credits-Remaining" in exposed
    assert "RateLimit-Policy" in exposed


def test_not_modified_is_free_and_needs_a_key_and_counts(client, new_customer):
    key = new_customer(wallet=0).key
    for path in ("/api/v1/coverage?", "/api/v1/search?q=harbor+permit"):
        first = ask(client, path, key=key)
        headers = {"If-None-Match": first.headers["etag"]}
        again = ask(client, path, key=key, headers=headers)
        assert again.status_code == 304
        assert again.headers["x-credits-cost"] == "0"
        assert again.headers["x-credits-remaining"] == first.headers["x-credits-remaining"]
        left = [int(re.findall(r'"day";r=(\d+)', one.headers["ratelimit"])[0]) for one in (first, again)]
        assert left[0] - left[1] == 1
        assert ask(client, path, key=None, headers=headers).status_code == 401


def test_without_credits_is_402_with_the_way_to_more(client, new_customer, billing):
    customer = new_customer(wallet=0)
    spend_all(billing, customer)
    assert client.get("/api/v1/coverage", key=customer.key).headers["x-credits-remaining"] == "0"
    result = client.get("/api/v1/coverage", key=customer.key)
    assert (result.status_code, result.json["error"]) == (402, "insufficient_credits")
    assert result.json["upgradeUrl"] == "https://law.example/settings#packs"
    assert (result.json["creditsRemaining"], result.json["renewsAt"]) == (0, "2026-12-01T00:00:00Z")
    assert "0 of the month's allotment and 0 in the wallet" in result.json["message"]
    assert "renews at 2026-12-01T00:00:00Z" in result.json["message"]
    assert result.headers["x-credits-remaining"] == result.headers["x-credits-cost"] == "0"
    assert "etag" not in result.headers
    assert "content-encoding" not in result.headers


@pytest.mark.parametrize(
    "operation", [operations.COVERAGE, operations.SEARCH, operations.ME], ids=lambda one: one.name
)
def test_refused_call_counts_once(client, new_customer, billing, operation):
    customer = new_customer(wallet=0)
    spend_all(billing, customer)
    client.get("/api/v1/coverage", key=customer.key)
    for left in range(997, 987, -1):
        result = ask(client, PATHS[operation], key=customer.key)
        assert result.status_code == 402
        assert f'"day";r={left};' in result.headers["ratelimit"]


def test_first_failing_check_is_named(client, new_customer, billing, node):
    broke = new_customer(wallet=0, scopes=("node", "search"))
    spend_all(billing, broke)
    assert client.get(f"/api/v1/node/{node('/us/sample/t1/s9')}", key=broke.key).status_code == 200
    for path, expected in (
        ("/api/v1/browse?codeBodyId=none", "insufficient_scope"),
        ("/api/v1/node/none", "validation_error"),
        ("/api/v1/search?q=x&lang=en", "validation_error"),
        ("/api/v1/search?q=x&jurisdiction=zz", "validation_error"),
        (f"/api/v1/node/{ABSENT}?snapshot=2020.01.01-1", "not_found"),
        (f"/api/v1/node/{ABSENT}", "insufficient_credits"),
        ("/api/v1/search?q=harbor", "insufficient_credits"),
    ):
        result = ask(client, path, key=broke.key)
        assert result.json["error"] == expected, path
    rich = new_customer(scopes=("node",))
    result = client.get(f"/api/v1/node/{ABSENT}", key=rich.key)
    assert (result.json["error"], result.json["kind"]) == ("not_found", "node")
    assert result.headers["x-credits-cost"] == "0"


@pytest.mark.parametrize("path", ["/api/v1/coverage", "/api/v1/quality"])
@pytest.mark.parametrize("name", ["api_key", "access_token", "key", "snapshot"])
def test_key_in_the_query_is_named_even_beside_a_good_one(client, new_customer, path, name):
    key = new_customer().key
    result = client.get(path, params={name: key})
    assert result.status_code == 401
    assert "query" in result.json["message"]
    assert key not in result.text


def test_what_only_begins_as_a_key_is_none(client):
    result = client.get("/api/v1/coverage", params={"key": "lr_live_"})
    assert (result.status_code, result.json["parameter"]) == (422, "key")


def test_revoked_key_is_401_at_once_in_a_process_that_knows_it(client, new_customer, billing):
    customer = new_customer()
    assert client.get("/api/v1/coverage", key=customer.key).status_code == 200
    (key,) = billing.accounts.list_keys(customer.account_id)
    billing.accounts.revoke_key(customer.account_id, key.key_id)
    result = client.get("/api/v1/coverage", key=customer.key)
    assert result.status_code == 401
    assert "revoked" in result.json["message"]


def test_search_that_fails_is_refunded(client_over, new_customer, billing, holder, settings):
    client = client_over(holder, replace(settings, max_concurrent_searches=0))
    customer = new_customer(wallet=0)
    result = client.get("/api/v1/search", params={"q": "harbor"}, key=customer.key)
    assert result.status_code == 503
    assert result.headers["x-credits-cost"] == "0"
    assert result.headers["x-credits-remaining"] == "1000"
    kinds = [entry.kind for entry in billing.accounts.ledger(customer.account_id)]
    assert kinds == ["refund", "charge", "allotment"]


def test_failure_of_ours_is_not_charged(client_over, new_customer, billing, tmp_path):
    customer = new_customer(wallet=0)
    result = client_over(SnapshotHolder(tmp_path)).get("/api/v1/coverage", key=customer.key)
    assert result.status_code == 503
    assert billing.accounts.get(customer.account_id).allotment == 1000


def test_account_is_shown_as_it_is_after_the_call(client, new_customer):
    customer = new_customer(wallet=7, scopes=("gis",))
    headers = {"X-Request-Id": "my-own-id"}
    result = client.get("/api/v1/me", key=customer.key, headers=headers)
    assert result.status_code == 200
    assert result.headers["cache-control"] == "no-store"
    assert "etag" not in result.headers
    body = result.json
    assert body["tier"] == "free"
    assert body["creditsRemaining"] == int(result.headers["x-credits-remaining"]) == 1006
    assert body["rateLimit"] == {"requestsPerMinute": 30, "requestsPerDay": 1000}
    assert body["wallet"] == 7
    assert (body["keyPrefix"], body["scopes"]) == (customer.key[:12], ["gis"])
    assert body["researchAllotment"] == {"limit": 1000, "remaining": 999, "renewsAt": "2026-12-01T00:00:00Z"}
    assert [entry["kind"] for entry in body["ledger"]] == ["charge", "grant", "allotment"]
    charge = body["ledger"][0]
    assert (charge["endpoint"], charge["requestId"], charge["allotment"]) == ("me", "my-own-id", -1)
    assert sum(entry["allotment"] + entry["wallet"] for entry in body["ledger"]) == body["creditsRemaining"]
    packs = {option["pack"]: (option["priceCents"], option["credits"]) for option in body["upgradeOptions"]}
    assert packs == {"starter": (500, 1000), "pro": (2000, 5000), "bulk": (5000, 15000)}


def test_account_lists_the_newest_twenty_entries(client, new_customer):
    key = new_customer().key
    for _ in range(22):
        ledger = client.get("/api/v1/me", key=key).json["ledger"]
    assert len(ledger) == 20
    assert {entry["kind"] for entry in ledger} == {"charge"}


@pytest.fixture
def order(billing, new_customer):
    return billing.orders.create(
        new_customer().account_id, entity_name="Harbor Works", entity_type="llc", filing_jurisdiction="dc"
    )


def test_order_is_shown_to_who_holds_its_token(client, billing, order):
    billing.orders.advance(order.order.order_id, "payment")
    path = f"/api/v1/formation/status/{order.order.order_id}"
    result = client.get(path, params={"token": order.token})
    assert result.headers["cache-control"] == "no-store"
    assert result.json["state"] == "payment"
    assert [stage["state"] for stage in result.json["stages"]] == ["details", "payment"]
    assert (result.json["entityName"], result.json["entityType"]) == ("Harbor Works", "llc")
    assert result.json["updatedAt"] == result.json["stages"][-1]["at"]


def test_unknown_order_and_wrong_token_are_answered_alike(client, order):
    answers = [
        client.get(f"/api/v1/formation/status/{wanted}", params={"token": token})
        for wanted, token in (
            (order.order.order_id, "wrong"),
            (str(uuid4()), order.token),
            (str(uuid4()), "wrong"),
        )
    ]
    for answer in answers:
        assert (answer.status_code, answer.json["kind"]) == (404, "order")
        assert answer.json | {"requestId": ""} == answers[0].json | {"requestId": ""}
        assert order.token not in answer.text


def test_order_that_is_filed_raises_the_allotment_of_the_next_call(client, billing, new_customer):
    customer = new_customer(wallet=0)
    made = billing.orders.create(
        customer.account_id, entity_name="Harbor", entity_type="llc", filing_jurisdiction="dc"
    )
    for state in ("payment", "setup", "final_review", "filing", "filed"):
        billing.orders.advance(made.order.order_id, state)
    body = client.get("/api/v1/me", key=customer.key).json
    assert body["researchAllotment"]["limit"] == FORMED_ALLOTMENT
    assert body["creditsRemaining"] == FORMED_ALLOTMENT - 1


@pytest.mark.parametrize(
    "query", ["", "token=", "token=a&token=b", f"token={'x' * 201}", "token=a&order=b", "token=%C3%A9"]
)
def test_token_is_checked_and_not_repeated(client, query):
    result = client.get(f"/api/v1/formation/status/{uuid4()}", query_string=query)
    assert result.status_code == 422
    assert "xxx" not in result.text


def test_key_given_as_a_request_id_is_not_taken_for_one(client, billing, new_customer):
    customer = new_customer()
    result = client.get("/api/v1/coverage", key=customer.key, headers={"X-Request-Id": customer.key})
    assert customer.key not in str(result.headers)
    assert all(customer.key not in str(entry) for entry in billing.accounts.ledger(customer.account_id))


def test_key_in_the_path_is_cut_short_in_the_answer(client, new_customer):
    key = new_customer().key
    result = client.get(f"/api/v1/nothing/{key}")
    assert result.status_code == 404
    assert key not in result.text


def test_unknown_keys_of_a_network_are_looked_up_so_often_and_good_ones_always(
    settings, holder, contract, tmp_path, sqlite_template, monkeypatch
):
    path = tmp_path / "accounts.sqlite"
    shutil.copy(sqlite_template, path)
    billing = Billing(f"sqlite:///{path}", unknown_keys_per_minute=5)
    falcon.async_to_sync(billing.start)
    looked_up = []
    find = billing.accounts.find_key

    def find_and_note(hashed):
        looked_up.append(hashed)
        return find(hashed)

    monkeypatch.setattr(billing.accounts, "find_key", find_and_note)
    account = billing.accounts.create().account_id
    good = [billing.accounts.create_key(account, name="x", scopes=SCOPES)[1].text for _ in range(4)]
    client = CheckedClient(create_web_app(settings, holder, billing), contract, good[0])
    for key in good[:3] * 4:
        assert client.get("/api/v1/coverage", key=key).status_code == 200, "good keys do not count"
    answers = [client.get("/api/v1/coverage", key=mint().text) for _ in range(40)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429] * 35
    assert len(looked_up) == 3 + 5
    refused = answers[-1]
    assert refused.json["error"] == "rate_limited"
    assert 1 <= int(refused.headers["retry-after"]) == refused.json["retryAfterSec"] <= 12
    assert client.get("/api/v1/coverage", key=good[0]).status_code == 200, (
        "nor are those that are known refused"
    )
    assert client.get("/api/v1/coverage", key="lr_live_short").status_code == 401
    assert client.get("/api/v1/coverage", key=None).status_code == 401
    elsewhere = {"remote_addr": "2001:db8::1"}
    assert client.get("/api/v1/coverage", key=good[3], **elsewhere).status_code == 200
    assert client.get("/api/v1/coverage", key=mint().text, **elsewhere).status_code == 401
    falcon.async_to_sync(billing.close)
