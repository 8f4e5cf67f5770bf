"""The tables of endpoints, errors and limits, as clients of a real server of several workers meet them."""

from uuid import uuid4

import httpx
import pytest

from serving.metering.keys import SCOPES, mint
from serving.metering.tiers import PACKS, can_grow
from tests.serving.metering.books import Books, Customer

pytestmark = pytest.mark.e2e
RESEARCH = ("search", "node", "browse", "gis")
CREDIT_HEADERS = ("x-credits-remaining", "x-research-allotment-remaining", "x-credits-cost")
LIMIT_HEADERS = ("x-ratelimit-limit", "ratelimit", "ratelimit-policy")
ENDPOINTS = {
    "search": ("search",),
    "node": ("node",),
    "code-bodies": ("browse",),
    "browse": ("browse",),
    "coverage": RESEARCH,
    "me": SCOPES,
    "formation/status": ("formation",),
}
"""The scopes of each metered endpoint, any one of which opens it; each costs one credit."""
KEYLESS = ("/api/v1/openapi.json", "/health", "/ready")
TIERS = {"free": (30, 1_000), "starter": (60, 5_000), "pro": (120, 20_000), "bulk": (300, 60_000)}
each_endpoint = pytest.mark.parametrize("endpoint", ENDPOINTS)


@pytest.fixture
def address(node, body, books: Books):
    """Gives the path of a call that is answered 200."""

    def path(endpoint: str) -> str:
        if endpoint == "formation/status":
            order = books.orders.create(
                books.customer().account_id, entity_name="Harbor", entity_type="llc", filing_jurisdiction="dc"
            )
            return f"/api/v1/formation/status/{order.order.order_id}?token={order.token}"
        return {
            "search": "/api/v1/search?q=harbor",
            "node": f"/api/v1/node/{node('/us/sample/t1/s9')}",
            "code-bodies": "/api/v1/code-bodies",
            "browse": f"/api/v1/browse?codeBodyId={body('us-sample')}",
            "coverage": "/api/v1/coverage",
            "me": "/api/v1/me",
        }[endpoint]

    return path


def bearer(customer: Customer | str) -> dict[str, str]:
    return {"Authorization": f"Bearer {customer if isinstance(customer, str) else customer.key}"}


def assert_error(answer: httpx.Response, status: int, code: str, **extra: object) -> None:
    """The error body of the description: a code, a message for people, and only the extras that belong."""
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert set(body) == {"error", "message", "requestId", *extra}
    assert len(body["message"]) > 20
    assert body["requestId"] == answer.headers["x-request-id"]
    assert {name: body[name] for name in extra} == extra
    assert "no-store" in answer.headers["cache-control"]


@each_endpoint
def test_answer_costs_one_credit_and_says_what_is_left(client, books, address, endpoint):
    customer = books.customer(balance=1_010)
    first = client.get(address(endpoint), headers=bearer(customer))
    assert first.status_code == 200, first.text
    assert first.headers["content-type"] == "application/json"
    assert first.headers["x-credits-remaining"] == "1009"
    assert first.headers["x-research-allotment-remaining"] == "999"
    assert first.headers["x-credits-cost"] == "1"
    assert first.headers["x-ratelimit-limit"] == "30"
    assert first.headers["ratelimit-policy"] == '"minute";q=30;w=60, "day";q=1000;w=86400'
    assert first.headers["ratelimit"] == '"minute";r=29;t=60, "day";r=999;t=86400'
    (charge,) = books.entries(customer.account_id, "charge")
    assert (charge.endpoint, charge.allotment, charge.wallet) == (endpoint, -1, 0)
    assert charge.request_id == first.headers["x-request-id"]


@each_endpoint
def test_each_of_its_scopes_opens_it_and_the_others_together_do_not(client, books, address, endpoint):
    path, scopes = address(endpoint), ENDPOINTS[endpoint]
    for scope in scopes:
        assert client.get(path, headers=bearer(books.customer(scopes=(scope,)))).status_code == 200, scope
    others = tuple(scope for scope in SCOPES if scope not in scopes)
    if not others:
        return
    customer = books.customer(scopes=others)
    answer = client.get(path, headers=bearer(customer))
    assert_error(answer, 403, "insufficient_scope")
    assert all(f"`{scope}`" in answer.json()["message"] for scope in scopes)
    assert answer.headers["x-credits-cost"] == "0"
    assert answer.headers["x-credits-remaining"] == "1000"
    assert '"minute";r=29;' in answer.headers["ratelimit"], "it counts as a request"
    assert books.charged(customer.account_id) == []


