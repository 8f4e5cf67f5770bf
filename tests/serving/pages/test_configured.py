"""Pages of a service that is reached over HTTPS and takes payments; and of one whose store is gone."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import falcon.asgi
import falcon.testing
import pytest

from serving.accounts.billing import Billing
from serving.contract.errors import LawError
from serving.http.errors import LawErrorHandler
from serving.pages.app import add_pages
from serving.payments.checkout import open_client
from serving.payments.payments import Payments
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings
from tests.serving.pages.conftest import copied
from tests.serving.pages.people import PASSWORD, hidden_fields
from tests.serving.payments.stripe_api import StripeServer, stripe_running
from tests.serving.payments.stripe_events import KEY, SECRET

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
App = falcon.asgi.App[Any, Any]


class Client:
    """McpCallers an application within this process, with the cookies that it sets."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._client = falcon.testing.TestClient(app, headers={"Host": "law.example"})
        self.cookies: dict[str, str] = {}

    def other(self) -> "Client":
        """Another visitor of the same application."""
        return Client(self.app)

    def form(self, path: str, **fields: str) -> dict[str, Any]:
        """What sends a form, for any client."""
        body = urlencode(hidden_fields(self.get().text, path) | fields)
        return {"body": body, "headers": FORM, "cookies": self.cookies}

    def get(self, path: str = "/settings") -> falcon.testing.Result:
        return self._keeping(self._client.simulate_get(path, cookies=self.cookies))

    def submit(self, path: str, **fields: str) -> falcon.testing.Result:
        return self._keeping(self._client.simulate_post(path, **self.form(path, **fields)))

    def _keeping(self, result: falcon.testing.Result) -> falcon.testing.Result:
        self.cookies |= {name: cookie.value for name, cookie in result.cookies.items()}
        return result

    def sign_up(self) -> "Client":
        assert self.submit("/settings/sign-up", email="ada@example.org", password=PASSWORD).status_code == 303
        return self


@pytest.fixture
def client_of() -> Iterator[Callable[..., Client]]:
    """Makes clients of an application over a store."""
    opened: list[Billing] = []

    def make(database: str, payments: Payments | None = None) -> Client:
        billing = Billing(database)
        opened.append(billing)
        app: App = falcon.asgi.App()
        app.add_error_handler(LawError, LawErrorHandler(upgrade_url="https://law.example/settings#packs"))
        settings = Settings(base_url="https://law.example")
        add_pages(app, settings, SnapshotHolder(Path("nowhere")), billing, payments, SearchService())
        return Client(app)

    yield make
    for billing in opened:
        falcon.async_to_sync(billing.close)


@pytest.fixture
def stripe_server() -> Iterator[StripeServer]:
    with stripe_running() as server:
        yield server


@pytest.fixture
def shop(client_of: Callable[..., Client], sqlite_template, tmp_path, stripe_server) -> Client:
    payments = Payments(
        open_client(KEY, api_base=stripe_server.url),
        webhook_secret=SECRET,
        credits=None,  # type: ignore[arg-type]  # no payment comes in
    )
    return client_of(copied(sqlite_template, tmp_path), payments)


def test_cookies_travel_over_https_alone(shop):
    first = shop.get().cookies["lr_form"]
    cookies = shop.submit("/settings/sign-up", email="ada@example.org", password=PASSWORD).cookies
    entered, known = cookies["lr_session"], cookies["lr_device"]
    assert (known.secure, known.http_only, known.same_site, known.path) == (True, True, "Lax", "/")
    assert (first.secure, first.http_only, first.same_site, first.path) == (True, True, "Lax", "/")
    assert (entered.secure, entered.http_only, entered.same_site, entered.path) == (True, True, "Lax", "/")
    assert 1_209_000 < entered.max_age <= 1_209_600


def test_buying_leads_to_the_checkout(shop, stripe_server):
    shop.sign_up()
    answer = shop.submit("/settings/buy/pro")
    assert (answer.status_code, answer.headers["location"]) == (303, "https://checkout.example/pay/cs_1")
    (asked,) = stripe_server.asked
    assert asked.form["success_url"] == "https://law.example/settings/bought?payment=success"
    assert asked.form["customer_email"] == "ada@example.org"
    assert "form-action 'self' https://checkout.stripe.com;" in answer.headers["content-security-policy"]
    assert "Buy" in shop.get().text


def test_a_checkout_that_does_not_open_says_so(shop, stripe_server):
    shop.sign_up()
    stripe_server.answers[:] = [(401, {"error": {"type": "invalid_request_error", "message": "no such key"}})]
    answer = shop.submit("/settings/buy/pro")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert answer.headers["content-type"].startswith("text/html")
    assert "nothing was charged" in answer.text
    assert "no such key" not in answer.text


def test_passwords_that_are_looked_at_are_few_and_hold_up_no_other_page(
    client_of, sqlite_template, tmp_path, monkeypatch
):
    monkeypatch.setattr("serving.pages.pools.LIMIT", 1)
    client = client_of(copied(sqlite_template, tmp_path)).sign_up()
    looking, done = threading.Event(), threading.Event()

    def look(_stored: str | None, _text: str) -> bool:
        looking.set()
        return not done.wait(60)

    monkeypatch.setattr("serving.accounts.customers.verify", look)
    guesses = [
        client.other().form("/settings/sign-in", email="ada@example.org", password="a wrong guess")
        for _ in range(2)
    ]

    async def guess_twice() -> tuple[falcon.testing.Result, ...]:
        async with falcon.testing.ASGIConductor(client.app, headers={"Host": "law.example"}) as conductor:
            first = asyncio.create_task(conductor.simulate_post("/settings/sign-in", **guesses[0]))
            while not looking.is_set():
                await asyncio.sleep(0.01)
            refused = await conductor.simulate_post("/settings/sign-in", **guesses[1])
            page = await conductor.simulate_get("/settings/ledger", cookies=client.cookies)
            done.set()
            guessed = await first
        return guessed, refused, page

    first, refused, page = asyncio.run(guess_twice())
    assert (first.status_code, refused.status_code, page.status_code) == (401, 503, 200)
    assert refused.headers["retry-after"] == "1"


def test_a_store_that_is_gone_is_a_page(client_of):
    client = client_of("postgresql://law@127.0.0.1:9/law")
    assert client.get().status_code == 200, "who has no session needs no store"
    answer = client.submit("/settings/sign-up", email="ada@example.org", password=PASSWORD)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.headers["content-type"].startswith("text/html")
    assert "Not available right now" in answer.text
    assert PASSWORD not in answer.text
