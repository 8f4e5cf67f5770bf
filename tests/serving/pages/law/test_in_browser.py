"""Law in a real Chromium: found, read, followed, copied; with and without scripts, on a phone, in both themes."""

import pytest
from playwright.sync_api import expect

from serving.contract.identity import node_id
from tests.serving.pages.looking import faults

pytestmark = pytest.mark.e2e
NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
PAGES = (
    "/",
    "/law",
    "/law/us",
    "/law/us/sample",
    "/law/us/sample/1",
    "/law/us/sample/1/7",
    "/law/us/sample/1/8",
    "/law/us/sample/1/6",
    "/law/us/sample/1/7?view=cited-by",
    "/law/us/sample/1/7?view=history",
    "/law/us/sample?view=changes",
    f"/report/{node_id('/us/sample/t1/s7')}",
    "/law/sample/code/1-1",
    "/law/sample/code/tit-2?page=2",
    "/search",
    "/search?q=permit&jurisdiction=sample",
    "/search?q=1+S.F.C.+%C2%A7+6",
    "/search?q=zzyzx",
)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_law_is_found_read_and_followed(server, open_page, scripts):
    page = open_page(java_script_enabled=scripts)
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(server.url)
    page.get_by_role("searchbox").fill("fair use of a protected work")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="1 S.F.C. § 7", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 S.F.C. § 7")
    page.get_by_role("link", name="section 5", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Definitions")
    page.get_by_role("region", name="Cited by").get_by_role("link", name="1 S.F.C. § 7").click()
    expect(page).to_have_url(f"{server.url}/law/us/sample/1/7")
    page.get_by_role("searchbox").fill("1 S.F.C. 7(a)")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(f"{server.url}/law/us/sample/1/7#a")
    page.get_by_role("link", name="Next 1 S.F.C. § 8").click()
    expect(page.get_by_role("note")).to_contain_text("This provision is repealed")
    page.get_by_role("link", name="Title 1. Protected works").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 S.F.C.")
    assert page.complaints == []
    assert all(url.startswith(server.url) for url in requested)


def test_a_citation_is_copied(server, open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{server.url}/law/us/sample/1/7")
    page.get_by_role("button", name="Copy citation").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "1 S.F.C. § 7"
    assert page.complaints == []


def test_a_fragment_leads_to_its_part(server, open_page):
    page = open_page()
    page.goto(f"{server.url}/law/us/sample/1/7#a")
    expect(page.locator(":target")).to_contain_text("Notwithstanding")
    assert page.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [NARROW, WIDE], ids=["narrow", "wide"])
def test_every_page_fits_and_can_be_read(server, open_page, scheme, viewport):
    page = open_page(viewport=viewport, color_scheme=scheme)
    seen = []
    for path in PAGES:
        page.goto(server.url + path)
        seen += faults(page)
    assert seen == []
    assert page.complaints == []


def test_the_print_sheet_holds_the_text_and_no_controls(server, open_page):
    page = open_page()
    page.goto(f"{server.url}/law/us/sample/1/7")
    page.emulate_media(media="print")
    expect(page.get_by_text("Notwithstanding any other provision")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    expect(page.get_by_role("button", name="Copy citation")).to_be_hidden()