@each_endpoint
def test_without_a_good_key_is_401(client, books, address, endpoint):
    path, customer = address(endpoint), books.customer()
    stranger = mint().text
    revoked = books.customer()
    (key,) = [one for one in books.accounts.list_keys(revoked.account_id) if one.revoked_at is None]
    assert client.get(path, headers=bearer(revoked)).status_code == 200
    books.accounts.revoke_key(revoked.account_id, key.key_id)
    for headers in (
        {},
        {"Authorization": ""},
        {"Authorization": customer.key},
        {"Authorization": f"Basic {customer.key}"},
        bearer(stranger),
        bearer(stranger[:-1]),
        bearer(customer.key.swapcase()),
        bearer(revoked),
    ):
        answer = client.get(path, headers=headers)
        assert_error(answer, 401, "invalid_api_key")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert not {*CREDIT_HEADERS, *LIMIT_HEADERS} & set(answer.headers)


@each_endpoint
def test_key_in_the_query_is_401_even_beside_a_good_one(client, books, address, endpoint):
    path, customer = address(endpoint), books.customer()
    for headers in ({}, bearer(customer)):
        answer = client.get(f"{path}{'&' if '?' in path else '?'}api_key={customer.key}", headers=headers)
        assert_error(answer, 401, "invalid_api_key")
        assert "header" in answer.json()["message"]
    assert books.charged(customer.account_id) == []


@each_endpoint
def test_without_credits_is_402_with_the_way_to_more(client, server, books, address, endpoint):
    customer = books.customer(balance=1)
    path = address(endpoint)
    last = client.get(path, headers=bearer(customer))
    assert (last.status_code, last.headers["x-credits-remaining"]) == (200, "0")
    answer = client.get(path, headers=bearer(customer))
    assert_error(
        answer,
        402,
        "insufficient_credits",
        upgradeUrl=f"{server.url}/settings#packs",
        creditsRemaining=0,
        renewsAt=client.get("/api/v1/me", headers=bearer(books.customer(balance=1))).json()[
            "researchAllotment"
        ]["renewsAt"],
    )
    assert [answer.headers[name] for name in CREDIT_HEADERS] == ["0", "0", "0"]
    assert '"minute";r=28;' in answer.headers["ratelimit"], "it counts as a request, once"
    assert len(books.charged(customer.account_id)) == 1
    books.credits.grant(customer.account_id, 1)
    again = client.get(path, headers=bearer(customer))
    assert (again.status_code, again.headers["x-credits-remaining"]) == (200, "0")


def test_upgrade_url_leads_to_the_packs(client, books):
    customer = books.customer(balance=0)
    refusal = client.get("/api/v1/me", headers=bearer(customer))
    page = client.get(refusal.json()["upgradeUrl"])
    assert page.status_code == 200
    assert 'id="packs"' in page.text


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/api/v1/search", "q"),
        ("/api/v1/search?q=x&limit=101", "limit"),
        ("/api/v1/browse", "codeBodyId"),
        ("/api/v1/node/none", "id"),
        ("/api/v1/me?tier=free", "tier"),
        ("/api/v1/formation/status/none?token=a", "orderId"),
        ("/api/v1/formation/status/00000000-0000-4000-8000-000000000000", "token"),
    ],
)
def test_bad_parameter_is_422_and_counts_and_costs_nothing(client, books, path, parameter):
    customer = books.customer()
    answer = client.get(path, headers=bearer(customer))
    assert_error(answer, 422, "validation_error", parameter=parameter)
    assert answer.headers["x-credits-cost"] == "0"
    assert answer.headers["x-credits-remaining"] == "1000"
    assert '"minute";r=29;' in answer.headers["ratelimit"]
    assert books.charged(customer.account_id) == []


