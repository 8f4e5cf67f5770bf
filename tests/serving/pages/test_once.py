"""What a form does it does once, however many send it at the same moment, to several workers, on both engines."""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from serving.accounts.accounts import MAX_LIVE_KEYS, Accounts
from serving.accounts.customers import Customers
from serving.accounts.orders import MAX_UNPAID, Orders
from serving.contract.errors import SignInRefusedError
from serving.metering.database import Database
from tests.serving.pages.conftest import run_server
from tests.serving.pages.people import PASSWORD, Person, hidden_fields
from tests.serving.servers import Server
from tests.serving.stores import ENGINES, new_databases

pytestmark = pytest.mark.e2e
AT_ONCE = 8
START = "/formation/start"
ASKED = f"{START}?state=dc&entity=llc&name=Harbor+Works+LLC"


@pytest.fixture(scope="module", params=ENGINES)
def server(
    request: pytest.FixtureRequest, snapshots_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server of two workers, over either engine."""
    folder = tmp_path_factory.mktemp("once")
    with new_databases(request, request.param, folder) as make:
        running = run_server(folder, snapshots_folder, make())
        server = next(running)
        server.wait_for_workers(2)
        yield server
        running.close()


@pytest.fixture
def database(server: Server) -> Iterator[Database]:
    opened = Database(server.database)
    yield opened
    opened.close()


def send_at_once(person: Person, path: str, *forms: Mapping[str, object]) -> list[httpx.Response]:
    """Send forms of one browser at the same moment, each over a connection of its own."""
    barrier = threading.Barrier(len(forms), timeout=60)
    answers: list[httpx.Response] = []

    def send(form: Mapping[str, object]) -> None:
        with httpx.Client(
            base_url=person.http.base_url,
            headers=person.http.headers,
            cookies=person.http.cookies,
            timeout=60,
        ) as http:
            http.get("/health")  # the connection is open, to whichever worker took it
            barrier.wait()
            answers.append(http.post(path, data=form))

    threads = [threading.Thread(target=send, args=(form,)) for form in forms]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def statuses(answers: list[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


def account_of(database: Database, person: Person) -> int:
    account = Accounts(database).find(person.email)
    assert account is not None
    return account.account_id


def test_one_form_creates_one_key(customer, database):
    form = hidden_fields(customer.get().text, "/settings/keys") | {"name": "once", "scopes": ["node"]}
    answers = send_at_once(customer, "/settings/keys", *[form] * AT_ONCE)
    assert statuses(answers) == {200: 1, 409: AT_ONCE - 1}
    assert len(Accounts(database).list_keys(account_of(database, customer))) == 1
    again = customer.http.post("/settings/keys", data=form)
    assert (again.status_code, "has created a key already" in again.text) == (409, True)


def test_one_form_opens_one_order(customer, database):
    form = hidden_fields(customer.get(ASKED).text, START) | {"name": "Harbor Works LLC"}
    answers = send_at_once(customer, START, *[form] * AT_ONCE)
    assert statuses(answers) == {200: 1, 409: AT_ONCE - 1}
    assert len(Orders(database).list(account_of(database, customer))) == 1


@pytest.mark.parametrize("deed", ["key", "order"])
def test_a_bound_is_not_passed_by_many_at_once(server, customer, database, visit, deed):
    """Two browsers of one account, each with a form of its own, where one place is left."""
    account = account_of(database, customer)
    if deed == "key":
        page, path = "/settings", "/settings/keys"
        fields: dict[str, object] = {"name": "last", "scopes": ["node"]}
        for number in range(MAX_LIVE_KEYS - 1):
            Accounts(database).create_key(account, name=f"{number}", scopes=["node"])
    else:
        page, path, fields = ASKED, START, {"name": "Last LLC"}
        for number in range(MAX_UNPAID - 1):
            Orders(database).create(
                account, entity_name=f"{number} LLC", entity_type="llc", filing_jurisdiction="dc"
            )
    other = visit(server)
    assert other.submit("/settings/sign-in", email=customer.email, password=PASSWORD).status_code == 303
    forms = [hidden_fields(person.get(page).text, path) | fields for person in (customer, other)]
    answers: list[httpx.Response] = []
    browsers = [
        threading.Thread(
            target=lambda p=person, f=form: answers.extend(send_at_once(p, path, *[f] * AT_ONCE))
        )
        for person, form in zip((customer, other), forms, strict=True)
    ]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join()
    assert statuses(answers)[200] == 1
    assert set(statuses(answers)) <= {200, 409, 422}
    if deed == "key":
        assert len(Accounts(database).list_keys(account)) == MAX_LIVE_KEYS
    else:
        assert len(Orders(database).list(account)) == MAX_UNPAID


def test_one_address_opens_one_account(person, database):
    form = hidden_fields(person.get().text, "/settings/sign-up")
    form |= {"email": person.email, "password": PASSWORD}
    answers = send_at_once(person, "/settings/sign-up", *[form] * AT_ONCE)
    assert statuses(answers)[303] == 1
    assert set(statuses(answers)) <= {303, 422, 429}
    assert [account.email for account in Accounts(database).list()].count(person.email) == 1


def test_one_link_sets_one_password(customer, database):
    link = Customers(database).begin_reset(customer.email, address="192.0.2.1")
    assert link is not None
    path = f"/settings/reset/{link.token}"
    hidden = hidden_fields(customer.get(path).text, path)
    passwords = [f"a new secret of number {number}" for number in range(AT_ONCE)]
    answers = send_at_once(customer, path, *({**hidden, "password": each} for each in passwords))
    assert statuses(answers) == {303: 1, 422: AT_ONCE - 1}
    opened = []
    for each in passwords:
        try:
            Customers(database).sign_in(customer.email, each, address="192.0.2.1")
            opened.append(each)
        except SignInRefusedError:
            continue
    assert len(opened) == 1


def test_one_password_form_changes_the_password_once(customer):
    hidden = hidden_fields(customer.get("/settings/password").text, "/settings/password")
    forms = [
        {**hidden, "current": PASSWORD, "password": f"a new secret of number {number}"}
        for number in range(AT_ONCE)
    ]
    answers = send_at_once(customer, "/settings/password", *forms)
    assert statuses(answers)[303] == 1
    # 401: its session ended with the change; 422: it was still open, and the current password no longer right.
    assert set(statuses(answers)) <= {303, 401, 422, 429}


def test_a_key_is_revoked_once_and_stays_so(customer, database):
    customer.create_key()
    account = account_of(database, customer)
    (key,) = Accounts(database).list_keys(account)
    path = f"/settings/keys/{key.key_id}/revoke"
    form = hidden_fields(customer.get(path).text, path)
    assert statuses(send_at_once(customer, path, *[form] * AT_ONCE)) == {303: AT_ONCE}
    (revoked,) = Accounts(database).list_keys(account)
    assert revoked.revoked_at is not None


def test_signing_in_many_times_at_once_leaves_one_session_for_each_answer(customer, database):
    """The session before is ended by one of them; no answer is an error."""
    form = hidden_fields(customer.get().text, "/settings/sign-out")
    form |= {"email": customer.email, "password": PASSWORD}
    before = customer.http.cookies["lr_session"]
    answers = send_at_once(customer, "/settings/sign-in", *[form] * AT_ONCE)
    assert statuses(answers) == {303: AT_ONCE}
    left = httpx.get(f"{customer.http.base_url}/settings/ledger", headers={"Cookie": f"lr_session={before}"})
    assert left.status_code == 401
