"""Pages of changes over three publications: of a code body, and the history of a provision."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape

import httpx
import pytest

from serving.contract.changes import Stamp
from serving.contract.identity import node_id
from serving.contract.manifest import Manifest
from serving.pages.law.changes import ChangesPage
from serving.services.history import last_changes
from serving.services.snapshots import SnapshotHolder
from tests.serving.pages.conftest import copied, run_server

pytestmark = pytest.mark.e2e
ATOM = "{http://www.w3.org/2005/Atom}"
BODY = "/law/us/sample"
DUES, LIGHT = "/law/us/sample/1/1", "/law/us/sample/1/2"


@pytest.fixture(scope="module")
def get(changed_folder, sqlite_template, tmp_path_factory):
    folder = tmp_path_factory.mktemp("changed")
    servers = run_server(folder, changed_folder, copied(sqlite_template, folder))
    with httpx.Client(base_url=next(servers).url) as client:
        yield client.get
    next(servers, None)


def told(page):
    """The words of a page's content."""
    (content,) = re.findall(r"<main.*?</main>", page, re.DOTALL)
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", content)).split())
    return re.sub(r" ([,.;:])", r"\1", text)


def test_a_code_body_has_a_page_of_what_changed_last(get, body):
    assert f'href="{BODY}?view=changes"' in get(BODY).text
    page = get(f"{BODY}?view=changes")
    assert (page.status_code, page.headers["cache-control"]) == (200, "public, no-cache")
    words = told(page.text)
    told_apart = (
        "2 provisions differ between what was published here on 21 November 2026 and on 22 November 2026."
    )
    assert told_apart in words
    assert "Amended 1" in words
    assert "Other status 1" in words
    assert f'<a href="{DUES}">1 S.F.C. § 1</a>' in page.text
    assert re.search(r"<del>[^<]+</del> <ins>week\.</ins>", page.text)
    assert "Published here on 22 November 2026" in words
    for ending in ("atom", "json"):
        feed = f"/feeds/{body('us-sample')}.{ending}"
        assert page.text.count(f'href="{feed}"') == 2
        assert get(feed).status_code == 200
    again = get(f"{BODY}?view=changes", headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304


def test_two_publications_of_one_day_are_told_apart_by_their_ids():
    first = Stamp(id="2026.11.21-1", createdAt="2026-11-21T08:00:00Z")
    again = Stamp(id="2026.11.21-2", createdAt="2026-11-21T17:00:00Z")
    later = Stamp(id="2026.11.22-1", createdAt="2026-11-22T08:00:00Z")
    page = ChangesPage("Code", BODY, "id", (), first, again, "", (), (), 0, 1, 1, "view=changes")
    assert page.is_of_one_day
    assert not replace(page, until=later).is_of_one_day
    assert not replace(page, since=None).is_of_one_day


def test_entries_of_feeds_lead_to_pages_that_need_no_key(get, body):
    feed = f"/feeds/{body('us-sample')}"
    answer = get(f"{feed}.json")
    items, origin = answer.json()["items"], str(answer.url).removesuffix(f"{feed}.json")
    pages = {item["title"]: item["url"].removeprefix(origin) for item in items}
    assert pages["1 S.F.C. § 1 (Dues): amended"] == f"{DUES}?view=history"
    assert pages["Sample Federal Code: 1 status, 1 amended"] == f"{BODY}?view=changes"
    for page in pages.values():
        answer = get(page)
        assert (answer.status_code, answer.headers["content-type"][:9]) == (200, "text/html")
    calls = [item["_api"]["url"] for item in items]
    entries = ET.fromstring(get(f"{feed}.atom").text).findall(f"{ATOM}entry")
    links = [{link.get("type"): link.get("href") for link in entry.iter(f"{ATOM}link")} for entry in entries]
    expected = zip((item["url"] for item in items), calls, strict=True)
    assert links == [{"text/html": page, "application/json": call} for page, call in expected]
    assert all("/api/v1/node/" in call or "/api/v1/changes?" in call for call in calls)


def test_changes_are_listed_by_kind(get):
    whole = get(f"{BODY}?view=changes").text
    (lead,) = re.findall(r'<a href="([^"]+kind=amended)">', whole)
    amended = told(get(unescape(lead)).text)
    assert "1 provision differs" in amended
    assert "1 S.F.C. § 1" in amended
    assert "1 S.F.C. § 2" not in amended
    assert "0 provisions differ" in told(get(f"{BODY}?view=changes&kind=removed").text)


@pytest.mark.parametrize(
    "query", ["kind=repealed", "kind=", "page=2", "page=201", "page=999999", "page=0", "kind=amended&page=2"]
)
def test_what_there_is_no_page_for_is_not_found(get, query):
    assert get(f"{BODY}?view=changes&{query}").status_code == 404


def test_a_provision_shows_what_changed_last_and_leads_to_its_history(get):
    page = get(LIGHT).text
    words = told(page)
    assert "What changed last Other status: repealed, before in force." in words
    assert f'href="{LIGHT}?view=history"' in page
    assert "What changed last" not in told(get("/law/us/sample/1").text)


def test_the_history_names_each_change_and_each_snapshot(get):
    words = told(get(f"{DUES}?view=history").text)
    assert "From 21 November 2026 to 22 November 2026 Amended. What differs: text." in words
    assert "From 20 November 2026 to 21 November 2026 Amended." in words
    assert "By Act 1 By Act 2" in words
    assert "Nothing is known here of what was before 20 November 2026" in words
    for snapshot in ("2026.11.22-1", "2026.11.21-1", "2026.11.20-1"):
        assert snapshot in words


def test_a_sitemap_says_when_a_provision_last_changed(get, changed_folder):
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    listed = {
        page.findtext("s:loc", "", space): page.findtext("s:lastmod", namespaces=space)
        for page in ET.fromstring(get("/sitemaps/us/sample/1.xml").text).iterfind("s:url", space)
    }
    changed = {"/law" + address.partition("/law")[2]: moment for address, moment in listed.items()}
    published = Manifest.load(changed_folder / "2026.11.22-1").created
    assert [path for path, moment in changed.items() if moment is not None] == ["/law", "/law/us", BODY, DUES]
    assert {changed[BODY], changed[DUES]} == {published}
    assert None in changed.values(), "none of the retained snapshots changed the others"


def test_what_a_later_snapshot_changed_is_no_change_of_an_earlier_one(changed_folder, body):
    snapshots = SnapshotHolder(changed_folder)
    dues = str(node_id("/us/sample/t1/s1"))
    for snapshot in ("2026.11.22-1", "2026.11.21-1"):
        found = last_changes(snapshots, snapshot, body("us-sample"))
        assert found[dues] == Manifest.load(changed_folder / snapshot).created
    assert last_changes(snapshots, "2026.11.20-1", body("us-sample")) == {}
    assert last_changes(snapshots, "2026.11.19-1", body("us-sample")) == {}


def test_a_single_snapshot_says_that_there_is_nothing_to_compare(server):
    with httpx.Client(base_url=server.url) as client:
        words = told(client.get(f"{BODY}?view=changes").text)
        assert "nothing to compare this snapshot with. Nothing was published here before it." in words
        assert "No change of it is known." in told(client.get("/law/us/sample/1/7?view=history").text)
