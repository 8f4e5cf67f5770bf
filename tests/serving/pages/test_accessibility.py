"""Every page by WCAG 2.2 AA, as axe reads it: no fault in either scheme or width, nothing moves, nobody else is asked.

A new route belongs into one of the tables here: a test fails until it is in one.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import falcon.inspect
import pytest
from playwright.sync_api import expect

from serving.accounts.billing import Billing
from serving.accounts.credits import Credits
from serving.accounts.orders import Orders
from serving.metering.database import Database
from serving.metering.records import Reversal
from serving.pages.operator_pages import NAMES
from serving.process.application import create_web_app
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings
from tests.serving.authorization.agents import Agent
from tests.serving.geocoding.geocoders import geocoding, nominatim, place, street
from tests.serving.pages.auditing import Auditor
from tests.serving.pages.conftest import copied, run_server
from tests.serving.pages.people import Person
from tests.serving.pages.slow_network import SlowNetwork
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
FAIR_USE, CITY = "/law/us/sample/1/7", "/zoning/sample-city"
TOKEN = "x" * 43
OPEN = {
    "/": ("/",),
    "/search": (
        "/search",
        "/search?q=harbor",
        "/search?q=permit&jurisdiction=sample",
        "/search?q=zzyzx",
        "/search?q=1+S.F.C.+%C2%A7+6",
        "/search?q=harbor&page=0",
    ),
    "/law": ("/law", "/nowhere"),
    "/law/{jurisdiction}": ("/law/us", "/law/zz"),
    "/law/{jurisdiction}/{code}": ("/law/us/sample", "/law/us/sample?view=changes"),
    "/law/{jurisdiction}/{code}/{number:path}": (
        FAIR_USE,
        f"{FAIR_USE}?view=cited-by",
        f"{FAIR_USE}?view=history",
        "/law/us/sample/1",
        "/law/us/sample/1/8",
        "/law/us/sample/1/9",
        "/law/us/sample/1/6",
        "/law/sample/code/tit-2?page=2",
    ),
    "/zoning": ("/zoning",),
    "/zoning/address": ("/zoning/address?address=7+Harbor+Street", "/zoning/address?address="),
    "/zoning/{short_code}": (CITY, "/zoning/nowhere"),
    "/zoning/{short_code}/at": (f"{CITY}/at?point=37.5,-122.3", f"{CITY}/at?point=0,0", f"{CITY}/at?point=x"),
    "/zoning/{short_code}/provisions/{node_id}": (f"{CITY}/provisions/{{district}}",),
    "/docs": ("/docs",),
    "/formation/start": (
        "/formation/start",
        "/formation/start?state=dc&entity=llc&name=Harbor+Works+LLC&naics=722330",
        "/formation/start?state=dc&entity=llc&naics=food",
        "/formation/start?state=zz",
    ),
    "/report/{node:uuid}": ("/report/{fair_use}",),
    "/settings": ("/settings", "/settings/nowhere"),
    "/settings/reset": ("/settings/reset",),
    "/settings/reset/{token}": (f"/settings/reset/{TOKEN}",),
    "/settings/unlock": ("/settings/unlock",),
    "/settings/unlock/{token}": (f"/settings/unlock/{TOKEN}",),
    "/settings/verification/{token}": (f"/settings/verification/{TOKEN}",),
    **{f"/{name}": (f"/{name}",) for name in NAMES},
}
"""Addresses that anybody sees, by their route."""
LAYOUTS = (
    "/",
    "/search?q=harbor",
    "/law",
    "/law/us/sample",
    "/law/us/sample/1",
    FAIR_USE,
    f"{FAIR_USE}?view=cited-by",
    f"{FAIR_USE}?view=history",
    "/zoning",
    CITY,
    f"{CITY}/at?point=37.5,-122.3",
    f"{CITY}/provisions/{{district}}",
    "/docs",
    "/formation/start?state=dc&entity=llc&name=Harbor+Works+LLC&naics=722330",
    "/formation/start?state=dc&entity=llc&naics=food",
    "/settings",
)
"""One page of each way in which the pages are laid out that anybody sees."""
OF_ACCOUNTS = {
    "/settings": ("/settings",),
    "/settings/ledger": ("/settings/ledger",),
    "/settings/requests": ("/settings/requests", "/settings/requests?status=429"),
    "/settings/orders": ("/settings/orders",),
    "/settings/orders/{order_id}": ("/settings/orders/{order}", "/settings/orders/none"),
    "/settings/receipts/{payment_id}": ("/settings/receipts/{payment}",),
    "/settings/password": ("/settings/password",),
    "/settings/keys/{key_id:int(max=9223372036854775807)}/revoke": ("/settings/keys/{key}/revoke",),
    "/settings/agents/{key_id:int(max=9223372036854775807)}/disconnect": (
        "/settings/agents/{agent}/disconnect",
    ),
    "/settings/authorize": ("{consent}",),
    "/settings/bought": ("/settings/bought",),
    "/formation/start": ("/formation/start?state=dc&entity=llc",),
}
"""Addresses that an account's holder sees."""
SENT = {
    "/settings/keys",
    "/formation/start",
    "/settings/buy/{pack}",
    "/settings/sign-up",
    "/settings/sign-in",
}
"""Routes whose pages answer a form."""
NO_PAGES = {
    "/settings/sign-out": "leads on",
    "/settings/verification": "leads on",
    "/settings/requests.csv": "a file",
    "/settings/static/{name}": "files",
    "/docs/static/{name}": "files",
    "/zoning/static/{name}": "files",
    "/zoning/{short_code}/map.json": "what a map draws",
    "/sitemap.xml": "for search engines",
    "/sitemaps/{jurisdiction}/{code}/{number:int(min=1)}.xml": "for search engines",
    "/robots.txt": "for search engines",
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with each of the operator's texts."""
    folder = tmp_path_factory.mktemp("texts")
    for name, title in NAMES.items():
        text = f"# {title}\n\n## Part\n\nSee [the law](/law) and **this**.\n\n- one\n- two\n\n1. first\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def geocoder() -> Iterator[str]:
    """Setting of a geocoder that finds a house, a wrong one, a street and a place that no map has."""
    with geocoding() as service:
        wrong, away = place(37.502, -122.385, number="9"), place(40.0, -75.0)
        service.answers(nominatim(place(37.507, -122.393), wrong, street(37.505, -122.395), away))
        yield f"nominatim:{service.url}"


@pytest.fixture(scope="module")
def whole_server(
    texts: Path,
    geocoder: str,
    snapshots_folder: Path,
    sqlite_template: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    """A server that mails, looks addresses up, and has every page of the operator."""
    folder = tmp_path_factory.mktemp("whole")
    yield from run_server(
        folder,
        snapshots_folder,
        copied(sqlite_template, folder),
        LAW_OPERATOR_PAGES=str(texts),
        LAW_SMTP_URL="smtp://127.0.0.1:9",
        LAW_MAIL_FROM="law@example.org",
        LAW_GUIDE=str(folder / "none"),
        LAW_GEOCODER=geocoder,
    )


@pytest.fixture
def holder(whole_server: Server, visit: Callable[..., Person]) -> Person:
    """Holds an account with a key that was used, an agent, an order, and a pack that was given back in part."""
    person: Person = visit(whole_server).sign_up()
    key = person.create_key()
    for path in ("/api/v1/search?q=harbor", "/api/v1/code-bodies", "/api/v1/search?q="):
        person.get(path, headers={"Authorization": f"Bearer {key}"})
    agent = Agent(whole_server.url)
    agent.register()
    agent.connects(person)
    agent.http.close()
    page = "/formation/start?state=dc&entity=llc"
    opened = person.submit("/formation/start", page=page, name="Harbor & Sons LLC")
    database = Database(whole_server.database)
    account = Orders(database).get(_only(r'id="order-id">([^<]+)<', opened.text)).account_id
    Credits(database).purchase(account, "pro", event_id="evt_1", payment_id="pi_1")
    Credits(database).reverse(Reversal("ch_1", "refunds", "pi_1", amount_cents=500, at=1, event_id="evt_2"))
    database.close()
    return person


def _only(pattern: str, text: str) -> str:
    (found,) = set(re.findall(pattern, text))
    return str(found)


def _settings(texts: Path, folder: Path) -> Settings:
    return Settings.from_env({"LAW_OPERATOR_PAGES": str(texts), "LAW_GUIDE": str(folder / "none")})


def test_no_page_is_forgotten(texts, snapshots_folder, sqlite_template, tmp_path):
    billing = Billing(f"sqlite:///{tmp_path / 'none'}")
    app = create_web_app(_settings(texts, tmp_path), SnapshotHolder(snapshots_folder), billing)
    routes = {
        route.path
        for route in falcon.inspect.inspect_routes(app)
        if "/serving/pages/" in route.source_info.replace("\\", "/")
    }
    assert routes == OPEN.keys() | OF_ACCOUNTS.keys() | SENT | NO_PAGES.keys()


def test_axe_finds_what_is_wrong(open_page, server):
    page = open_page()
    auditor = Auditor(page, server.url)
    page.goto(f"{server.url}/robots.txt")
    page.set_content(
        "<!doctype html><title>Wrong</title><style>p { color: #777; background: #888 } a { font-size: 9px }</style>"
        "<p>Hard to read</p><input><a href=/a>a</a><a href=/b>b</a><img src=https://other.example/i.png>"
    )
    auditor.look()
    found = " ".join(auditor.faults)
    wrong = (
        "color-contrast,",
        "html-has-lang,",
        "label,",
        "image-alt,",
        "target-size,",
        "asks https://other",
    )
    assert [rule for rule in wrong if rule not in found] == []


@pytest.mark.parametrize("route", OPEN)
def test_every_page_that_anybody_sees(open_page, whole_server, node, route):
    page = open_page()
    auditor = Auditor(page, whole_server.url)
    names = {"district": node("/sample-city/code/1"), "fair_use": node("/us/sample/t1/s7")}
    auditor.visit(*(address.format_map(names) for address in OPEN[route]))
    assert auditor.faults == []
    assert page.complaints == []


def test_nothing_moves_on_a_slow_network(open_page, whole_server, node):
    page = open_page()
    with SlowNetwork(whole_server.url) as network:
        auditor = Auditor(page, network.url)
        auditor.load(*(address.format(district=node("/sample-city/code/1")) for address in LAYOUTS))
    assert auditor.faults == []


def test_what_is_wrong_with_a_form(open_page, whole_server):
    page = open_page()
    auditor = Auditor(page, whole_server.url)
    for form in ("Open an account", "Sign in"):
        page.goto(f"{whole_server.url}/settings")
        region = page.get_by_role("region", name=form)
        region.get_by_label("Email").fill("nobody@example.org")
        region.get_by_label("Password").fill("short")
        region.get_by_role("button", name=form).click()
        expect(page.get_by_role("alert")).to_be_visible()
        auditor.look()
    assert auditor.faults == []


def test_every_page_that_the_holder_of_an_account_sees(open_page, whole_server, holder):
    page = open_page()
    for cookie in holder.http.cookies.jar:
        page.context.add_cookies(
            [{"name": cookie.name, "value": cookie.value or "", "url": whole_server.url}]
        )
    auditor = Auditor(page, whole_server.url)
    agent = Agent(whole_server.url)
    agent.register()
    board = holder.get().text
    names = {
        "consent": agent.asks(),
        "key": _only(r"/settings/keys/(\d+)/revoke", board),
        "agent": _only(r"/settings/agents/(\d+)/disconnect", board),
        "order": _only(r'/settings/orders/([^"/]+)"', holder.get("/settings/orders").text),
        "payment": "pi_1",
    }
    agent.http.close()
    auditor.visit(*(address.format_map(names) for addresses in OF_ACCOUNTS.values() for address in addresses))

    with SlowNetwork(whole_server.url) as network:
        slow = Auditor(page.context.new_page(), network.url)
        slow.load(*(addresses[0].format_map(names) for addresses in OF_ACCOUNTS.values()))
    assert slow.faults == []

    page.goto(f"{whole_server.url}/settings")
    page.get_by_role("button", name="Create key").click()
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Create key").click()
    page.get_by_role("button", name="Run it here").click()
    expect(page.locator("#answer")).to_be_visible()
    auditor.look()
    page.goto(f"{whole_server.url}/formation/start?state=dc&entity=llc")
    page.get_by_label("Name of the LLC").fill("Harbor Works LLC")
    page.get_by_role("button", name="Open the order").click()
    expect(page.locator("#tracking-token")).to_be_visible()
    auditor.look()
    page.goto(f"{whole_server.url}/settings")
    page.get_by_role("button", name="How to get").first.click()
    expect(page.get_by_role("group", name="Command for the operator")).to_be_visible()
    auditor.look()
    assert auditor.faults == []
    assert page.complaints == []


def test_pages_of_what_changed(open_page, changed_folder, sqlite_template, tmp_path):
    page = open_page()
    for server in run_server(tmp_path, changed_folder, copied(sqlite_template, tmp_path)):
        auditor = Auditor(page, server.url)
        auditor.visit(
            *("/law/us/sample?view=changes", "/law/us/sample/1/1", "/law/us/sample/1/1?view=history")
        )
        assert auditor.faults == []
