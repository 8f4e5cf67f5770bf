"""When the client waits, tries again, keeps answers and gives up; and where its key goes."""

import asyncio
from datetime import date
from typing import Any

import httpx
import pytest

import legal_client as law
from legal_client import AsyncClient, Client, Patience
from tests.serving.client.conftest import KEY, Scripted
from tests.serving.client.legal_client.test_records import ITEM, PAGE

ACCOUNT = {
    "tier": "free",
    "creditsRemaining": 7,
    "rateLimit": {"requestsPerMinute": 30, "requestsPerDay": 1000},
    "upgradeOptions": [],
    "ledger": [],
}
OK = {
    "X-Request-Id": "r1",
    "X-Snapshot-Id": "2026.11.21-1",
    "X-Credits-Cost": "1",
    "X-Credits-Remaining": "7",
}


def good(body=ACCOUNT, **headers):
    return httpx.Response(200, json=body, headers=OK | headers)


def refused(status, code, **more):
    headers = {"X-Request-Id": "r9"}
    if "retryAfterSec" in more:
        headers["Retry-After"] = str(more["retryAfterSec"])
    return httpx.Response(
        status, json={"error": code, "message": "No.", "requestId": "r9", **more}, headers=headers
    )


def test_a_call_says_what_it_cost(client_of):
    client, service = client_of(good())
    account = client.me()
    assert (account.credits_remaining, account.meta.credits_cost, account.meta.request_id) == (7, 1, "r1")
    assert service.asked[0].headers["Authorization"] == f"Bearer {KEY}"
    assert str(service.asked[0].url) == "https://law.example/api/v1/me"


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "invalid_api_key", law.InvalidKeyError),
        (402, "insufficient_credits", law.InsufficientCreditsError),
        (403, "insufficient_scope", law.InsufficientScopeError),
        (404, "not_found", law.NotFoundError),
        (422, "validation_error", law.ValidationError),
        (500, "internal_error", law.ServiceError),
        (418, "teapot", law.ServiceError),
    ],
)
def test_errors_are_exceptions_that_say_what_to_branch_on(client_of, status, code, kind):
    client, service = client_of(
        refused(status, code, kind="node", parameter="q", upgradeUrl="https://law.example/p")
    )
    with pytest.raises(kind) as caught:
        client.me()
    error = caught.value
    assert type(error) is kind
    assert (error.code, error.status, error.request_id, error.retry_after) == (code, status, "r9", None)
    assert len(service.asked) == 1, "what cannot become good is not asked again"
    if status == 402:
        assert error.upgrade_url == "https://law.example/p"
    if status == 404:
        assert error.kind == "node"
    if status == 422:
        assert error.parameter == "q"


def test_it_waits_as_long_as_the_limit_asks_for(client_of):
    client, service = client_of(refused(429, "rate_limited", retryAfterSec=12), good())
    assert client.me().credits_remaining == 7
    assert service.slept == [12]


def test_it_waits_no_longer_than_it_may(client_of):
    client, service = client_of(
        refused(429, "rate_limited", retryAfterSec=40), refused(429, "rate_limited", retryAfterSec=40)
    )
    with pytest.raises(law.RateLimitedError) as caught:
        client.me()
    assert (caught.value.retry_after, caught.value.status) == (40, 429)
    assert service.slept == [40]


def test_a_limit_that_names_no_wait_is_not_asked_for_ever(client_of):
    client, service = client_of(
        *(refused(429, "rate_limited", retryAfterSec=0) for _ in range(4)), patience=Patience(seconds=3)
    )
    with pytest.raises(law.RateLimitedError):
        client.me()
    assert service.slept == [1, 1, 1]


def test_an_answer_in_another_encoding_than_it_names_is_noticed(client_of):
    client, service = client_of(httpx.DecodingError("no gzip"))
    with pytest.raises(law.MalformedAnswerError):
        client.me()
    assert len(service.asked) == 1, "it may have been charged"


def test_a_service_that_is_busy_is_asked_again_ever_more_slowly(client_of):
    busy = [httpx.Response(503, json={"error": "overloaded", "message": "Busy."}) for _ in range(4)]
    client, service = client_of(*busy)
    with pytest.raises(law.UnavailableError) as caught:
        client.me()
    assert caught.value.code == "overloaded"
    assert len(service.asked) == 4
    for pause, longest in zip(service.slept, (0.5, 1.0, 2.0), strict=True):
        assert longest / 2 <= pause <= longest


def test_a_busy_service_may_say_when_to_come_back(client_of):
    client, service = client_of(refused(503, "overloaded", retryAfterSec=5), good())
    client.me()
    assert 5 < service.slept[0] <= 5.5


def test_a_call_that_was_never_sent_is_sent_again_and_one_that_was_is_not(client_of):
    client, service = client_of(httpx.ConnectError("refused"), good())
    assert client.me().tier == "free"
    assert len(service.slept) == 1
    client, service = client_of(httpx.ReadTimeout("slow"))
    with pytest.raises(law.ConnectionFailedError) as caught:
        client.me()
    assert (caught.value.code, caught.value.status) == ("connection_failed", None)
    assert len(service.asked) == 1, "it may have been charged"


def test_pages_follow_the_link_and_the_key_goes_nowhere_else(client_of):
    following = '<https://evil.example/api/v1/search?q=a%20b&page=2&snapshot=2026.11.21-1>; rel="next"'
    client, service = client_of(good(PAGE, Link=following), good({**PAGE, "page": 2}))
    assert [item.node_id for item in client.search_all("a b", limit=1)] == ["n1", "n1"]
    assert [str(request.url) for request in service.asked] == [
        "https://law.example/api/v1/search?q=a%20b&limit=1",
        "https://law.example/api/v1/search?q=a%20b&page=2&snapshot=2026.11.21-1",
    ]


