"""The way of a new user through the service that `make run` starts, in Chromium, from a question to a call in the log.

With `SCREENSHOTS` in its environment, a folder, it leaves the pictures there that the guide shows.
"""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.serving.pages.looking import be_patient, faults
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
PASSWORD = "correct horse battery"
LOGGED_WITHIN = 20


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, permissions=["clipboard-read", "clipboard-write"]
        )
        yield be_patient(context).new_page()
        browser.close()


def show(page: Page, name: str) -> None:
    """Hold a page to what can be measured of its looks, and take its picture where one is wanted."""
    assert faults(page) == []
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
        page.screenshot(path=Path(folder) / f"{name}.png")


def test_from_a_question_to_a_call_in_the_log(sample_server: Server, page: Page, tmp_path: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    heading = page.get_by_role("heading", level=1)

    # By words, and read.
    page.goto(sample_server.url)
    show(page, "home")
    page.get_by_role("searchbox").fill("landlord keeps the security deposit in bad faith")
    page.keyboard.press("Enter")
    found = page.get_by_role("link", name="2 Sample Code § 3104", exact=True)
    expect(found).to_be_visible()
    show(page, "search")
    found.click()
    expect(heading).to_contain_text("Landlord’s failure to return deposit")

    # A reference, and back by what cites it.
    page.get_by_role("link", name="section 3103 of this title", exact=True).click()
    expect(heading).to_contain_text("2 Sample Code § 3103")
    page.get_by_role("region", name="Cited by").get_by_role("link", name="2 Sample Code § 3104").click()
    expect(heading).to_contain_text("2 Sample Code § 3104")

    # By citation, with a pin, and copied.
    page.get_by_role("searchbox").fill("2 Sample Code 3103(a)")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(f"{sample_server.url}/law/sample/code/2/3103#a")
    show(page, "provision")
    page.get_by_role("button", name="Copy citation").click()
    expect(page.locator("#copied")).not_to_be_empty()
    assert page.evaluate("navigator.clipboard.readText()") == "2 Sample Code § 3103"

    # The whole code body.
    page.get_by_role("link", name="Sample State Code (invented)").click()
    with page.expect_download() as coming:
        page.get_by_role("link", name="Provisions, lines of JSON").click()
    coming.value.save_as(tmp_path / "provisions.jsonl.gz")
    with gzip.open(tmp_path / "provisions.jsonl.gz") as lines:
        rows = [json.loads(line) for line in lines]
    assert "2 Sample Code § 3103" in {row["citation"] for row in rows}
    show(page, "code-body")

    # An account, a key, the call that is shown, and its entry in the log.
    page.get_by_role("link", name="Account").click()
    form = page.get_by_role("region", name="Open an account")
    form.get_by_label("Email").fill("journey@example.org")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Open an account").click()
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Create key").click()
    expect(heading).to_have_text("Your new key")
    page.get_by_role("button", name="Run it here").click()
    expect(page.locator("#answer")).to_be_visible()
    assert json.loads(page.locator("#answer").inner_text())
    assert faults(page) == []
    end = monotonic() + LOGGED_WITHIN
    page.goto(f"{sample_server.url}/settings/requests")
    while page.get_by_role("cell", name="laptop").count() == 0 and monotonic() < end:
        page.reload()
    expect(page.get_by_role("row").nth(1)).to_contain_text("200")
    show(page, "requests")
    assert all(url.startswith(sample_server.url) for url in asked)
