"""The search page and the first page over HTTP: words, citations, filters, limits, and examples that work."""

import html
import re

import falcon
import falcon.testing
import httpx
import pytest

from serving.accounts.billing import Billing
from serving.pages.search.results import marked
from serving.process.application import create_web_app
from serving.services.requests import Span
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def get(server):
    with httpx.Client(base_url=server.url) as client:
        yield client.get


def links(page):
    return [html.unescape(address) for address in re.findall(r'href="(/search\?[^"]+)"', page)]


def test_words_find_provisions_with_the_words_marked(get):
    page = get("/search", params={"q": "noise harbor"}).text
    assert '<a href="/law/sample-city/code/1">City Code § 1</a>' in page
    assert "<mark>noise</mark>" in page
    assert "/api/v1/search?q=noise%20harbor&amp;facets=true" in page
    assert 'name="robots" content="noindex"' in page


def test_filters_are_links_which_narrow_the_search(get):
    page = get("/search", params={"q": "harbor"}).text
    narrowed = [address for address in links(page) if "jurisdiction=sample&" in f"{address}&"]
    assert narrowed, "no filter by jurisdiction"
    page = get(narrowed[0]).text
    assert 'aria-label="Filters"' in page
    assert '<input type="hidden" name="jurisdiction" value="sample">' in page
    assert any("jurisdiction" not in address for address in links(page)), "the filter cannot be removed"


def test_a_search_of_the_api_is_the_same_on_the_page(get):
    page = get("/search", params={"q": "section", "status": "repealed,reserved", "mode": "keyword"}).text
    found = re.findall(r'<p class="where hint">[^<]* · (\w+)</p>', page)
    assert found
    assert set(found) <= {"repealed", "reserved"}
    assert '<input type="hidden" name="status" value="repealed,reserved">' in page
    assert '<input type="hidden" name="mode" value="keyword">' in page
    without = "/search?q=section&status=repealed%2Creserved", "/search?q=section&mode=keyword"
    assert set(without) <= set(links(page)), "one cannot be removed, or the other goes with it"
    assert "&amp;status=repealed%2Creserved&amp;mode=keyword&amp;facets=true" in page
    assert get("/search?q=section&facets=true").text == get("/search?q=section").text


def test_pages_keep_the_statuses_that_are_searched(get):
    page = get("/search", params={"q": "permit holder display", "status": "in_force,repealed"}).text
    (following,) = [address for address in links(page) if "page=2" in address]
    assert "status=in_force%2Crepealed" in following


def test_pages_of_results_do_not_overlap(get):
    first = get("/search", params={"q": "permit holder display"}).text
    (following,) = [address for address in links(first) if "page=2" in address]
    second = get(following).text
    found = [set(re.findall(r'<h2><a href="(/law/[^"]+)"', page)) for page in (first, second)]
    assert len(found[0]) == 20
    assert found[1]
    assert not found[0] & found[1]
    assert '<ol class="results" start="21">' in second


@pytest.mark.parametrize(
    ("typed", "location"),
    [
        ("1 S.F.C. § 7", "/law/us/sample/1/7"),
        ("1 sfc 7(a)", "/law/us/sample/1/7#a"),
        ("1 S.F.C. § 8", "/law/us/sample/1/8"),
        ("1 S.F.C. § 7 note", "/law/us/sample/1/7#notes"),
    ],
)
def test_a_citation_leads_to_its_provision(get, typed, location):
    answer = get("/search", params={"q": typed})
    assert (answer.status_code, answer.headers["location"]) == (303, location)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (
            "1 S.F.C. § 6",
            [
                "part of its code is held here in full",
                "no such number",
                "/law/us/sample/1/5",
                "before it",
                "/law/us/sample/1/7",
                "after it",
            ],
        ),
        ("1 S.F.C. § 7(z)", ["has no (z)", "/law/us/sample/1/7"]),
        ("Fee Act", ["name of an act", "/law/us/sample/1/9"]),
        ("410 U.S. 113", ["decision of a court"]),
        ("1 S.F.C. §§ 5, 7", ["several provisions", "/law/us/sample/1/5", "/law/us/sample/1/7"]),
    ],
)
def test_a_citation_that_leads_nowhere_says_why(get, typed, told):
    page = html.unescape(get("/search", params={"q": typed}).text)
    assert [words for words in told if words not in page] == []


@pytest.mark.parametrize(
    ("typed", "told", "lead"),
    [
        ("what does 1 SFC 7(a) say", "1 S.F.C. § 7", "/law/us/sample/1/7#a"),
        ("1 S.F.C. § 7 permit of a harbor", "1 S.F.C. § 7", "/law/us/sample/1/7"),
        ("is 1 S.F.C. § 6 in force", "no such number", "/law/us/sample/1/5"),
        ("compare 1 S.F.C. § 5 with 1 S.F.C. § 7", "cite several provisions", "/law/us/sample/1/7"),
    ],
)
def test_a_citation_among_other_words_is_led_to_above_the_results(get, typed, told, lead):
    answer = get("/search", params={"q": typed})
    assert answer.status_code == 200
    above = html.unescape(answer.text).partition('class="found"')[0]
    assert told in above
    assert f'href="{lead}"' in above