def test_pages_are_asked_for_as_far_as_they_are_read(client_of):
    following = '<https://law.example/api/v1/search?q=a&page=2>; rel="next"'
    client, service = client_of(good({**PAGE, "results": [ITEM, ITEM]}, Link=following))
    assert len(list(client.search_all("a", most=2))) == 2
    assert len(service.asked) == 1


def test_redirects_are_not_followed(client_of):
    client, service = client_of(httpx.Response(302, headers={"Location": "https://evil.example/"}))
    with pytest.raises(law.ServiceError):
        client.me()
    assert len(service.asked) == 1


def test_an_answer_from_before_is_asked_for_again_for_nothing(client_of):
    free = {**OK, "X-Credits-Cost": "0", "ETag": '"t1"'}
    client, service = client_of(good(PAGE, ETag='"t1"'), httpx.Response(304, headers=free))
    first, again = client.search("harbor"), client.search("harbor")
    assert again.results == first.results
    assert (first.meta.credits_cost, again.meta.credits_cost) == (1, 0)
    assert "If-None-Match" not in service.asked[0].headers
    assert service.asked[1].headers["If-None-Match"] == '"t1"'


def test_so_many_answers_are_kept_and_no_more(client_of):
    answers = [good(PAGE, ETag=f'"t{number}"') for number in range(3)]
    client, service = client_of(*answers, kept_answers=1)
    for q in ("a", "b", "a"):
        client.search(q)
    assert all("If-None-Match" not in request.headers for request in service.asked)


def test_a_snapshot_is_asked_for_where_the_law_is_read(client_of):
    client, service = client_of(good(PAGE), good(), snapshot="2026.11.20-1")
    client.search("harbor")
    client.me()
    assert [str(request.url.query, "ascii") for request in service.asked] == [
        "q=harbor&snapshot=2026.11.20-1",
        "",
    ]


@pytest.mark.parametrize("day", ["2024-02-29", date(2024, 2, 29)])
def test_a_day_is_asked_for_until_an_answer_names_its_snapshot(client_of, day):
    link = '<https://law.example/api/v1/search?q=harbor&page=2&snapshot=2024.01.10-1>; rel="next"'
    client, service = client_of(good(PAGE, Link=link), good(PAGE), good(), date=day)
    list(client.pages("harbor"))
    client.me()
    assert [str(request.url.query, "ascii") for request in service.asked] == [
        "q=harbor&date=2024-02-29",
        "q=harbor&page=2&snapshot=2024.01.10-1",
        "",
    ]


def test_a_day_before_the_first_says_which_can_be_read(client_of):
    client, _ = client_of(
        refused(
            404, "not_found", kind="snapshot_gone", oldestSnapshot="2024.01.10-1", oldestDate="2024-01-10"
        )
    )
    with pytest.raises(law.NotFoundError) as caught:
        client.coverage()
    assert (caught.value.kind, caught.value.oldest_date) == ("snapshot_gone", "2024-01-10")


def test_a_snapshot_and_a_day_are_not_both_asked_for():
    with pytest.raises(law.LegalError, match="either"):
        Client(snapshot="2024.01.10-1", date="2024-02-29")


def test_many_citations_are_resolved_in_portions(client_of):
    client, service = client_of(good({"results": []}), good({"results": []}))
    client.resolve(*(f"{number} USC 1" for number in range(30)))
    assert [len(request.url.params.get_list("citation")) for request in service.asked] == [25, 5]


@pytest.mark.parametrize("body", ["<html>", '"text"'])
def test_another_service_is_noticed(client_of, body):
    client, _ = client_of(httpx.Response(200, text=body))
    with pytest.raises(law.MalformedAnswerError):
        client.me()


@pytest.mark.parametrize(
    "address", ["law.example", "ftp://law.example", "https://law.example/?q=1", "https:// x"]
)
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(law.MisusedError):
        Client(address)


@pytest.mark.parametrize("key", ["", "a b", "key\n", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_refused(key):
    with pytest.raises(law.MisusedError) as caught:
        Client(key=key)
    assert key not in str(caught.value) or not key


def test_the_key_is_not_shown():
    assert KEY not in repr(law.Connection(key=KEY))


def test_what_stands_in_a_path_stays_one_part_of_it(client_of):
    client, service = client_of(refused(422, "validation_error"))
    with pytest.raises(law.ValidationError):
        client.node("../me?x=1")
    assert service.asked[0].url.raw_path == b"/api/v1/node/..%2Fme%3Fx%3D1"


def test_the_asynchronous_client_does_the_same():
    following = '<https://law.example/api/v1/search?q=a&page=2>; rel="next"'
    service = Scripted(
        refused(429, "rate_limited", retryAfterSec=3),
        good(PAGE, Link=following),
        good({**PAGE, "page": 2}),
        good(),
        httpx.ConnectError("refused"),
        good({"results": []}),
        refused(404, "not_found", kind="node"),
    )

    async def use() -> None:
        transport = httpx.MockTransport(service)
        options: dict[str, Any] = {
            "patience": Patience(seconds=10),
            "transport": transport,
            "sleep": service.sleep,
        }
        async with AsyncClient("https://law.example", key=KEY, **options) as client:
            assert [item.node_id async for item in client.search_all("a")] == ["n1", "n1"]
            assert (await client.me()).tier == "free"
            assert await client.resolve("17 usc 107") == ()
            with pytest.raises(law.NotFoundError):
                await client.node("n1")

    asyncio.run(use())
    assert service.slept[0] == 3
    assert len(service.slept) == 2


def test_both_clients_have_the_same_calls():
    calls = {name for name in vars(Client) if not name.startswith("_")}
    assert calls == {name for name in vars(AsyncClient) if not name.startswith("_")}
