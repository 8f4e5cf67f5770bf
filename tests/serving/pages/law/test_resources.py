"""Pages of law over HTTP: one for every provision in force, in three formats, each with its way on."""

import json
import re
import xml.etree.ElementTree as ET

import httpx
import pytest

from serving.contract.identity import node_id
from serving.contract.records import IN_FORCE
from serving.metering.tiers import TIERS
from serving.pages.public import POLICY
from tests.serving.conftest import PERMITS

pytestmark = pytest.mark.e2e
FAIR_USE = "/law/us/sample/1/7"
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture(scope="module")
def get(server):
    with httpx.Client(base_url=server.url) as client:
        yield client.get


def jsonld(page):
    (found,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    return json.loads(found)


@pytest.mark.parametrize(
    "path",
    [
        "/law",
        "/law/us",
        "/law/us/sample",
        "/law/us/sample/1",
        FAIR_USE,
        f"{FAIR_USE}?view=cited-by",
        f"{FAIR_USE}?view=history",
        "/law/us/sample?view=changes",
        "/",
        "/search",
    ],
)
def test_pages_are_free_and_have_their_headers(get, path):
    answer = get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["cache-control"] == "public, no-cache"
    assert answer.headers["x-snapshot-id"] == "2026.11.21-1"
    assert "unsafe" not in POLICY
    assert not {"set-cookie", "access-control-allow-origin", "x-credits-cost"} & set(answer.headers)
    assert " style=" not in answer.text
    assert get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("path", [FAIR_USE, "/law/us/sample/1", "/law/us/sample"])
def test_a_page_that_is_kept_is_what_was_made(get, path):
    made = {encoding: get(path, headers={"Accept-Encoding": encoding}) for encoding in ("gzip", "identity")}
    for encoding, first in made.items():
        again = get(path, headers={"Accept-Encoding": encoding})
        assert again.content == first.content == made["identity"].content
        told = [answer.headers.get("content-encoding") for answer in (first, again)]
        assert told == [None if encoding == "identity" else encoding] * 2
        assert again.headers["etag"] == first.headers["etag"]
        known = get(path, headers={"Accept-Encoding": encoding, "If-None-Match": first.headers["etag"]})
        assert (known.status_code, known.content) == (304, b"")


def test_what_is_kept_is_the_page_alone(get):
    assert get(FAIR_USE).headers["content-type"] == "text/html; charset=utf-8"
    told = get(FAIR_USE, headers={"Accept": "application/json"})
    assert (told.headers["content-type"], told.json()["num"]) == ("application/json", "7")
    assert get(f"{FAIR_USE}?page=2").status_code == 404
    assert get("/law/US/sample/1/7").headers["location"] == FAIR_USE


@pytest.mark.parametrize("path", ["/nope", "/about/us", "/zz/nowhere/t1/s2", "/favicon.png"])
def test_an_unknown_address_is_a_page_to_a_person_and_json_to_a_program(get, path):
    page = get(path, headers=BROWSER)
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert page.headers["content-security-policy"] == POLICY
    assert "There is no such page" in page.text
    assert "the address may be mistyped" in page.text
    assert "lists the paths" not in page.text
    assert 'action="/search"' in page.text
    told = get(path)
    assert (told.status_code, told.json()["kind"]) == (404, "path")
    head = httpx.head(str(page.url), headers=BROWSER)
    assert (head.status_code, head.content) == (404, b"")


@pytest.mark.parametrize("path", ["/api/v1/nope", "/mcp/nope", "/.well-known/nope"])
def test_an_address_of_programs_is_refused_in_json(get, path):
    refused = get(path, headers=BROWSER)
    assert (refused.status_code, refused.json()["error"]) == (404, "not_found")


def test_the_page_of_a_code_body_leads_to_its_files(get):
    page = get("/law/us/sample").text
    listed = get("/api/v1/downloads").json()["codeBodies"]
    body = next(one for one in listed if one["key"] == "us-sample")
    for file in (*body["files"], body["dataPackage"]):
        assert f'href="{file["path"]}"' in page
        assert get(file["path"], headers=BROWSER).status_code == 200
    assert "License: CC0-1.0" in page
    assert "Sample Publisher" in page


def test_a_page_gives_the_words_by_which_its_source_states_effective_dates(get):
    page = get("/law/us/sample/1/9").text
    assert '<time datetime="2021-07-01">' in page
    assert '<time datetime="2031-07-01">' in page
    assert "<q>[Effective July 1, 2021, until July 1, 2031.]</q>" in page
    assert "Effective" not in get(FAIR_USE).text


def test_every_provision_in_force_has_its_page_and_is_in_a_sitemap(get, snapshot):
    nodes, listed = snapshot.nodes, set()
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    index = ET.fromstring(get("/sitemap.xml").text)
    for part in index.iterfind("s:sitemap/s:loc", space):
        assert get(part.text).headers["content-type"] == "application/xml; charset=utf-8"
        listed |= {loc.text for loc in ET.fromstring(get(part.text).text).iterfind("s:url/s:loc", space)}
    living = [row for row in range(len(nodes)) if nodes.status(row) == IN_FORCE]
    served = get("/robots.txt").text.split("Sitemap: ")[1].removesuffix("/sitemap.xml\n")
    addresses = {row: f"{served}/law/{snapshot.addresses.of(row)}" for row in living}
    assert set(addresses.values()) <= listed
    assert len(listed) == len(living) + 1 + 3 + 3, "the lists above them"
    for row in living[::7]:
        page = get(addresses[row]).text
        described = jsonld(page)
        assert described["@type"] == "Legislation"
        assert described["legislationIdentifier"] == nodes.citation(row)
        assert described["legislationLegalForce"] == "https://schema.org/InForce"
        assert described["url"] == addresses[row]
        assert f'<link rel="canonical" href="{addresses[row]}">' in page
        assert len(page.encode()) - len(nodes.text_bytes(row)) < 60_000


def test_a_page_has_all_of_its_provision(get):
    page = get(FAIR_USE).text
    for told in (
        "<div><p id=a>",
        "<a href=/law/us/sample/1/5>section 5</a>",
        'href="/law/us/sample/1/ch-1"',
        '<a rel="prev" href="/law/us/sample/1/5">',
        "(Act of 2020.)",
        "Amendments",
        'href="/law/us/sample/1/7?format=markdown"',
        '<a href="/law/us/sample/1/9">1 S.F.C. § 9</a>',  # cites it
    ):
        assert told in page
    assert "1 S.F.C. § 7" in get(f"{FAIR_USE}?view=cited-by").text


def test_a_dead_provision_says_so(get):
    page = get("/law/us/sample/1/8").text
    assert "This provision is repealed." in page
    assert jsonld(page)["legislationLegalForce"] == "https://schema.org/NotInForce"


def test_formats_are_asked_for_by_address_or_by_accept(get):
    as_json = get(FAIR_USE, headers={"Accept": "application/json"})
    assert as_json.json()["id"] == str(node_id("/us/sample/t1/s7"))
    assert get(f"{FAIR_USE}?format=json").json() == as_json.json()
    markdown = get(FAIR_USE, headers={"Accept": "text/markdown"})
    assert markdown.text.startswith("# 1 S.F.C. § 7")
    assert get(f"{FAIR_USE}?format=markdown").text == markdown.text
    for answer in (as_json, markdown):
        again = {"Accept": answer.headers["content-type"], "If-None-Match": answer.headers["etag"]}
        assert get(FAIR_USE, headers=again).status_code == 304
    assert get(f"{FAIR_USE}?format=pdf").status_code == 404


@pytest.mark.parametrize(
    ("name", "media", "told"),
    [
        ("ris", "application/x-research-info-systems", "TY  - STAT"),
        ("bibtex", "application/x-bibtex", "@misc{"),
        ("csl", "application/vnd.citationstyles.csl+json", '"legislation"'),
    ],
)
def test_entries_of_a_bibliography_are_formats_too(get, name, media, told):
    answer = get(f"{FAIR_USE}?format={name}")
    assert answer.headers["content-type"] == f"{media}; charset=utf-8"
    assert told in answer.text
    assert f'href="{FAIR_USE}?format={name}"' in get(FAIR_USE).text


def test_browsers_are_led_from_the_api_to_the_page_and_programs_are_not(get):
    address = f"/api/v1/node/{node_id('/us/sample/t1/s7')}"
    led = get(address, headers=BROWSER)
    assert (led.status_code, led.headers["location"]) == (303, FAIR_USE)
    for accept in (
        "*/*",
        "application/json",
        "application/json, text/html",
        "text/markdown",
        "text/html;q=0.5, */*",
    ):
        assert get(address, headers={"Accept": accept}).status_code == 401
    assert get(f"/api/v1/node/{node_id('/nowhere')}", headers=BROWSER).status_code == 401


def test_what_a_browser_cannot_be_led_from_is_metered(get, customer):
    assert get("/api/v1/node/zz", headers=BROWSER).status_code == 401
    key = {"Authorization": f"Bearer {customer.create_key()}"}
    free = TIERS["free"].per_minute
    for left in (free - 1, free - 2):
        answer = get("/api/v1/node/zz", headers=BROWSER | key)
        assert (answer.status_code, answer.json()["parameter"]) == (422, "id")
        assert f'"minute";r={left};' in answer.headers["ratelimit"]


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/us/sample/t1/s7", FAIR_USE),
        ("/law/us/sample/t1/s7", FAIR_USE),
        ("/law/us/sample/1/7/", FAIR_USE),
        ("/law/US/Sample/1/7?page=1", f"{FAIR_USE}?page=1"),
        ("/law/us/sample/1/7(a)", f"{FAIR_USE}#a"),
        ("/sample/code/2-1", "/law/sample/code/2-1"),
        ("/law/US/sample", "/law/us/sample"),
        ("/law/us/Sample?view=changes&page=1", "/law/us/sample?view=changes&page=1"),
        ("/law/District of Columbia", "/law/dc"),
        ("/law/N.Y.", "/law/ny"),
    ],
)
def test_other_spellings_lead_to_the_one_address(get, path, location):
    answer = get(path)
    assert (answer.status_code, answer.headers["location"]) == (301, location)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (
            "/law/us/sample/1/6",
            ["no such number", 'href="/law/us/sample/1/5"', 'href="/law/us/sample/1/7"', "/search"],
        ),
        ("/law/us/sample/1/7(z)", ["has no (z)", f'href="{FAIR_USE}"']),
        ("/law/us/sample/nonsense", ["has nothing under nonsense", "/search"]),
        ("/law/us/nothing", ["is held here", "/search"]),
        ("/law/qqqqqqqq", ["No jurisdiction is listed here as qqqqqqqq.<", "/search"]),
        ("/law/Calif.", ["The nearest are California", "/search"]),
        (f"{FAIR_USE}?page=2", ["Nothing stands below"]),
        ("/law/us/sample?page=0", ["numbered from 1"]),
        ("/law/sample/code/tit-2?page=999", ["pages"]),
        ("/sitemaps/us/sample/2.xml", ["1 sitemaps"]),
    ],
)
def test_what_is_not_there_is_said_with_what_stands_beside_it(get, path, told):
    answer = get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert [words for words in told if words not in answer.text] == []
    assert get(path, headers={"If-None-Match": "*"}).status_code == 404


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/law/us/sample/1/6", 404, "no such number"),
        ("/law/us/sample/nonsense", 404, "has nothing under nonsense"),
        ("/law/zz/code/1", 404, "No code of zz"),
        (f"{FAIR_USE}?date=2026-11-01", 422, "Pages show the law that is in service"),
        (f"{FAIR_USE}?format=zz", 404, "Formats are"),
    ],
)
def test_a_program_is_told_in_json_what_is_not_there(get, path, status, said):
    asked = [get(path, headers={"Accept": accept}) for accept in ("application/json", "text/markdown")]
    if "format=" not in path:
        asked.append(get(f"{path}{'&' if '?' in path else '?'}format=json", headers=BROWSER))
    for answer in asked:
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
        assert answer.json()["error"] == {404: "not_found", 422: "validation_error"}[status]
        assert said in answer.json()["message"]
        assert answer.json()["requestId"]
    assert get(path, headers=BROWSER).headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("path", [FAIR_USE, "/law/us/sample", "/law/us", "/sitemap.xml"])
