"""The page on which an account holder allows an agent to use the account, and the agents on the settings page."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from html import unescape
from urllib.parse import quote, urlsplit

import httpx
import pytest

from tests.serving.authorization.agents import AUTHORIZE, REDIRECT, Agent, allow, answer_of
from tests.serving.pages.people import PASSWORD, hidden_fields, problem_in

pytestmark = pytest.mark.e2e
BOTH = ("search", "node")


@pytest.fixture
def agent(server) -> Iterator[Callable[..., Agent]]:
    """Makes registered agents."""
    with ExitStack() as opened:

        def make(**metadata: object) -> Agent:
            agent = Agent(server.url)
            opened.callback(agent.http.close)
            assert agent.register(**metadata).status_code == 201
            return agent

        yield make


def directive(answer: httpx.Response, name: str) -> str:
    policy: str = answer.headers["content-security-policy"]
    (found,) = [one for one in policy.split("; ") if one.startswith(f"{name} ")]
    return found


def test_who_is_not_signed_in_signs_in_first(person, agent):
    asks = agent().asks()
    page = person.get(asks)
    assert page.status_code == 401
    assert "to connect “Harbor agent”" in unescape(page.text)
    answer = person.submit("/settings/sign-up", page=asks, email=person.email, password=PASSWORD)
    assert answer.status_code == 303
    assert answer.headers["location"] == asks
    assert "Connect “Harbor agent”?" in unescape(person.get(asks).text)
    person.submit("/settings/sign-out")
    answer = person.submit("/settings/sign-in", page=asks, email=person.email, password=PASSWORD)
    assert answer.headers["location"] == asks


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/settings/authorize?x",
        "//evil.example/settings/authorize?x",
        "/settings/authorize.evil.example",
        "/settings/authorize@evil.example/?",
        "\\settings/authorize?",
        "/settings/authorize?\r\nLocation: x",
    ],
)
def test_nobody_is_sent_elsewhere_after_signing_in(customer, address):
    answer = customer.get("/settings", params={"next": address})
    assert (answer.status_code, "location" in answer.headers) == (200, False)


def test_it_says_who_asks_for_what_and_where_the_answer_goes(customer, agent):
    page = customer.get(agent(client_name='<b>Cla"ude</b> & Co').asks())
    assert page.status_code == 200
    text = unescape(re.sub(r"<[^>]+>", "", page.text))
    assert 'Connect “<b>Cla"ude</b> & Co”?' in text
    assert "<b>Cla" not in page.text
    assert customer.email in text
    assert "agent.example" in text
    assert re.findall(r'name="scopes" value="(\w+)" checked', page.text) == list(BOTH)
    assert directive(page, "form-action") == "form-action 'self' https://agent.example"
    assert directive(page, "frame-ancestors") == "frame-ancestors 'none'"
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"


def test_an_answer_that_stays_on_the_device_is_said_to(customer, agent):
    local = agent(redirect_uris=["http://127.0.0.1/cb"])
    page = customer.get(local.asks(redirect_uri="http://127.0.0.1:51000/cb"))
    assert "an app on this device" in page.text
    assert directive(page, "form-action") == "form-action 'self' http://127.0.0.1:51000"


def test_allowing_gives_a_code_for_what_was_left_ticked(customer, agent):
    one = agent()
    answer = allow(customer, one.asks(), scopes=("node",))
    assert answer.headers["location"].startswith(f"{REDIRECT}?code=lr_code_")
    told = answer_of(answer)
    assert (told["state"], told["iss"]) == ("a state & more", one.url)
    tokens = one.exchanges(told["code"]).json()
    assert tokens["scope"] == "node"
    me = one.calls(tokens["access_token"])
    assert (me.json()["scopes"], me.json()["creditsRemaining"]) == (["node"], 999)
    assert tokens["access_token"].startswith(me.json()["keyPrefix"])
    assert one.calls(tokens["access_token"], "/api/v1/search?q=x").status_code == 403
    assert one.calls(tokens["refresh_token"]).status_code == 401


def test_no_more_is_given_than_was_asked_for(customer, agent):
    one = agent()
    tokens = one.connects(customer, scopes=("search", "gis", "formation", "everything"))
    assert tokens["scope"] == "search"


def test_without_a_scope_nothing_is_given(customer, agent):
    answer = allow(customer, agent().asks(), scopes=())
    assert (answer.status_code, "location" in answer.headers) == (422, False)
    assert "at least one scope" in problem_in(answer.text)


@pytest.mark.parametrize("decision", ["refuse", "", "Allow"])
def test_whatever_is_not_allowing_is_refusing(customer, agent, decision):
    told = answer_of(allow(customer, agent().asks(), scopes=BOTH, decision=decision))
    assert (told["error"], "code" in told) == ("access_denied", False)


def test_another_site_cannot_allow_for_the_holder(customer, agent):
    one = agent()
    fields = hidden_fields(customer.get(one.asks()).text, AUTHORIZE) | {"scopes": "node", "decision": "allow"}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        answer = customer.http.post(AUTHORIZE, data=fields, headers=headers)
        assert (answer.status_code, "location" in answer.headers) == (403, False)
    for token in ("", "0" * 64):
        answer = customer.http.post(AUTHORIZE, data=fields | {"form_token": token})
        assert (answer.status_code, "location" in answer.headers) == (403, False)
    assert customer.http.post(AUTHORIZE, data=fields).status_code == 303


def test_the_form_of_one_holder_allows_nothing_for_another(server, visit, agent):
    one, ada, eve = agent(), visit(server).sign_up(), visit(server).sign_up()
    fields = hidden_fields(eve.get(one.asks()).text, AUTHORIZE) | {"scopes": "node", "decision": "allow"}
    assert ada.http.post(AUTHORIZE, data=fields).status_code == 403


def test_what_the_form_sends_is_checked_again(customer, agent):
    one = agent()
    for changed in (
        {"redirect_uri": "https://evil.example/"},
        {"client_id": "nobody"},
        {"code_challenge": "x"},
    ):
        answer = allow(customer, one.asks(), scopes=BOTH, **changed)
        assert (answer.status_code, "location" in answer.headers) == (400, False)


@pytest.mark.parametrize("signed_in", [True, False])
@pytest.mark.parametrize(
    "changed", [{"response_type": "token"}, {"resource": "https://evil.example"}, {"code_challenge": None}]
)
def test_a_bad_request_sends_nobody_anywhere_by_itself(server, visit, agent, changed, signed_in):
    person = visit(server).sign_up() if signed_in else visit(server)
    page = person.get(agent().asks(**changed))
    assert (page.status_code, "location" in page.headers) == (400, False)
    (link,) = re.findall(r'<a class="button" href="([^"]+)"', page.text)
    assert unescape(link).startswith(f"{REDIRECT}?error=")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "client_id=nobody",
        "client_id=%00",
        "client_id=%ff",
        "&" * 60 + "client_id=x",
        "client_id=x&client_id=y",
        "state=" + "x" * 5000,
        quote("é") * 100,
    ],
)
def test_an_odd_request_is_a_page_that_says_so(person, query):
    page = person.get(f"{AUTHORIZE}?{query}")
    assert page.status_code == 400
    assert "cannot be connected" in page.text
    assert "Back to agent.example" not in page.text


def test_the_settings_list_agents_and_disconnect_them(server, visit, agent):
    ada, eve, one = visit(server).sign_up(), visit(server).sign_up(), agent()
    assert "Connected agents" not in ada.get().text
    tokens = one.connects(ada)
    assert one.calls(tokens["access_token"]).status_code == 200
    page = ada.get().text
    assert "Connected agents" in page
    assert "There is no live key yet" in page, "an agent is no key that somebody made"
    (path,) = re.findall(r'href="(/settings/agents/\d+/disconnect)"', page)
    assert eve.get(path).status_code == 404
    fields = hidden_fields(eve.get().text, "/settings/sign-out")
    assert eve.http.post(path, data=fields).status_code == 404
    assert one.calls(tokens["access_token"]).status_code == 200
    assert "Disconnect “Harbor agent”?" in unescape(ada.get(path).text)
    answer = ada.submit(path, page=path)
    assert urlsplit(answer.headers["location"]).query == "done=disconnected"
    assert one.calls(tokens["access_token"]).status_code == 401
    assert one.refreshes(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert "Connected agents" not in ada.get().text
    assert ada.get(path).status_code == 404
