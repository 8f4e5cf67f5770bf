"""The request log, over HTTP against the real server: what calls of every door leave in it."""

import csv
import io
import re
import time
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from serving.accounts.request_history import Place
from serving.pages.requests import Choice, place
from tests.serving.pages.people import Person

pytestmark = pytest.mark.e2e
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


def call(server, key: str, path: str, **headers: str) -> int:
    headers = {"Authorization": f"Bearer {key}"} | headers
    return httpx.get(f"{server.url}/api/v1/{path}", headers=headers).status_code


def call_tool(server, key: str, name: str, **arguments: object) -> int:
    message = CALL | {"params": {"name": name, "arguments": arguments}}
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    return httpx.post(f"{server.url}/mcp", json=message, headers=headers).status_code


def logged(person: Person, number: int, **query: str) -> list[dict[str, str]]:
    """The rows of the file, once it has so many, or those of a choice."""
    for _ in range(600):
        answer = person.get("/settings/requests.csv")
        assert answer.status_code == 200
        if answer.text.count("\r\n") > number:
            break
        time.sleep(0.1)
    text = person.get("/settings/requests.csv", params=query).text
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_every_call_with_a_key_is_in_the_log(server, customer, node):
    key = customer.create_key("laptop", scopes=["search", "node"])
    there, nowhere = node("/us/sample/t1/s7"), "00000000-0000-5000-8000-000000000000"
    assert call(server, key, f"node/{there}", **{"X-Request-Id": "plain-read"}) == 200
    assert call(server, key, "search?q=harbor&limit=1") == 200
    assert call(server, key, f"node/{nowhere}") == 404
    assert call(server, key, "search?q=harbor&limit=0") == 422
    assert call(server, key, "code-bodies") == 403
    assert call_tool(server, key, "get_law_node", nodeId=str(there)) == 200
    assert call_tool(server, key, "get_law_node", nodeId=nowhere) == 200
    assert call_tool(server, key, "browse_code") == 200
    rows = logged(customer, 8)[::-1]
    told = [(row["endpoint"], row["status"], row["cost"]) for row in rows]
    assert told == [
        ("node", "200", "1"),
        ("search", "200", "1"),
        ("node", "404", "0"),
        ("search", "422", "0"),
        ("code-bodies", "403", "0"),
        ("node", "200", "1"),
        ("node", "404", "0"),
        ("browse", "403", "0"),
    ]
    assert rows[0]["requestId"] == "plain-read"
    assert {row["keyName"] for row in rows} == {"laptop"}
    assert {row["key"] for row in rows} == {key[: len(rows[0]["key"])]}
    (snapshot,) = {rows[number]["snapshot"] for number in (0, 1, 5)}
    assert re.fullmatch(r"\d{4}\.\d{1,2}\.\d{1,2}-\d+", snapshot)


def test_the_log_is_chosen_by_key_and_status_and_is_nobody_elses(server, customer, visit):
    keys = {name: customer.create_key(name) for name in ("one", "two")}
    for name, key in keys.items():
        assert call(server, key, "coverage") == 200
        assert call(server, key, "search?q=") == 422, name
    assert len(logged(customer, 4)) == 4
    page = customer.get("/settings/requests").text
    numbers = dict(reversed(found) for found in re.findall(r'<option value="(\d+)">(one|two) \(', page))
    (row,) = logged(customer, 4, key=numbers["two"], status="422")
    assert (row["keyName"], row["status"]) == ("two", "422")
    chosen = customer.get("/settings/requests", params={"key": numbers["two"], "status": "4xx"}).text
    assert chosen.count("<tr") == 2, "the header and one request"
    assert '<option value="4xx" selected>' in chosen
    assert f'href="/settings/requests.csv?key={numbers["two"]}&amp;status=4xx"' in chosen
    stranger = visit(server).sign_up()
    for path in ("/settings/requests", f"/settings/requests?key={numbers['one']}"):
        assert "No such requests are kept" in stranger.get(path).text
    assert stranger.get(f"/settings/requests.csv?key={numbers['one']}").text.count("\r\n") == 1


def test_a_spreadsheet_runs_nothing(server, customer):
    name = '=HYPERLINK("https://evil.example","x")'
    key = customer.create_key(name)
    assert call(server, key, "coverage", **{"X-Request-Id": "-2.3"}) == 200
    (row,) = logged(customer, 1)
    assert row["keyName"] == f"'{name}"
    assert row["requestId"] == "'-2.3"


def test_the_file_is_a_download_that_is_not_kept(customer):
    headers = customer.get("/settings/requests.csv").headers
    assert headers["content-type"] == "text/csv; charset=utf-8"
    assert headers["content-disposition"] == 'attachment; filename="requests.csv"'
    assert headers["cache-control"] == "no-store"
    assert customer.http.head("/settings/requests.csv").headers["content-type"].startswith("text/csv")


@pytest.mark.parametrize(
    "query",
    [
        *("key=x", "key=-1", "key=0", "key=9" + "9" * 30, "status=2", "status=xxx", "status=٤04"),
        *("before=7", "before=x.5", "before=.5", "before=-1.5", "before=00.5"),
    ],
)
def test_an_address_that_chooses_nothing_is_refused(customer, query):
    assert customer.get(f"/settings/requests?{query}").status_code == 422


@pytest.mark.parametrize("before", [Place(7, 55), Place(0, 55), Place(7, 0)])
def test_the_address_of_the_next_page_leads_to_it(before):
    """The ledger or the log may have come to its end, and the other one not."""
    address = Choice().address("/settings/requests", before)
    (given,) = parse_qs(urlsplit(address).query)["before"]
    assert place(given) == before


@pytest.mark.parametrize("path", ["/settings/requests", "/settings/requests.csv"])
def test_a_stranger_is_asked_to_sign_in(person, path):
    assert person.get(path).status_code == 401
