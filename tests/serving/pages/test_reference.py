"""The reference in a real Chromium: it asks nobody else, shows every endpoint, and tries calls with a key."""

import httpx
import pytest
from playwright.sync_api import expect

from serving.api.endpoints import ENDPOINTS
from serving.pages.reference import POLICY, reference_files
from tests.serving.servers import KeyRing

pytestmark = pytest.mark.e2e


@pytest.fixture
def key(server) -> str:
    return KeyRing(server.database).headers()["Authorization"].removeprefix("Bearer ")


def authorize(page, key: str) -> None:
    page.get_by_role("button", name="Authorize").first.click()
    page.get_by_label("auth-bearer-value").fill(key)
    page.locator(".modal-ux").get_by_role("button", name="Apply credentials").click()
    page.locator(".modal-ux").get_by_role("button", name="Close").last.click()


@pytest.fixture
def reference(server, open_page):
    page = open_page()
    page.requested = []
    page.on("request", lambda request: page.requested.append(request.url))
    page.goto(f"{server.url}/docs")
    expect(page.locator(".opblock").first).to_be_visible()
    return page


def test_every_endpoint_is_shown_and_nobody_else_is_asked(reference, server):
    shown = {
        text.replace("\u200b", "") for text in reference.locator(".opblock-summary-path").all_inner_texts()
    }
    assert shown == {one.path for one in ENDPOINTS}
    assert all(url.startswith((f"{server.url}/", "data:")) for url in reference.requested)
    assert reference.complaints == []


def test_a_call_is_tried_with_a_key(reference, server, key):
    authorize(reference, key)
    block = reference.locator("#operations-account-getAccount")
    block.locator(".opblock-summary-control").click()
    with reference.expect_response(f"{server.url}/api/v1/me") as asked:
        block.get_by_role("button", name="Execute").click()
    assert asked.value.status == 200
    expect(block.locator(".live-responses-table .response .response-col_status")).to_contain_text("200")
    expect(block.locator(".live-responses-table")).to_contain_text("creditsRemaining")
    assert reference.complaints == []


def test_a_call_goes_out_with_what_the_form_holds(reference, server, key):
    authorize(reference, key)
    block = reference.locator("#operations-search-searchLaw")
    block.locator(".opblock-summary-control").click()
    block.get_by_placeholder("q", exact=True).fill("harbor plan")
    with reference.expect_response(lambda answer: "/api/v1/search" in answer.url) as asked:
        block.get_by_role("button", name="Execute").click()
    assert asked.value.status == 200, asked.value.text()
    assert "harbor" in asked.value.url
    assert "X-Request-Id" not in asked.value.request.headers


def test_the_key_is_gone_when_the_page_is(reference, server, key):
    authorize(reference, key)
    assert key not in str(reference.evaluate("JSON.stringify([localStorage, sessionStorage])"))
    reference.reload()
    expect(reference.locator(".opblock").first).to_be_visible()
    assert key not in reference.content()


@pytest.mark.parametrize(("scheme", "light"), [("light", True), ("dark", False)])
def test_it_has_the_colours_that_the_system_prefers(server, open_page, scheme, light):
    page = open_page(color_scheme=scheme, viewport={"width": 390, "height": 844})
    page.goto(f"{server.url}/docs")
    expect(page.locator(".opblock").first).to_be_visible()
    background = page.evaluate(
        "getComputedStyle(document.documentElement).backgroundColor.match(/[\\d.]+/g).map(Number)"
    )
    transparent = len(background) == 4 and background[3] == 0
    assert (transparent or sum(background[:3]) > 380) is light
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.complaints == []


def test_it_says_so_where_the_document_cannot_be_had(server, open_page):
    page = open_page()
    page.route("**/openapi.json", lambda route: route.fulfill(status=503))
    page.goto(f"{server.url}/docs")
    expect(page.get_by_role("alert")).to_contain_text("503")


def test_the_page_and_its_files_have_their_headers(server):
    page = httpx.get(f"{server.url}/docs")
    assert page.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert '<meta charset="utf-8">' in page.text
    for name, file in reference_files().items():
        address = f"/docs/static/{name}?v={file.version}"
        assert address in page.text
        sent = httpx.get(server.url + address)
        assert sent.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert sent.headers["content-encoding"] == "gzip" or len(sent.content) < 1400
        assert sent.content == file.body.plain
        again = httpx.get(server.url + address, headers={"If-None-Match": sent.headers["etag"]})
        assert again.status_code == 304
        old = httpx.get(f"{server.url}/docs/static/{name}?v=0")
        assert old.headers["cache-control"] == "public, no-cache"
    assert httpx.get(f"{server.url}/docs/static/nothing.js").status_code == 404
    assert httpx.head(f"{server.url}/docs").status_code == 200
