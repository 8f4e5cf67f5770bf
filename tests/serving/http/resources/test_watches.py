"""`/api/v1/watches` and the feeds of watches: made, shown, tried out, removed; what is refused, and by which name."""

import xml.etree.ElementTree as ET

import orjson
import pytest

from serving.contract.identity import code_body_id
from serving.watches.destinations import require_destination
from serving.watches.matching import Matcher
from serving.watches.watches import Event, insert_event

HOOK = "https://hooks.example.org/law"
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def posted(client, path="/api/v1/watches", **fields):
    return client.request("POST", path, body=orjson.dumps(fields))


@pytest.fixture
def fair_use(node):
    return node("/us/sample/t1/s7")


@pytest.fixture
def made(client, fair_use):
    answer = posted(client, subject={"node": fair_use}, url=HOOK)
    assert answer.status_code == 201
    return answer.json


def test_a_watch_is_made_and_its_secrets_are_shown_once(client, made, fair_use):
    assert made["secret"].startswith("whsec_")
    assert (made["subject"], made["url"], made["seen"]) == ({"node": fair_use}, HOOK, "2026.11.21-1")
    shown = client.get(f"/api/v1/watches/{made['id']}")
    assert (shown.json["events"], shown.headers["x-credits-cost"]) == ([], "0")
    assert shown.headers["cache-control"] == "no-store"
    listed = client.get("/api/v1/watches")
    assert made["id"] in [one["id"] for one in listed.json["watches"]]
    for answer in (shown, listed):
        assert made["secret"] not in answer.text
        assert made["feedUrl"].split("/")[-1].removesuffix(".json") not in answer.text


def test_containers_code_bodies_and_searches_are_watched(client, node):
    subjects = [
        {"container": node("/us/sample/t1")},
        {"codeBody": str(code_body_id("us-sample"))},
        {"search": "fair  use", "jurisdiction": "US"},
    ]
    shown = [posted(client, subject=subject).json for subject in subjects]
    assert [one["subject"] for one in shown] == [*subjects[:2], {"search": "fair use", "jurisdiction": "us"}]
    assert {one["url"] for one in shown} == {None}


@pytest.mark.parametrize(
    ("fields", "parameter"),
    [
        ({}, "subject"),
        ({"subject": "107"}, "subject"),
        ({"subject": {}}, "subject"),
        ({"subject": {"node": UNKNOWN, "search": "x"}}, "subject"),
        ({"subject": {"node": "107"}}, "node"),
        ({"subject": {"node": 107}}, "node"),
        ({"subject": {"statute": "107"}}, "statute"),
        ({"subject": {"search": ""}}, "search"),
        ({"subject": {"search": "x" * 501}}, "search"),
        ({"subject": {"search": "x", "jurisdiction": "qq-nowhere"}}, "jurisdiction"),
        ({"subject": {"container": UNKNOWN, "jurisdiction": "us"}}, "jurisdiction"),
        ({"subject": {"codeBody": UNKNOWN}}, "codeBody"),
        ({"subject": {"search": "x"}, "uri": HOOK}, "uri"),
        ({"subject": {"search": "x"}, "url": "http://hooks.example.org/"}, "url"),
        ({"subject": {"search": "x"}, "url": "https://127.0.0.1/"}, "url"),
        ({"subject": {"search": "x"}, "url": 1}, "url"),
    ],
)
def test_what_is_wrong_is_told_by_its_name(client, fields, parameter):
    answer = posted(client, **fields)
    assert (answer.status_code, answer.json["parameter"]) == (422, parameter)


def test_bodies_that_are_no_objects_and_unknown_provisions_are_refused(client):
    for body in (b"", b"[]", b"{", b"x" * 20_000):
        assert client.request("POST", "/api/v1/watches", body=body).status_code == 422
    unknown = posted(client, subject={"node": UNKNOWN})
    assert (unknown.status_code, unknown.json["kind"]) == (404, "node")