def test_words_without_a_citation_have_nothing_above_the_results(get):
    above = get("/search", params={"q": "section 8 housing, title 7 and chapter 13"}).text
    assert 'class="leads"' not in above.partition('class="found"')[0]


def test_law_that_is_missing_is_told_above_the_results(get):
    elsewhere = get("/search", params={"q": "harbor permit in Texas"}).text
    assert "No law of Texas (<code>tx</code>) is held here" in elsewhere
    assert '<a href="/law">What is held</a>' in elsewhere
    assert "of other places" in elsewhere
    partly = get("/search", params={"q": "harbor", "jurisdiction": "sample-city"}).text
    assert '<a href="/law/sample-city">What is missing of' in partly
    assert "Not all law" not in get("/search", params={"q": "harbor", "jurisdiction": "us"}).text
    named = get("/search", params={"q": "harbor permits under the Sunken Harbors Act"}).text
    assert "law that is not held: <code>sunken harbors act</code> (1 S.F.C. § 99)" in named


def test_nothing_found_is_said_and_nothing_asked_is_a_box(get):
    assert "No word of the query" in get("/search", params={"q": "zzyzx"}).text
    behind = get("/search", params={"q": "harbor permit in Texas", "page": "99"}).text
    assert "There are no more results." in behind
    for empty in ("/search", "/search?q=", "/search?q=%20", "/search?jurisdiction="):
        answer = get(empty)
        assert (answer.status_code, "Search the law" in answer.text) == (200, True)
    assert get("/search?q=permit&jurisdiction=&utm_source=x").status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "q=permit&page=0",
        "q=permit&jurisdiction=zz",
        f"q={'x' * 501}",
        "q=a&q=b",
        "q=permit&limit=5",
        "limit=5",
        "q=permit&mode=vector",
        "q=permit&status=dead",
        "q=permit&facets=yes",
    ],
)
def test_what_cannot_be_asked_is_an_error_as_a_page(get, query):
    answer = get(f"/search?{query}")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert 'action="/search"' in answer.text


def test_what_is_typed_stays_text(get):
    attack = '<script>alert(1)</script> "onfocus=alert(1)'
    page = get("/search", params={"q": attack}).text
    assert "<script>alert" not in page
    assert '"onfocus' not in page
    assert marked("a <b> c", [Span(2, 5)]) == "a <mark>&lt;b&gt;</mark> c"


def test_the_first_page_says_what_is_held_and_its_calls_work(server, get, customer):
    page = get("/").text
    for told in ("United States", "/law/us/sample", "2026-10-31", "$0", "/docs", "/settings"):
        assert told in page
    calls = re.findall(r"'(http[^']+)'", html.unescape(page))
    assert len(calls) == 3
    headers = {"Authorization": f"Bearer {customer.create_key()}"}
    for call in calls:
        path = "/api/v1/" + call.partition("/api/v1/")[2]
        answer = httpx.get(server.url + path, headers=headers)
        assert answer.status_code == 200
        assert answer.json().get("results", True), f"{call} finds nothing"
    for tried in re.findall(r'Try <a href="([^"]+)">.*?<a href="([^"]+)">', page)[0]:
        assert get(html.unescape(tried)).status_code in (200, 303)


@pytest.fixture
def ask(snapshots_folder, tmp_path):
    """Ask an application with low limits, from an address."""
    settings = Settings(pages_per_minute=3, page_searches_per_minute=2)
    snapshots, billing = (
        SnapshotHolder(snapshots_folder),
        Billing(f"sqlite:///{tmp_path / 'accounts.sqlite'}"),
    )
    snapshots.refresh()
    client = falcon.testing.TestClient(create_web_app(settings, snapshots, billing))
    yield lambda path, address="192.0.2.1": client.simulate_get(path, remote_addr=address)
    falcon.async_to_sync(billing.close)
    snapshots.close()


def test_a_network_that_asks_too_much_waits(ask):
    assert [ask("/law").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = ask("/law")
    assert "asked for 3 pages" in refused.text
    assert int(refused.headers["retry-after"]) > 0
    assert refused.headers["content-type"] == "text/html; charset=utf-8"
    searches = [ask("/search?q=permit"), ask("/search?q=permit"), ask("/search?q=permit")]
    assert [answer.status_code for answer in searches] == [200, 200, 429]
    assert ask("/search").status_code == 200, "the box alone is no search"
    assert ask("/law", "192.0.2.77").status_code == 200, "others do not wait"
