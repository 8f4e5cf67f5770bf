"""The page of a formation in a real Chromium, with and without scripts, from a hand-off to an order."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.serving.pages.looking import faults
from tests.serving.pages.people import PASSWORD

pytestmark = pytest.mark.e2e
NARROW = {"width": 390, "height": 844}
HANDED_OVER = "/formation/start?state=dc&entity=llc&name=Harbor+Works+LLC&naics=722330"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_from_a_hand_off_to_an_order(server, open_page, scripts):
    page = open_page(java_script_enabled=scripts)
    page.goto(server.url + HANDED_OVER)
    expect(page.get_by_role("heading", level=1)).to_have_text("Form an LLC in District of Columbia")
    expect(page.get_by_text("Mobile Food Services")).to_be_visible()
    page.get_by_role("link", name="Sign in to open the order").click()
    form = page.get_by_role("region", name="Open an account")
    form.get_by_label("Email").fill(f"former-{scripts}@example.org")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Open an account").click()
    expect(page.get_by_label("Name of the LLC")).to_have_value("Harbor Works LLC")
    page.get_by_label("Name of the LLC").fill("Harbor Works")
    page.get_by_role("button", name="Open the order").click()
    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.get_by_label("Name of the LLC")).to_be_focused()
    page.get_by_label("Name of the LLC").fill("Harbor Works LLC")
    page.get_by_role("button", name="Open the order").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your order is open")
    token = page.locator("#tracking-token").inner_text()
    assert token not in page.url
    page.reload()
    assert token not in page.content()
    expect(page.get_by_role("alert")).to_contain_text("opened an order already")
    assert page.complaints == []


def test_another_choice_changes_the_price(server, open_page):
    page = open_page()
    page.goto(server.url + HANDED_OVER)
    page.get_by_label("State").select_option("Kentucky")
    page.get_by_label("What is formed").select_option("Nonprofit corporation")
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Form a nonprofit in Kentucky")
    prices = httpx.get(f"{server.url}/api/v1/formation/prices").json()["prices"]
    (price,) = [entry for entry in prices if (entry["state"], entry["entityType"]) == ("ky", "nonprofit")]
    expect(page.locator("#total")).to_have_text(f"${price['total']['cents'] // 100}")
    expect(page.get_by_text("Total of what is known")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone_and_can_be_read(server, open_page, scheme):
    page = open_page(viewport=NARROW, color_scheme=scheme)
    seen = []
    for path in ("/formation/start", HANDED_OVER, "/formation/start?state=zz", "/formation/start?state=nv"):
        page.goto(server.url + path)
        seen += faults(page)
    page.goto(server.url + HANDED_OVER)
    page.get_by_role("link", name="Sign in to open the order").click()
    seen += faults(page)
    form = page.get_by_role("region", name="Open an account")
    form.get_by_label("Email").fill(f"phone-{scheme}@example.org")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Open an account").click()
    seen += faults(page)
    page.get_by_role("button", name="Open the order").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your order is open")
    seen += faults(page)
    assert seen == []
    assert page.complaints == []
