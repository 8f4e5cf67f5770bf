"""What the pages say and do, over HTTP against the real server."""

import re

import httpx
import pytest

from serving.accounts.credits import Credits
from serving.accounts.customers import Customers
from serving.metering.database import Database
from tests.serving.pages.people import PASSWORD, hidden_fields, problem_in

pytestmark = pytest.mark.e2e


def account_of(server, person) -> int:
    database = Database(server.database)
    try:
        return Customers(database).sign_in(person.email, PASSWORD, address="192.0.2.1").account.account_id
    finally:
        database.close()


def grant(server, person, *amounts: int) -> None:
    account = account_of(server, person)
    database = Database(server.database)
    for amount in amounts:
        Credits(database).grant(account, amount)
    database.close()


def test_the_price_list_is_there_for_everyone(person, customer):
    for page in (person.get().text, customer.get().text):
        packs = page[page.index('id="packs"') :]
        for told in ("$5", "1,000 credits", "60 requests", "$20", "5,000", "120", "$50", "15,000", "300"):
            assert told in packs


def test_the_dashboard_tells_the_account(server, customer):
    grant(server, customer, 250)
    page = customer.get().text
    assert re.search(r'id="balance">1,250<', page)
    for told in (
        customer.email,
        "Free",
        "30 requests a minute and 1,000 a day",
        "renews on",
        "+1,000",
        "+250",
    ):
        assert told in page


@pytest.mark.parametrize(
    ("email", "password", "field"),
    [("no address", PASSWORD, "email"), ("x@example.org", "short", "password"), ("", "", "email")],
)
def test_a_refused_sign_up_names_the_field(person, email, password, field):
    answer = person.submit("/settings/sign-up", email=email, password=password)
    assert answer.status_code == 422
    assert f'<a href="#sign-up-{field}">' in answer.text
    assert f'id="sign-up-{field}-error"' in answer.text
    assert f'aria-describedby="sign-up-{field}-error' in answer.text
    assert password == "" or password not in answer.text


def test_an_address_opens_one_account(person, customer):
    answer = person.submit("/settings/sign-up", email=customer.email, password=PASSWORD)
    assert (answer.status_code, problem_in(answer.text)) == (
        422,
        "An account with this address exists already.",
    )


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "", "scopes": ["node"]}, "key-name"),
        ({"name": "x" * 101, "scopes": ["node"]}, "key-name"),
        ({"name": "k", "scopes": []}, "key-scopes"),
        ({"name": "k", "scopes": ["root"]}, "key-scopes"),
        ({"name": "k", "scopes": ["node"], "expires": "2020-01-01"}, "key-expires"),
        ({"name": "k", "scopes": ["node"], "expires": "tomorrow"}, "key-expires"),
        ({"name": "k", "scopes": ["node"], "expires": "9999-12-31"}, "key-expires"),
    ],
)
def test_a_refused_key_names_the_field_and_keeps_what_was_typed(customer, fields, field):
    answer = customer.submit("/settings/keys", **fields)
    assert answer.status_code == 422
    assert f'<a href="#{field}">' in answer.text
    assert f'id="{field}-error"' in answer.text
    assert f'value="{fields["name"]}"' in answer.text
    assert ('value="search" checked' in answer.text) == ("search" in fields["scopes"])


def test_all_scopes_are_chosen_at_first(customer):
    assert customer.get().text.count('name="scopes"') == 5
    assert len(re.findall(r'name="scopes" value="\w+" checked', customer.get().text)) == 5


def test_a_key_ends_with_its_last_day(customer):
    customer.create_key(expires="2099-12-30")
    assert '<time datetime="2099-12-31T00:00:00Z">30 Dec 2099</time>' in customer.get().text


def test_ten_keys_live_at_most(customer):
    for number in range(10):
        customer.create_key(name=f"key {number}")
    answer = customer.submit("/settings/keys", name="one more", scopes=["node"])
    assert (answer.status_code, "at most 10 live keys" in problem_in(answer.text)) == (422, True)


