"""The guide builds without a warning, and the server shows it without a request to another host."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import sync_playwright

from tests.docs.pages import PAGES
from tests.serving.pages.auditing import SCHEMES, Auditor
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
OF_THE_THEME = {
    "aria-hidden-focus?": "the switches of the colour scheme, which are not displayed",
    "color-contrast?": "single characters of code, whose colours are those of longer words",
}
"""Findings of axe in the markup that the theme makes, and why they stay."""


def test_every_page_is_in_the_guide(site: Path) -> None:
    pages = [page for page in PAGES if page.startswith("docs/")]
    assert len(pages) > 10
    for page in pages:
        assert (site / page.removeprefix("docs/")).with_suffix(".html").is_file(), page


def test_the_address_of_the_guide_leads_to_its_first_page(sample_server: Server) -> None:
    answer = httpx.get(f"{sample_server.url}/docs/guide", follow_redirects=True)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html")
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert "unsafe-eval" not in answer.headers["Content-Security-Policy"]
    assert httpx.get(f"{sample_server.url}/docs/guide/nothing.html").status_code == 404
    assert httpx.get(f"{sample_server.url}/docs/guide/..%2f..%2fpyproject.toml").status_code == 404


def test_an_unknown_address_of_the_guide_leads_on_into_it(sample_server: Server) -> None:
    address = f"{sample_server.url}/docs/guide/decisions/nothing.html"
    answer = httpx.get(address, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")
    assert answer.headers["Content-Type"].startswith("text/html")
    named = set(re.findall(r'(?:href|src)="?([^"#> ]+)', answer.text))
    own = [name for name in named if name.startswith("/") and name != "/docs"]
    assert len(own) > len(PAGES) / 2
    for name in own:
        found = httpx.get(sample_server.url + name, follow_redirects=True)
        assert (name.startswith("/docs/guide/"), found.status_code) == (True, 200), name
    assert all(name.startswith(("/", "https://")) for name in named)
    assert httpx.get(address).headers["Content-Type"] == "application/json"


def test_a_browser_shows_it_and_asks_nobody_else(sample_server: Server) -> None:
    asked: list[str] = []
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", headless=True, args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"{sample_server.url}/docs/guide/decisions/ledger.html")
        page.get_by_role("heading", name="One ledger").wait_for()
        page.goto(f"{sample_server.url}/docs/guide/architecture.html")
        drawn = page.locator(".diagram img").evaluate("image => [image.naturalWidth, image.clientWidth]")
        page.goto(f"{sample_server.url}/docs/guide/index.html")
        page.locator("input[name=query]").click()
        page.keyboard.type("ledger")
        page.locator(".md-search-result__item").first.wait_for()
        browser.close()
    assert all(url.startswith((sample_server.url, "data:", "blob:")) for url in asked)
    assert not said
    natural, shown = drawn
    assert natural > 0
    assert shown > 300


def test_guide_and_reference_lead_to_each_other(sample_server: Server) -> None:
    guide = httpx.get(f"{sample_server.url}/docs/guide/index.html").text
    assert 'href="/docs"' in guide
    assert 'href="/docs/guide/index.html"' in httpx.get(f"{sample_server.url}/docs").text


def test_axe_finds_no_fault_in_the_guide(sample_server: Server) -> None:
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for scheme in SCHEMES:
            page = browser.new_context(color_scheme=scheme).new_page()
            auditor = Auditor(page, sample_server.url, known=OF_THE_THEME, schemes=[scheme])
            # The first page, tables with code in several languages, a diagram, and pictures.
            for name in ("index", "api", "architecture", "pages"):
                auditor.visit(f"/docs/guide/{name}.html")
            faults += auditor.faults
        browser.close()
    assert faults == []