@pytest.mark.parametrize("endpoint", ["node", "search", "me"])
def test_thirty_first_request_of_a_minute_is_429(client, books, address, endpoint):
    """Each request is on a connection of its own, so that all workers take part."""
    customer, path = books.customer(), address(endpoint)
    for left in range(29, -1, -1):
        answer = client.get(path, headers=bearer(customer))
        assert answer.status_code == 200
        assert f'"minute";r={left};' in answer.headers["ratelimit"]
    answer = client.get(path, headers=bearer(customer))
    wait = answer.json()["retryAfterSec"]
    assert_error(answer, 429, "rate_limited", retryAfterSec=wait)
    assert 1 <= wait <= 60
    assert answer.headers["retry-after"] == str(wait)
    assert answer.headers["ratelimit"].startswith(f'"minute";r=0;t={wait}, ')
    assert answer.headers["x-ratelimit-limit"] == "30"
    assert len(books.charged(customer.account_id)) == 30


def test_limits_are_of_each_key_and_credits_of_the_account(client, books):
    customer = books.customer(keys=2)
    for _ in range(30):
        client.get("/api/v1/coverage", headers=bearer(customer.keys[0]))
    assert client.get("/api/v1/coverage", headers=bearer(customer.keys[0])).status_code == 429
    answer = client.get("/api/v1/coverage", headers=bearer(customer.keys[1]))
    assert (answer.status_code, answer.headers["x-credits-remaining"]) == (200, "969")


def test_refused_requests_count_but_not_those_refused_for_the_limit(client, books):
    """401 is nobody's; 403, 404, 422 and 304 count like answers; 429 does not."""
    customer = books.customer(scopes=("node", "search"))
    tag = client.get("/api/v1/coverage", headers=bearer(customer)).headers["etag"]
    for path, status, more in (
        ("/api/v1/browse", 403, {}),
        (f"/api/v1/node/{uuid4()}", 404, {}),
        ("/api/v1/search", 422, {}),
        ("/api/v1/coverage", 304, {"If-None-Match": tag}),
    ):
        answer = client.get(path, headers=bearer(customer) | more)
        assert answer.status_code == status
    assert '"minute";r=25;' in answer.headers["ratelimit"]
    for _ in range(25):
        answer = client.get("/api/v1/coverage", headers=bearer(customer))
    assert answer.status_code == 200
    refused = [client.get("/api/v1/coverage", headers=bearer(customer)) for _ in range(3)]
    assert {one.status_code for one in refused} == {429}
    (key,) = books.accounts.list_keys(customer.account_id)
    assert key.passed == 30


@pytest.mark.parametrize("pack", PACKS)
def test_pack_brings_credits_and_its_limits_at_once_and_for_good(client, books, pack):
    customer = books.customer()
    before = client.get("/api/v1/me", headers=bearer(customer)).json()
    assert (before["tier"], before["creditsRemaining"]) == ("free", 999)
    books.buy(customer.account_id, pack)
    for _ in range(2):
        answer = client.get("/api/v1/me", headers=bearer(customer))
        per_minute, per_day = TIERS[pack]
        assert answer.headers["x-ratelimit-limit"] == str(per_minute)
        assert answer.json()["tier"] == pack
        assert answer.json()["rateLimit"] == {"requestsPerMinute": per_minute, "requestsPerDay": per_day}
        books.buy(customer.account_id, "starter")  # a smaller pack later takes no limit away
    assert answer.json()["wallet"] == PACKS[pack].credits + PACKS["starter"].credits


def test_packs_on_offer_are_those_of_the_price_list(client, books):
    body = client.get("/api/v1/me", headers=bearer(books.customer())).json()
    assert body["rateLimit"] == {"requestsPerMinute": 30, "requestsPerDay": 1_000}
    offered = {(one["pack"], one["priceCents"], one["credits"]) for one in body["upgradeOptions"]}
    assert offered == {("starter", 500, 1_000), ("pro", 2_000, 5_000), ("bulk", 5_000, 15_000)}