def test_a_page_that_is_there_is_one_that_any_tag_matches(get, path):
    held = get(path, headers={"If-None-Match": "*"})
    assert (held.status_code, held.content) == (304, b"")
    assert held.headers["etag"] == get(path).headers["etag"]


@pytest.mark.parametrize(
    "asked", ["date=2026-11-01", "snapshot=2026.11.01-1", "view=history&date=2026-11-01"]
)
@pytest.mark.parametrize("path", ["/law", "/law/us", "/law/us/sample", FAIR_USE, "/search?q=harbor"])
def test_the_law_of_today_is_not_given_for_that_of_another_time(get, path, asked):
    answer = get(f"{path}{'&' if '?' in path else '?'}{asked}")
    assert answer.status_code == 422
    assert "Pages show the law that is in service" in answer.text


def test_unknown_paths_are_answered_as_before(get):
    for path in ("/us/sample/t1/s77", "/nowhere/at/all", "/sample"):
        assert (get(path).status_code, get(path).json()["error"]) == (404, "not_found")
    assert get("/", headers={"Accept": "application/json"}).json()["error"] == "not_found"


def test_long_lists_have_pages(get):
    listed = set()
    first = get("/law/sample/code/tit-2").text
    for page in (
        first,
        *(get(path).text for path in re.findall(r'href="(/law/sample/code/tit-2\?page=\d+)"', first)),
    ):
        below = set(re.findall(r'<li><a href="(/law/sample/code/2-\d+)"', page))
        assert 0 < len(below) <= 200
        listed |= below
    assert len(listed) == PERMITS
