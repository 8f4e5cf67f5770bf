"""Consent in a real Chromium: by keyboard, on a narrow screen, and back to an agent that listens on this machine."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.serving.authorization.agents import Agent
from tests.serving.pages.looking import BUSY_SECONDS, faults, press_until
from tests.serving.pages.people import PASSWORD

pytestmark = pytest.mark.e2e
NARROW = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 900}


class Callback(ThreadingHTTPServer):
    """Where an agent on this machine waits for its answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.came: SimpleQueue[dict[str, list[str]]] = SimpleQueue()
        self.address = f"http://127.0.0.1:{self.server_address[1]}/callback"


class _Answer(BaseHTTPRequestHandler):
    server: Callback

    def do_GET(self) -> None:
        self.server.came.put(parse_qs(urlsplit(self.path).query))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"You may close this window.")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def callback() -> Iterator[Callback]:
    with Callback() as waiting:
        threading.Thread(target=waiting.serve_forever, daemon=True).start()
        yield waiting
        waiting.shutdown()


@pytest.mark.parametrize(("viewport", "scheme"), [(WIDE, "light"), (NARROW, "dark")])
def test_a_person_connects_an_agent_and_disconnects_it(server, open_page, callback, viewport, scheme):
    agent = Agent(server.url)
    agent.register(client_name="Desktop agent", redirect_uris=["http://127.0.0.1/callback"])
    page = open_page(viewport=viewport, color_scheme=scheme)
    page.goto(server.url + agent.asks(redirect_uri=callback.address, scope=None))
    expect(page.get_by_role("status")).to_contain_text("connect “Desktop agent”")
    form = page.get_by_role("region", name="Open an account")
    form.get_by_label("Email").fill(f"{agent.client_id.lower()}@example.org")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Open an account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Connect “Desktop agent”?")
    assert faults(page) == []
    page.get_by_label("gis").uncheck()
    press_until(page, "Connect")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{callback.address}?*")
    (code,) = callback.came.get(timeout=BUSY_SECONDS)["code"]
    tokens = agent.exchanges(code, redirect_uri=callback.address).json()
    assert tokens["scope"] == "search node browse formation"
    page.goto(f"{server.url}/settings")
    assert faults(page) == []
    page.get_by_role("region", name="Connected agents").get_by_role("link", name="Disconnect").click()
    assert faults(page) == []
    page.get_by_role("button", name="Disconnect").click()
    expect(page.get_by_role("status")).to_contain_text("The agent is disconnected")
    assert agent.calls(tokens["access_token"]).status_code == 401
    assert page.complaints == []
    agent.http.close()


def test_a_bad_request_is_explained_and_leads_back(server, open_page, callback):
    agent = Agent(server.url)
    agent.register(client_name="Desktop agent", redirect_uris=[callback.address])
    page = open_page(viewport=NARROW)
    page.goto(server.url + agent.asks(redirect_uri=callback.address, code_challenge=None))
    expect(page.get_by_role("heading", level=1)).to_have_text("“Desktop agent” cannot be connected")
    assert faults(page) == []
    assert callback.came.empty()
    page.get_by_role("link", name="Back to the app").click()
    page.wait_for_url(f"{callback.address}?*")
    assert callback.came.get(timeout=BUSY_SECONDS)["error"] == ["invalid_request"]
    agent.http.close()