def test_a_watch_is_its_accounts_alone(client, made, new_customer):
    path, other = f"/api/v1/watches/{made['id']}", new_customer().key
    assert client.get("/api/v1/watches", key=other).json == {"watches": []}
    for method, body in (("GET", b""), ("DELETE", b""), ("POST", b'{"action":"renew"}')):
        answer = client.request(method, path, key=other, body=body)
        assert (answer.status_code, answer.json["kind"]) == (404, "watch")
    assert client.request("GET", path, key=None).status_code == 401


def test_actions_do_what_they_say(client, made):
    path = f"/api/v1/watches/{made['id']}"
    test = posted(client, path, action="test").json
    assert (test["type"], test["attempts"], test["outcome"]) == ("watch.test", 0, None)
    renewed = posted(client, path, action="renew").json
    assert renewed["secret"] != made["secret"]
    assert posted(client, path, action="replay", days=90).json == {"events": 0}
    assert [one["id"] for one in client.get(path).json["events"]] == [test["id"]]
    for fields in (
        {"action": "destroy"},
        {},
        {"action": "replay", "days": 91},
        {"action": "replay", "days": True},
        {"action": "test", "days": 3},
        {"action": "renew", "days": 3},
    ):
        assert posted(client, path, **fields).status_code == 422
    assert client.get(made["feedUrl"].removeprefix("https://law.example"), key=None).status_code == 404


def test_a_removed_watch_is_gone_with_its_feed(client, made):
    path, feed = f"/api/v1/watches/{made['id']}", made["feedUrl"].removeprefix("https://law.example")
    assert client.get(feed, key=None).status_code == 200
    assert client.request("DELETE", path).json["id"] == made["id"]
    assert client.get(path).status_code == 404
    gone = client.get(feed, key=None)
    assert (gone.status_code, gone.json["kind"]) == (404, "watch")
    assert client.get("/feeds/watches/short.json", key=None).status_code == 404


def test_a_feed_has_an_entry_for_each_event_in_either_format(client, made, billing, fair_use):
    body = {
        "data": {
            "from": {"id": "2026.11.20-1"},
            "to": {"id": "2026.11.21-1"},
            "total": 1,
            "changes": [{"kind": "amended", "citation": "1 S.F.C. § 7"}],
            "changesUrl": f"https://law.example/api/v1/changes?from=2026.11.20-1&to=2026.11.21-1&container={fair_use}",
        }
    }
    with billing.database.writing() as connection:
        now = billing.database.now(connection)
        event_id = f"evt_{UNKNOWN.replace('-', '')[:-12]}{made['id'][-12:]}"
        event = Event(
            event_id, made["id"], "law.changed", now, orjson.dumps(body).decode(), 0, None, None, None
        )
        insert_event(connection, event)
    path = made["feedUrl"].removeprefix("https://law.example")
    feed = client.get(path, key=None)
    (item,) = feed.json["items"]
    assert item["title"] == "1 S.F.C. § 7: amended"
    assert item["url"] == body["data"]["changesUrl"]
    assert feed.json["feed_url"] == made["feedUrl"]
    assert feed.headers["cache-control"].startswith("private")
    again = client.get(path, key=None, headers={"If-None-Match": feed.headers["etag"]})
    assert again.status_code == 304
    atom = client.get(path.replace(".json", ".atom"), key=None)
    entries = ET.fromstring(atom.text).findall("{http://www.w3.org/2005/Atom}entry")
    assert [entry.findtext("{http://www.w3.org/2005/Atom}id") for entry in entries] == [item["id"]]
    assert client.request("HEAD", path, key=None).content == b""


def test_the_parts_of_one_watch_agree(client, made, holder, billing):
    """What the API made is matched by the command: it saw the snapshot in service, so there is nothing yet."""
    assert require_destination(made["url"], local=False) == HOOK
    assert Matcher(billing.database, holder, public_url="https://law.example").match() == 0