def test_sixty_requests_a_minute_pass_after_the_smallest_pack(client, books):
    customer = books.customer(balance=2_000, tier="starter")
    answers = [client.get("/api/v1/coverage", headers=bearer(customer)) for _ in range(61)]
    assert [one.status_code for one in answers] == [200] * 60 + [429]
    assert "a larger pack raises the limit" in answers[-1].json()["message"]


def test_a_larger_pack_is_named_where_there_is_one():
    assert [tier for tier in TIERS if not can_grow(tier)] == ["bulk"]


def test_allotment_is_drawn_before_the_wallet_which_all_keys_share(client, books):
    customer = books.customer(balance=2, keys=2)
    books.credits.grant(customer.account_id, 2)
    seen = []
    for number in range(5):
        answer = client.get("/api/v1/coverage", headers=bearer(customer.keys[number % 2]))
        seen.append((answer.status_code, *(answer.headers[name] for name in CREDIT_HEADERS[:2])))
    assert seen == [(200, "3", "1"), (200, "2", "0"), (200, "1", "0"), (200, "0", "0"), (402, "0", "0")]


def test_company_that_is_formed_raises_the_allotment_for_good(client, books):
    customer = books.customer()
    order = books.orders.create(
        customer.account_id, entity_name="Harbor", entity_type="nonprofit", filing_jurisdiction="va"
    )
    path = f"/api/v1/formation/status/{order.order.order_id}?token={order.token}"
    for state in ("payment", "setup", "final_review", "filing", "filed"):
        books.orders.advance(order.order.order_id, state)
        answer = client.get(path, headers=bearer(customer))
        assert answer.json()["state"] == state
    body = client.get("/api/v1/me", headers=bearer(customer)).json()
    assert body["researchAllotment"]["limit"] == 5_000
    assert body["researchAllotment"]["remaining"] == 5_000 - 6


def test_not_modified_is_free_and_needs_a_key(client, books, address):
    customer = books.customer()
    for endpoint in ("node", "search", "browse", "code-bodies", "coverage"):
        path = address(endpoint)
        first = client.get(path, headers=bearer(customer))
        again = client.get(path, headers=bearer(customer) | {"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["x-credits-cost"] == "0"
        assert again.headers["x-credits-remaining"] == first.headers["x-credits-remaining"]
        assert client.get(path, headers={"If-None-Match": first.headers["etag"]}).status_code == 401
    assert len(books.charged(customer.account_id)) == 5


@each_endpoint
def test_head_is_405_and_options_is_answered_and_neither_is_charged(client, books, address, endpoint):
    path, customer = address(endpoint), books.customer()
    head = client.head(path, headers=bearer(customer))
    assert (head.status_code, head.content) == (405, b"")
    preflight = {"Origin": "https://page.example", "Access-Control-Request-Method": "GET"}
    options = client.options(path, headers=preflight | {"Access-Control-Request-Headers": "authorization"})
    assert options.is_success
    assert options.headers["access-control-allow-origin"] == "*"
    assert "Authorization" in options.headers["access-control-allow-headers"]
    assert client.post(path, headers=bearer(customer)).status_code == 405
    assert books.charged(customer.account_id) == []
    (key,) = books.accounts.list_keys(customer.account_id)
    assert key.passed == 0


@pytest.mark.parametrize("path", KEYLESS)
def test_keyless_path_reads_no_key_and_says_nothing_of_credits(client, books, path):
    customer = books.customer()
    for headers in ({}, bearer(customer), bearer("lr_live_none")):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200
        assert not {*CREDIT_HEADERS, *LIMIT_HEADERS} & set(answer.headers)
        assert client.head(path, headers=headers).status_code == 200
    (key,) = books.accounts.list_keys(customer.account_id)
    assert key.passed == 0


def test_browsers_may_read_the_headers_of_errors_too(client):
    answer = client.get("/api/v1/me", headers={"Origin": "https://page.example"})
    assert answer.status_code == 401
    assert answer.headers["access-control-allow-origin"] == "*"
    exposed = answer.headers["access-control-expose-headers"].lower().split(", ")
    assert {*CREDIT_HEADERS, *LIMIT_HEADERS, "retry-after"} <= set(exposed)
