"""`/api/v1/search` over HTTP."""

import asyncio
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import falcon
import pytest

from serving.concurrency.pool import BoundedPool
from serving.contract.errors import OverloadedError
from tests.quality.robustness.queries import queries

SEARCH = "/api/v1/search"
SNAPSHOT = "2026.11.21-1"


def test_answer_has_the_envelope_and_the_items(client, node):
    result = client.get(SEARCH, params={"q": "fair use of a protected work"})
    assert result.status_code == 200
    body = result.json
    assert (body["page"], body["pageSize"], body["mode"]) == (1, 20, "hybrid")
    assert "facets" not in body
    item = body["results"][0]
    assert item["nodeId"] == node("/us/sample/t1/s7")
    assert item["citation"] == "1 S.F.C. § 7"
    assert item["matched"] == {
        "keywordRank": 1,
        "semanticRank": 1,
        "citation": False,
        "question": False,
        "namedAct": False,
    }
    assert item["snippet"][item["highlights"][0]["start"] : item["highlights"][0]["end"]] == "fair"
    assert result.headers["x-snapshot-id"] == SNAPSHOT


def test_facets_on_request(client):
    facets = client.get(SEARCH, params={"q": "permit", "facets": "true"}).json["facets"]
    assert facets["jurisdiction"][0]["value"] == "sample"
    assert set(facets["jurisdiction"][0]) == {"value", "label", "count"}
    assert set(facets) == {"jurisdiction", "codeBody", "level", "tag"}


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_mode_is_named_in_the_answer(client, mode):
    assert client.get(SEARCH, params={"q": "harbor", "mode": mode}).json["mode"] == mode


def test_jurisdiction_in_any_case(client):
    lower = client.get(SEARCH, params={"q": "harbor", "jurisdiction": "sample-city"}).json
    upper = client.get(SEARCH, params={"q": "harbor", "jurisdiction": "SAMPLE-City"}).json
    named = client.get(SEARCH, params={"q": "harbor", "jurisdiction": "sample city (Invented)"}).json
    assert lower["results"] == upper["results"] == named["results"]
    assert lower["results"][0]["jurisdiction"] == "sample-city"


@pytest.mark.parametrize(
    ("named", "near"), [("Calif.", "ca"), ("new jork", "ny"), ("Distrct of Columbia", "dc")]
)
def test_a_jurisdiction_that_is_nearly_named_is_refused_with_the_nearest(client, named, near):
    refused = client.get(SEARCH, params={"q": "harbor", "jurisdiction": named})
    assert (refused.status_code, refused.json["error"], refused.json["parameter"]) == (
        422,
        "validation_error",
        "jurisdiction",
    )
    assert near in refused.json["message"].partition("Nearest: ")[2]


@pytest.mark.parametrize("named", ["new york", "District of Columbia", "D.C."])
def test_a_listed_jurisdiction_without_law_is_empty_by_any_name(client, named):
    assert client.get(SEARCH, params={"q": "harbor", "jurisdiction": named}).json["total"] == 0


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({}, "q"),
        ({"q": ""}, "q"),
        ({"q": "law", "limit": "101"}, "limit"),
        ({"q": "law", "page": "0"}, "page"),
        ({"q": "law", "page": "101", "limit": "100"}, "page"),
        ({"q": "law", "mode": "fuzzy"}, "mode"),
        ({"q": "law", "jurisdiction": "zz"}, "jurisdiction"),
        ({"q": "law", "codeBody": "2c8f7bd0-5c52-5f6e-9a1f-3d1f0a5c7e21"}, "codeBody"),
        ({"q": "law", "facets": "yes"}, "facets"),
        ({"q": "law", "limits": "5"}, "limits"),
        ({"q": ["law", "more law"]}, "q"),
    ],
)
def test_bad_parameter_is_422(client, query, parameter):
    result = client.get(SEARCH, params=query, params_csv=False)
    assert result.status_code == 422
    assert (result.json["error"], result.json["parameter"]) == ("validation_error", parameter)


def test_paging_by_the_link_reaches_every_result_once(client):
    address = f"{SEARCH}?q=permit&limit=100&facets=true&status=in_force"
    seen, pages = [], 0
    while address:
        path, _, query = address.partition("?")
        result = client.get(path, query_string=query)
        assert result.status_code == 200
        seen += [item["nodeId"] for item in result.json["results"]]
        pages += 1
        link = result.headers.get("link")
        if link is None:
            break
        target, _, relation = link.partition(">; ")
        assert relation == 'rel="next"'
        parts = urlsplit(target.removeprefix("<"))
        assert (parts.scheme, parts.netloc) == ("https", "law.example")
        assert parse_qs(parts.query)["snapshot"] == [SNAPSHOT]
        address = f"{parts.path}?{parts.query}"
    assert len(seen) == len(set(seen)) == result.json["total"]
    assert pages == -(-len(seen) // 100)


def test_link_keeps_the_query_as_it_was_typed(client):
    query = 'a "harbor plan" & § 5+ 100% é'
    link = client.get(SEARCH, params={"q": query, "limit": "1", "mode": "semantic"}).headers["link"]
    again = parse_qs(urlsplit(link[1 : link.index(">")]).query)
    assert again["q"] == [query]
    assert again["mode"] == ["semantic"]


def test_same_question_is_304_without_a_search(client):
    first = client.get(SEARCH, params={"q": "harbor  plan", "limit": "5"})
    etag = first.headers["etag"]
    assert etag.startswith('W/"')
    again = client.get(
        SEARCH, params={"limit": "5", "q": "harbor plan", "page": "1"}, headers={"If-None-Match": etag}
    )
    assert again.status_code == 304
    assert again.headers["etag"] == etag
    other = client.get(SEARCH, params={"q": "harbor plan"}, headers={"If-None-Match": etag})
    assert other.status_code == 200


@pytest.mark.parametrize(
    "query", [{"jurisdiction": "zz"}, {"codeBody": "2c8f7bd0-5c52-5f6e-9a1f-3d1f0a5c7e21"}]
)
def test_refused_search_is_never_304(client, query):
    refused = client.get(SEARCH, params={"q": "law", **query})
    assert "etag" not in refused.headers, "an error names no answer that could be kept"
    again = client.get(SEARCH, params={"q": "law", **query}, headers={"If-None-Match": "*"})
    assert (refused.status_code, again.status_code) == (422, 422)


def test_head_is_not_taken(client):
    result = client.request("HEAD", SEARCH, params={"q": "law"})
    assert result.status == falcon.HTTP_405
    assert result.headers["allow"] == "GET, OPTIONS"


def test_more_searches_than_are_taken_on_are_503(client_over, holder, settings):
    async def crowd():
        pool = BoundedPool("sums", threads=1, limit=2)
        results = await asyncio.gather(*(pool.run(lambda: 1) for _ in range(4)), return_exceptions=True)
        assert await pool.run(lambda: 2) == 2, "places are given back"
        pool.close()
        return results

    results = asyncio.run(crowd())
    assert results[:2] == [1, 1]
    assert all(isinstance(result, OverloadedError) for result in results[2:])
    none = client_over(holder, replace(settings, max_concurrent_searches=0))
    result = none.get(SEARCH, params={"q": "law"})
    assert (result.status_code, result.json["error"]) == (503, "overloaded")
    assert result.headers["retry-after"] == str(result.json["retryAfterSec"]) == "1"
    assert "etag" not in result.headers


def test_whatever_is_typed_is_answered_or_refused(client):
    for query in queries(80, seed=4):
        result = client.get(SEARCH, params={"q": query, "limit": "5"}, params_csv=False)
        assert result.status_code in {200, 422}, query
