"""The settings page in a real Chromium, with and without scripts, by mouse and by keyboard."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count

import httpx
import pytest
from playwright.sync_api import Page, Request, expect

from tests.serving.pages.conftest import run_server
from tests.serving.pages.looking import faults, press_until
from tests.serving.pages.people import PASSWORD
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
NARROW = {"width": 390, "height": 844}
_numbers = count(1)


@pytest.fixture
def any_server(new_url: Callable[[], str], snapshots_folder, tmp_path) -> Iterator[Server]:
    """A server over either store."""
    yield from run_server(tmp_path, snapshots_folder, new_url())


def sign_up(page: Page, server: Server) -> str:
    email = f"browser{next(_numbers)}@example.org"
    page.goto(f"{server.url}/settings")
    form = page.get_by_role("region", name="Open an account")
    form.get_by_label("Email").fill(email)
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Open an account").click()
    expect(page.get_by_role("status")).to_contain_text("Your account is open")
    return email


def create_key(page: Page) -> str:
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your new key")
    return page.locator("#new-key").inner_text()


def run_curl(command: str) -> tuple[int, str]:
    """Run the line that the page shows, as it stands; give status and body."""
    assert command.startswith("curl -H ")
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} -s -w '\\n%{{http_code}}'"], capture_output=True, text=True, check=True
    )
    body, status = done.stdout.rsplit("\n", 1)
    return int(status), body


def balance(page: Page, server: Server) -> int:
    page.goto(f"{server.url}/settings")
    return int(page.locator("#balance").inner_text().replace(",", ""))


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_from_sign_up_to_a_revoked_key(any_server, open_page, scripts):
    page = open_page(java_script_enabled=scripts)
    sign_up(page, any_server)
    key = create_key(page)
    assert re.fullmatch(r"lr_live_[0-9A-Za-z]{38}", key)
    assert key not in page.url
    command = page.locator("#curl").inner_text()
    assert key in command

    status, body = run_curl(command)
    assert (status, '"results"' in body) == (200, True)
    assert balance(page, any_server) == 999
    assert page.locator("#usage").get_by_text("1 call for 1 credit").count() == 1
    assert key not in page.content()

    page.get_by_role("link", name="Revoke").click()
    page.get_by_role("button", name="Revoke the key").click()
    expect(page.get_by_role("status")).to_contain_text("revoked")
    status, body = run_curl(command)
    assert (status, '"invalid_api_key"' in body) == (401, True)
    assert balance(page, any_server) == 999
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("US law as an API")
    assert page.complaints == []


def test_loading_the_new_key_again_makes_no_second_one(server, open_page):
    page = open_page()
    sign_up(page, server)
    key = create_key(page)
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("shown once")
    assert key not in page.content()
    assert page.locator(".keys tbody tr").count() == 1
    page.go_back()
    assert key not in page.content()


def test_the_copy_buttons_copy(server, open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    sign_up(page, server)
    key = create_key(page)
    page.get_by_role("button", name="Copy the key").click()
    expect(page.locator("#copied")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == key
    page.get_by_label("Call").select_option("Account")
    page.get_by_role("button", name="Copy the command").click()
    page.wait_for_function("navigator.clipboard.readText().then(text => text.startsWith('curl'))")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == f"curl -H \"Authorization: Bearer {key}\" \\\n  '{server.url}/api/v1/me'"
    status, body = run_curl(command)
    assert (status, '"creditsRemaining":999' in body.replace(" ", "")) == (200, True)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_the_new_key_comes_with_programs_that_run(server, open_page, scripts, tmp_path):
    page = open_page(java_script_enabled=scripts, viewport=NARROW)
    sign_up(page, server)
    key = create_key(page)
    expect(page.locator("#python")).to_be_hidden()
    page.get_by_text("Python", exact=True).click()
    expect(page.locator("#curl")).to_be_hidden()
    program = page.locator("#python").inner_text()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["results"]
    page.keyboard.press("ArrowRight")
    program = page.locator("#javascript").inner_text()
    assert program.startswith(f'const answer = await fetch("{server.url}/api/v1/search?')
    if (node := shutil.which("node")) is not None:
        (tmp_path / "call.mjs").write_text(program)
        done = subprocess.run([node, tmp_path / "call.mjs"], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["results"]
    page.get_by_text("MCP", exact=True).click()
    law = json.loads(page.locator("#mcp").inner_text())["mcpServers"]["law"]
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepted = {"Accept": "application/json, text/event-stream"}
    assert httpx.post(law["url"], json=message, headers=law["headers"] | accepted).status_code == 200
    assert key in law["headers"]["Authorization"]
    assert faults(page) == []
    assert page.complaints == []


def test_a_call_is_run_from_the_page_and_is_in_the_log(server, open_page):
    page = open_page()
    sign_up(page, server)
    create_key(page)
    for label, found in (("Check a citation", '"found"'), ("Read a provision", '"text"')):
        page.get_by_label("Call").select_option(label)
        page.get_by_role("button", name="Run it here").click()
        expect(page.locator("#answer")).to_contain_text(found)
        expect(page.locator("#ran")).to_contain_text("Answered 200; 99")
    assert faults(page) == []
    page.goto(f"{server.url}/settings/requests")
    while page.locator(".requests tbody tr").count() < 2:
        page.wait_for_timeout(200)
        page.reload()
    assert page.locator(".requests td[data-label=Endpoint]").all_inner_texts() == ["node", "resolve"]
    page.get_by_label("Status").select_option("Refused")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No such requests are kept.")).to_be_visible()
    assert page.complaints == []


def test_two_clicks_make_one_key(server, open_page):
    page = open_page()
    sign_up(page, server)
    sent = []

    def note(request: Request) -> None:
        if request.method == "POST":
            sent.append(request.url)

    page.on("request", note)
    page.get_by_label("Name").fill("twice")
    page.get_by_role("button", name="Create key").dblclick()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your new key")
    page.goto(f"{server.url}/settings")
    assert page.locator(".keys tbody tr").count() == 1
    assert sent == [f"{server.url}/settings/keys"]


def test_the_keyboard_is_enough(server, open_page):
    page = open_page()
    page.goto(f"{server.url}/settings")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top >= 0")
    page.keyboard.press("Enter")
    press_until(page, "Email")
    page.keyboard.type(f"keyboard{next(_numbers)}@example.org")
    press_until(page, "Password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    press_until(page, "Name")
    page.keyboard.type("by keyboard")
    press_until(page, "gis")
    page.keyboard.press("Space")
    press_until(page, "Create key")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your new key")
    expect(page.get_by_text("search, node, browse, formation")).to_be_visible()
    press_until(page, "I have copied it")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    press_until(page, "Revoke by keyboard")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Revoke the key “by keyboard”?")
    press_until(page, "Revoke the key")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("revoked")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_what_is_wrong_has_the_focus_and_leads_to_its_field(server, open_page, scripts):
    page = open_page(java_script_enabled=scripts)
    page.goto(f"{server.url}/settings")
    form = page.get_by_role("region", name="Open an account")
    form.get_by_label("Email").fill(f"wrong{next(_numbers)}@example.org")
    form.get_by_label("Password").fill("short")
    form.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_role("alert").get_by_role("link").click()
    field = form.get_by_label("Password")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(re.compile("Error: A password has 10 to 256 characters"))
    assert page.title().startswith("Error: ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone_and_can_be_read(server, open_page, scheme):
    page = open_page(viewport=NARROW, color_scheme=scheme)
    paths = ["/settings", "/settings/reset", "/settings/nowhere"]
    seen = []
    for path in paths:
        page.goto(server.url + path)
        seen.append(faults(page))
    email = sign_up(page, server)
    seen.append(faults(page))
    key = create_key(page)
    seen.append(faults(page))
    for path in ("coverage", "code-bodies"):
        called = httpx.get(f"{server.url}/api/v1/{path}", headers={"Authorization": f"Bearer {key}"})
        assert called.status_code == 200
    for path in (
        *("/settings", "/settings/ledger", "/settings/password", "/settings/bought"),
        *("/settings/requests", "/settings/orders"),
    ):
        page.goto(server.url + path)
        for summary in page.locator("summary").all():
            summary.click()
        seen.append(faults(page))
    page.goto(f"{server.url}/settings")
    page.get_by_role("link", name="Revoke").click()
    seen.append(faults(page))
    assert email in page.content()
    assert [found for found in seen if found] == []
    assert page.complaints == []
