"""A session that ends while a form is filled in: nothing is done, nothing typed is lost, and one comes back."""

import re
from html import unescape

import httpx
import pytest

from serving.pages.resources.entrance import known_next
from serving.services.formation import START
from tests.serving.pages.people import PASSWORD, Person, hidden_fields, key_in

pytestmark = pytest.mark.e2e
KEY = {"name": "R&D “laptop” #1 法律", "scopes": ["node", "gis"], "expires": "2099-01-31"}


def end_session(person: Person, how: str) -> None:
    """End the session of a browser, at the server or in the browser's jar."""
    token = person.http.cookies["lr_session"]
    if how == "at the server":
        person.submit("/settings/sign-out")
    del person.http.cookies["lr_session"]
    if how == "at the server":
        person.http.cookies.set("lr_session", token)


def leads_on(refused: httpx.Response) -> str:
    """Return the address to which signing in on that page leads."""
    assert refused.status_code == 401
    return hidden_fields(refused.text, "/settings/sign-in")["next"]


@pytest.mark.parametrize("how", ["at the server", "in the browser"])
def test_a_key_that_was_filled_in_is_still_filled_in(customer, how):
    typed = hidden_fields(customer.get().text, "/settings/keys") | KEY
    end_session(customer, how)
    refused = customer.http.post("/settings/keys", data=typed)
    assert "lr_live_" not in refused.text
    signing_in = hidden_fields(refused.text, "/settings/sign-in")
    entered = customer.http.post(
        "/settings/sign-in", data=signing_in | {"email": customer.email, "password": PASSWORD}
    )
    assert (entered.status_code, entered.headers["location"]) == (303, leads_on(refused))
    back = customer.get(entered.headers["location"])
    assert 'value="R&amp;D “laptop” #1 法律"' in back.text
    assert re.findall(r'name="scopes" value="(\w+)" checked', back.text) == ["node", "gis"]
    assert 'value="2099-01-31"' in back.text
    assert "There is no live key yet" in back.text, "signing in alone makes none"
    form = hidden_fields(back.text, "/settings/keys") | KEY
    assert key_in(customer.http.post("/settings/keys", data=form).text)


def test_what_was_filled_in_is_in_the_address_to_come_back_to(customer, visit, server):
    forms = (
        (f"{START}?state=dc&entity=llc&naics=541511", START, {"name": "Smith & Öz, LLC"}),
        ("/settings", "/settings/keys", {"name": ""}),
    )
    typed = [hidden_fields(customer.get(page).text, path) | fields for page, path, fields in forms]
    end_session(customer, "in the browser")
    ways = [
        leads_on(customer.http.post(path, data=fields))
        for (_, path, _), fields in zip(forms, typed, strict=True)
    ]
    someone = visit(server).sign_up()
    order, key = (someone.get(way).text for way in ways)
    assert 'value="Smith &amp; Öz, LLC"' in order
    assert "541511" in order
    assert "checked" not in key, "that no scope was chosen is not forgotten"


def test_pages_lead_back_and_keep_no_password(customer):
    typed = hidden_fields(customer.get().text, "/settings/sign-out")
    end_session(customer, "at the server")
    for path in ("/settings/ledger?before=3", "/settings/password", "/settings/keys/7/revoke"):
        refused = customer.get(path)
        assert leads_on(refused) == path
        assert "Your session has ended" in refused.text
    end_session(customer, "in the browser")
    secrets = {"current": PASSWORD, "password": "quite another one"}
    for path, way in (("/settings/password", "/settings/password"), ("/settings/buy/pro", "/settings#packs")):
        refused = customer.http.post(path, data=typed | secrets)
        assert leads_on(refused) == way
        assert not any(secret in unescape(refused.text) for secret in secrets.values())


def test_a_form_from_elsewhere_fills_nothing_in(customer):
    end_session(customer, "in the browser")
    answer = customer.http.post("/settings/keys", data=KEY, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert "laptop" not in answer.text


@pytest.mark.parametrize(
    "address",
    [
        *("https://evil.example/settings", "//evil.example/settings", "/\\evil.example", "\\settings"),
        *("/settings", "/settings/", "/settingsx?a=b", "/settings.evil.example", "/settings@evil.example"),
        *("/settings/../..//evil.example", "/settings//evil.example", "/settings/\\evil.example"),
        *("/settings/%2e%2e/x", "/settings/ledger\t", "/settings/ledger?a=\n", "javascript:alert(1)"),
        *("/law", "/api/v1/me", "/formation", "/formation/start/x", " /settings/ledger"),
        "/settings?" + "x" * 4100,
    ],
)
def test_signing_in_leads_to_pages_of_the_account_alone(address):
    assert known_next(address) is None


@pytest.mark.parametrize(
    "address",
    ["/settings?name=x#keys", "/settings#packs", "/settings/ledger?before=3", "/settings/authorize?a=b"],
)
def test_signing_in_leads_on_to_pages_of_the_account(address):
    assert known_next(address) == address
