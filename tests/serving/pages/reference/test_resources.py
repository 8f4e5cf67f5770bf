"""The reference in a real Chromium: asks nobody else, works without scripts, and tries calls that find something."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from serving.api.endpoints import ENDPOINTS
from serving.pages.reference.resources import REFERENCE_POLICY, reference_files
from tests.serving.pages.looking import faults
from tests.serving.servers import KeyRing

pytestmark = pytest.mark.e2e
NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture
def key(server) -> str:
    return KeyRing(server.database).headers()["Authorization"].removeprefix("Bearer ")


def opened(page, server, operation):
    page.goto(f"{server.url}/docs#{operation}")
    entry = page.locator(f".operation:has(#{operation})")
    expect(entry.locator(".code")).to_be_visible()
    return entry


def test_every_link_within_the_page_leads_somewhere(server):
    page = httpx.get(f"{server.url}/docs").text
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= {*ids, "content"}
    assert page.count('data-method="GET"') == len(ENDPOINTS)
    assert ">HEAD<" not in page.replace("<code>HEAD</code>", "")


def test_it_is_short_until_somebody_asks_for_more(server, open_page):
    page = open_page(viewport=WIDE)
    page.goto(f"{server.url}/docs")
    assert page.evaluate("document.documentElement.scrollHeight") < 5_000


@pytest.mark.parametrize("scripts", [True, False])
def test_an_address_with_an_operation_opens_it_and_its_code_has_tabs(server, open_page, scripts):
    page = open_page(java_script_enabled=scripts)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    entry = opened(page, server, "resolveCitations")
    expect(entry.get_by_role("columnheader", name="Parameter")).to_be_visible()
    expect(entry.get_by_label("curl", exact=True).locator("code")).to_contain_text("curl -H")
    entry.locator("label", has_text="Python").click()
    expect(entry.locator("pre.in-python")).to_contain_text("law.resolve(")
    expect(entry.locator("pre.in-curl")).to_be_hidden()
    expect(entry.get_by_role("button", name="Send")).to_be_visible(visible=scripts)
    entry.get_by_role("link", name="ResolveResponse").click()
    expect(page.locator("#schema-ResolveResponse")).to_be_visible()
    assert all(url.startswith(f"{server.url}/") for url in asked)
    assert page.complaints == []


def test_a_language_is_chosen_once_for_all(server, open_page):
    page = open_page()
    opened(page, server, "searchLaw").locator("label", has_text="JavaScript").click()
    entry = opened(page, server, "getNode")
    expect(entry.locator("pre.in-javascript")).to_be_visible()


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        ("searchLaw", '"total"'),
        ("resolveCitations", '"outcome": "found"'),
        ("getNode", '"textSha256"'),
        ("browse", '"hasChildren"'),
        ("getZonesAtPoint", '"zoneCode"'),
        ("getAccount", '"creditsRemaining"'),
        ("getFormationPrices", '"prices"'),
    ],
)
def test_a_call_is_tried_as_it_stands_and_finds_something(server, open_page, key, operation, told):
    page = open_page()
    entry = opened(page, server, operation)
    page.get_by_label("Key for trying calls here").fill(key)
    entry.get_by_role("button", name="Send").click()
    expect(entry.get_by_role("status")).to_contain_text(": 200 in ")
    expect(entry.get_by_label("Answer", exact=True)).to_contain_text(told)
    assert '"total": 0' not in entry.get_by_label("Answer", exact=True).inner_text()
    assert page.complaints == []


def test_a_call_goes_out_with_what_the_fields_hold(server, open_page, key):
    page = open_page()
    entry = opened(page, server, "searchLaw")
    page.get_by_label("Key for trying calls here").fill(key)
    entry.get_by_label("q", exact=True).fill("harbor & plan")
    entry.get_by_label("mode", exact=True).select_option("keyword")
    with page.expect_response(lambda answer: "/api/v1/search" in answer.url) as asked:
        entry.get_by_label("q", exact=True).press("Enter")
    assert asked.value.status == 200
    assert asked.value.url.endswith("/api/v1/search?q=harbor+%26+plan&mode=keyword")
    expect(entry.get_by_role("status")).to_contain_text("cost 1")


def test_a_refusal_is_shown_as_it_came(server, open_page):
    entry = opened(open_page(), server, "getAccount")
    entry.get_by_role("button", name="Send").click()
    expect(entry.get_by_role("status")).to_contain_text("401")
    expect(entry.get_by_label("Answer", exact=True)).to_contain_text("invalid_api_key")


def test_the_key_is_gone_when_the_page_is(server, open_page, key):
    page = open_page()
    page.goto(f"{server.url}/docs")
    page.get_by_label("Key for trying calls here").fill(key)
    assert key not in str(page.evaluate("JSON.stringify([localStorage, sessionStorage])"))
    page.reload()
    expect(page.get_by_label("Key for trying calls here")).to_have_value("")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["narrow", "wide"])
def test_it_fits_and_can_be_read(server, open_page, key, scheme, viewport):
    page = open_page(color_scheme=scheme, viewport=viewport)
    entry = opened(page, server, "searchLaw")
    page.get_by_label("Key for trying calls here").fill(key)
    entry.get_by_role("button", name="Send").click()
    expect(entry.get_by_role("status")).to_contain_text("200")
    page.evaluate("for (const entry of document.querySelectorAll('details')) entry.open = true")
    assert faults(page) == []
    assert page.complaints == []


def test_the_page_and_its_files_have_their_headers(server):
    page = httpx.get(f"{server.url}/docs")
    assert page.headers["content-security-policy"] == REFERENCE_POLICY
    assert "unsafe" not in REFERENCE_POLICY
    again = httpx.get(f"{server.url}/docs", headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304
    for name, file in reference_files().items():
        address = f"/docs/static/{name}?v={file.version}"
        assert address in page.text
        sent = httpx.get(server.url + address)
        assert sent.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert sent.content == file.body.plain
    assert httpx.get(f"{server.url}/docs/static/nothing.js").status_code == 404
    assert httpx.head(f"{server.url}/docs").status_code == 200
