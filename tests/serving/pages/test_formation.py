"""The page of a formation: what it shows, what it refuses, and the order that it opens once."""

import re
from html import unescape
from urllib.parse import quote

import httpx
import orjson
import pytest

from serving.accounts.orders import MAX_UNPAID, Orders
from serving.contract.identity import node_id
from serving.metering.database import Database
from serving.pages.formation import pages_of
from serving.pages.resources.entrance import known_next
from serving.services.formation import requirements
from serving.snapshot.store import open_snapshot
from tests.serving.conftest import Row
from tests.serving.pages.people import PASSWORD, hidden_fields, problem_in
from tests.serving.services.test_formation import DISTRICT

pytestmark = pytest.mark.e2e
START = "/formation/start"
ASKED = f"{START}?state=dc&entity=llc&name=Harbor+Works+LLC&naics=722330"
TOKEN = re.compile(r'id="tracking-token"[^>]*>([\w-]{43})<')


def open_order(person, name="Harbor Works LLC", page=ASKED):
    return person.submit(START, page=page, name=name)


def order_in(page):
    (order,) = re.findall(r'id="order-id">([0-9a-f-]{36})<', page)
    (token,) = TOKEN.findall(page)
    return order, token


def test_anyone_sees_what_a_formation_costs(person):
    answer = person.get(ASKED)
    assert answer.status_code == 200
    prices = orjson.loads(httpx.get(f"{person.http.base_url}/api/v1/formation/prices").content)
    (price,) = [entry for entry in prices["prices"] if (entry["state"], entry["entityType"]) == ("dc", "llc")]
    (total,) = re.findall(r'id="total">\$([\d.]+)<', answer.text)
    assert float(total) * 100 == price["total"]["cents"]
    (offered,) = re.findall(r'id="offer-total">\$([\d.]+)<', answer.text)
    assert float(offered) * 100 == price["total"]["cents"] - prices["foundingOffer"]["discount"]
    text = unescape(answer.text)
    assert "Form an LLC in District of Columbia" in text
    assert "Mobile Food Services" in text
    assert "D.C. Code 29-802.01" in text
    assert "not confirmed" in text


def test_nothing_chosen_asks_for_a_state(person):
    answer = person.get(START)
    assert answer.status_code == 200
    assert answer.text.count("<option") == 51 + 1 + 2
    assert "total" not in answer.text


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("state=zz", "give the postal code or the name"),
        ("state=delawere", "did you mean Delaware?"),
        ("state=dc&entity=trust", "no type of entity"),
        ("state=dc&naics=999999", "no NAICS 2022 code"),
        ("state=dc&naics=98", "no NAICS 2022 code 98"),
    ],
)
def test_a_choice_that_is_none_is_said(person, query, problem):
    answer = person.get(f"{START}?{query}")
    assert answer.status_code == 422
    assert problem in problem_in(answer.text)


@pytest.mark.parametrize("state", ["de", "DE", "delaware", "Delaware", "DELAWARE", " delaware "])
def test_a_state_is_chosen_by_code_and_by_name_in_any_case(person, state):
    answer = person.get(START, params={"state": state})
    assert answer.status_code == 200
    assert "<h1>Form an LLC in Delaware</h1>" in answer.text
    assert '<option value="de" selected>' in answer.text
    again = person.get(START, params={"state": state.replace("delaware", "new  york")})
    assert again.status_code == 200


def test_an_unknown_state_is_told_without_a_list_of_all(person):
    text = person.get(START, params={"state": "nowhere"}).text
    assert "al, ak, az" not in text


def businesses_in(page):
    return dict(re.findall(r'<li><a href="([^"]+)">([^<]+)</a><span class="hint"> NAICS', page))


def test_a_business_is_found_by_words_and_chosen_by_a_link(person):
    page = person.get(START, params={"state": "dc", "name": "Harbor Works LLC", "naics": "food truck"})
    assert page.status_code == 200
    found = {title: unescape(address) for address, title in businesses_in(page.text).items()}
    chosen = person.get(found["Mobile Food Services"])
    assert "Business: Mobile Food Services" in chosen.text
    assert not businesses_in(chosen.text)
    assert "Harbor Works LLC" in chosen.text


def test_a_short_code_leads_down_to_those_below_it(person):
    address = f"{START}?naics=722"
    for _ in range(3):
        found = businesses_in(person.get(address).text)
        address = unescape(next(one for one, title in found.items() if "Food Services" in title))
    assert address.endswith(("naics=722310", "naics=722330"))


def test_words_for_a_business_open_no_order_by_themselves(customer):
    form = hidden_fields(customer.get(f"{START}?state=dc&naics=food+truck").text, START)
    assert "naics" not in form
    answer = customer.http.post(START, data=form | {"name": "Words LLC", "naics": "food truck"})
    assert answer.status_code == 422
    assert not TOKEN.findall(answer.text)


def test_what_a_state_asks_for_leads_to_the_law_that_is_held(publisher):
    publisher.register(DISTRICT)
    section = "/dc/code/29-802.01"
    law = [Row(section, None, "section", "29-802.01", "Formation", "D.C. Code § 29-802.01", "One or more.")]
    opened = open_snapshot(publisher.workspace.snapshots / publisher.publish({"dc-code": law}))
    try:
        assert pages_of(opened, requirements(opened, "dc")) == {
            str(node_id(section)): "/law/dc/code/29-802.01"
        }
        assert pages_of(opened, requirements(opened, "de")) == {}
        assert pages_of(opened, requirements(opened, "dc", "nonprofit")) == {}
    finally:
        opened.close()


def test_the_address_is_shown_and_never_run(person):
    answer = person.get(START, params={"state": "dc", "name": "<script>alert(1)</script> LLC"})
    assert "<script>alert" not in answer.text