def test_the_ledger_is_read_page_by_page(server, customer):
    grant(server, customer, *range(1, 121))
    seen, path, pages = [], "/settings/ledger", 0
    while path:
        text = customer.get(path).text
        seen += re.findall(r'class="number change gain">\+([\d,]+)<', text)
        (path,) = re.findall(r'rel="next" href="([^"]+)"', text) or [None]
        pages += 1
    assert pages == 3
    assert seen == [*(str(amount) for amount in range(120, 0, -1)), "1,000"]
    for wrong in ("0", "-1", "x", "9" * 30, "²"):
        assert customer.get("/settings/ledger", params={"before": wrong}).status_code == 422


@pytest.mark.parametrize("path", ["/settings/ledger", "/settings/password", "/settings/bought"])
def test_a_private_page_asks_to_sign_in(person, path):
    answer = person.get(path)
    assert answer.status_code == 401
    assert 'action="/settings/sign-in"' in answer.text


def test_a_form_after_the_session_ended_asks_to_sign_in(server, customer, visit):
    fields = hidden_fields(customer.get().text, "/settings/keys")
    elsewhere = visit(server)
    elsewhere.submit("/settings/sign-in", email=customer.email, password=PASSWORD)
    elsewhere.submit(
        "/settings/password", page="/settings/password", current=PASSWORD, password="another long secret"
    )
    answer = customer.http.post("/settings/keys", data=fields | {"name": "k", "scopes": "node"})
    assert answer.status_code == 401
    assert "Your session has ended" in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/settings/nowhere", 404),
        ("GET", "/settings/keys/1/rename", 404),
        ("GET", "/settings/static/app.py", 404),
        ("GET", "/settings/keys", 405),
        ("DELETE", "/settings", 405),
        ("POST", "/settings/ledger", 405),
    ],
)
def test_errors_are_pages(person, method, path, status):
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for answer in (person.http.request(method, path), person.http.request(method, path, headers=browser)):
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert "<h1>" in answer.text
        assert "lists the paths" not in answer.text
        assert 'href="/settings">Go to the settings' in answer.text
        assert answer.headers["cache-control"] == "no-store"


def test_a_form_of_another_kind_or_size_is_refused(customer):
    post = customer.http.post
    assert post("/settings/keys", json={"name": "k"}).status_code == 415
    assert post("/settings/keys", data={"name": "k" * 20_000}).status_code == 413
    chunked = {"Content-Type": "application/x-www-form-urlencoded"}
    assert post("/settings/keys", content=iter([b"a=b&"] * 9_000), headers=chunked).status_code == 413
    fields = hidden_fields(customer.get().text, "/settings/keys")
    answer = post("/settings/keys", data=fields | {"name": "a\x07b", "scopes": "node"})
    assert answer.status_code == 422
    assert answer.headers["content-type"].startswith("text/html")


def test_pages_answer_head(person, customer):
    for visitor, path in ((person, "/settings"), (person, "/settings/reset"), (customer, "/settings/ledger")):
        answer = visitor.http.head(path)
        assert (answer.status_code, answer.content) == (200, b"")


def test_files_are_kept_as_long_as_they_do_not_change(person):
    addresses = re.findall(r'"(/settings/static/[^"]+)"', person.get().text)
    assert len(addresses) == 3
    for address in addresses:
        answer = person.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        tag = {"If-None-Match": answer.headers["etag"]}
        assert person.get(address, headers=tag).status_code == 304
        assert person.get(address.split("?")[0]).headers["cache-control"] == "public, no-cache"
        assert "set-cookie" not in answer.headers


def test_where_nothing_is_sold_the_operator_grants(customer):
    answer = customer.submit("/settings/buy/pro")
    assert f"lawctl credits grant {customer.email} 5000" in answer.text
    fields = hidden_fields(customer.get().text, "/settings/sign-out")
    assert customer.http.post("/settings/buy/mega", data=fields).status_code == 422


def test_the_page_after_a_payment_tells_the_balance(customer):
    assert "1,000 credits" in customer.get("/settings/bought?payment=success").text
    assert "not charged" in customer.get("/settings/bought?payment=canceled").text


def test_where_no_mail_is_sent_the_operator_resets(person):
    assert "lawctl accounts set-password" in person.get("/settings/reset").text


def test_an_upgrade_address_leads_to_the_packs(server):
    assert 'id="packs"' in httpx.get(f"{server.url}/settings").text