def test_an_order_is_opened_and_its_token_shown_once(customer):
    opened = open_order(customer)
    assert opened.status_code == 200, opened.text
    assert opened.headers["cache-control"] == "no-store"
    order, token = order_in(opened.text)
    key = customer.create_key(scopes=["formation"])
    followed = httpx.get(
        f"{customer.http.base_url}/api/v1/formation/status/{order}",
        params={"token": token},
        headers={"Authorization": f"Bearer {key}"},
    )
    body = followed.json()
    assert (body["state"], body["entityName"]) == ("details", "Harbor Works LLC")
    assert (body["filingJurisdiction"], body["entityType"]) == ("dc", "llc")
    assert token not in customer.get(ASKED).text
    assert token not in customer.get().text


def test_the_operator_sees_the_business(customer, server):
    order, _ = order_in(open_order(customer).text)
    opened = Database(server.database)
    assert Orders(opened).get(order).naics == "722330"
    opened.close()


def test_one_form_opens_one_order(customer):
    form = hidden_fields(customer.get(ASKED).text, START) | {"name": "Twice LLC"}
    assert customer.http.post(START, data=form).status_code == 200
    again = customer.http.post(START, data=form)
    assert again.status_code == 409
    assert "opened an order already" in problem_in(again.text)
    assert not TOKEN.findall(again.text)


@pytest.mark.parametrize("name", ["Harbor Works", "LLCs of Harbor", "Harbor Works Inc."])
def test_the_name_of_an_llc_says_so(customer, name):
    answer = open_order(customer, name)
    assert answer.status_code == 422
    problem = problem_in(answer.text)
    assert "District of Columbia must say that it is one" in problem
    assert "“LLC”" in problem
    assert f'value="{name}"' in answer.text


@pytest.mark.parametrize(
    "name", ["Harbor Works, L.L.C.", "harbor works llc", "Harbor Limited Liability Company"]
)
def test_designators_are_known_however_they_are_written(customer, name):
    assert open_order(customer, name).status_code == 200


def test_a_designator_that_is_only_known_elsewhere_is_not_refused(customer):
    page = f"{START}?state=ak&entity=llc"
    assert open_order(customer, "Harbor Works, Ltd. Liability Co.", page).status_code == 200
    assert open_order(customer, "Harbor Works L.C.", page).status_code == 200


def test_a_price_that_lacks_a_part_says_so_on_the_order_too(customer):
    opened = open_order(customer, "Harbor Friends", page=f"{START}?state=va&entity=nonprofit").text
    assert re.search(r"List price</dt><dd>\$[\d.,]+ of what is known", opened)
    assert "of what is known" not in open_order(customer).text


def test_a_nonprofit_needs_no_designator(customer):
    opened = open_order(customer, "Harbor Friends", page=f"{START}?state=va&entity=nonprofit")
    assert opened.status_code == 200
    assert "Nonprofit corporation in Virginia" in opened.text


def test_orders_that_wait_are_bounded(customer):
    for number in range(MAX_UNPAID):
        assert open_order(customer, f"Pier {number} LLC").status_code == 200
    refused = open_order(customer, "One Too Many LLC")
    assert refused.status_code == 422
    assert "have one of them canceled first" in problem_in(refused.text)


def test_who_is_not_signed_in_opens_nothing_and_comes_back(person):
    page = unescape(person.get(ASKED).text)
    assert 'method="post"' not in page
    (next_page,) = re.findall(r'href="(/settings\?next=[^"]+)"', page)
    entrance = person.get(next_page)
    fields = hidden_fields(entrance.text, "/settings/sign-up")
    entered = person.http.post(
        "/settings/sign-up", data=fields | {"email": person.email, "password": "an honest long secret"}
    )
    assert entered.status_code == 303
    assert entered.headers["location"].startswith(f"{START}?state=dc")
    assert 'method="post" action="/formation/start"' in person.get(entered.headers["location"]).text
    assert person.get(next_page).headers["location"] == entered.headers["location"]


@pytest.mark.parametrize(
    "address",
    [
        *(
            "https://evil.example",
            "//evil.example",
            "/settings",
            "/formation/start/../x",
            "/formation/startx",
        ),
        *("/formation/start?x=\r\nSet-Cookie: a=b", "/formation/start?" + "x" * 4100, "", None),
    ],
)
def test_signing_in_leads_nowhere_else(address):
    assert known_next(address) is None


@pytest.mark.parametrize("fields", [{}, {"form_token": "0" * 64}])
def test_a_form_without_its_token_does_nothing(customer, fields):
    answer = customer.http.post(START, data={"state": "dc", "entity": "llc", "name": "X LLC", **fields})
    assert answer.status_code == 403
    assert "Nothing was done" in answer.text


def test_a_form_from_elsewhere_does_nothing(customer):
    hidden = hidden_fields(customer.get(ASKED).text, START) | {"name": "X LLC"}
    answer = customer.http.post(START, data=hidden, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403


def test_the_page_has_the_headers_of_pages(person):
    for path in (START, f"{START}/nowhere"):
        headers = person.get(path).headers
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("name", ["法律 LLC", "Müller LLC", "\U0001f3db LLC"])
def test_signing_in_leads_on_to_a_page_whose_address_was_typed(server, visit, name):
    person = visit(server).sign_up()
    person.http.cookies.clear()
    wanted = f"/formation/start?state=dc&entity=llc&name={name}"
    page = f"/settings?next={quote(wanted)}"
    answer = person.submit("/settings/sign-in", page=page, email=person.email, password=PASSWORD, next=wanted)
    assert answer.status_code == 303
    there = answer.headers["location"]
    assert there == quote(wanted, safe="/?=& ")
    assert person.get(there).status_code == 200
    assert person.get(page).status_code == 303
