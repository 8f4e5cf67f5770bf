"""`legal watch`: made, listed and removed at a real server; and a request that writes is never sent twice."""

import httpx
import pytest

from legal_client import UnavailableError
from legal_client.client import Client


def test_a_watch_is_made_shown_and_removed(legal, node):
    fair_use = node("/us/sample/t1/s7")
    url = "https://hooks.example.org/law"
    status, printed, _ = legal("watch", "add", "--node", fair_use, "--url", url)
    assert status == 0
    watch_id = printed.split()[0]
    assert "Secret: whsec_" in printed
    assert "/feeds/watches/" in printed
    listed = legal("watch", "list")[1]
    assert watch_id in listed
    assert "whsec_" not in listed
    assert "evt_" in legal("watch", "test", watch_id)[1]
    assert "not tried yet" in legal("watch", "show", watch_id)[1]
    assert legal("watch", "replay", watch_id, "--days", "7")[1] == "0 events will be delivered again.\n"
    assert "Secret: whsec_" in legal("watch", "renew", watch_id)[1]
    assert legal("watch", "remove", watch_id)[0] == 0
    assert legal("watch", "show", watch_id)[0] == 4


def test_code_bodies_by_key_and_searches_are_watched(legal):
    assert "code body" in legal("watch", "add", "--code-body", "us-sample")[1]
    assert "search fair use in us" in legal("watch", "add", "--search", "fair use", "--jurisdiction", "us")[1]
    status, printed, _ = legal("watch", "add", "--node", "107")
    assert (status, printed.splitlines()[0]) == (4, "107: unparsed")


def test_a_write_is_not_sent_again_where_it_may_have_been_done(client_of):
    body = {"error": "overloaded", "message": "Try again.", "requestId": "r"}
    answers = [httpx.Response(503, json=body, headers={"Retry-After": "1"}) for _ in range(2)]
    client, service = client_of(*answers)
    assert isinstance(client, Client)
    with pytest.raises(UnavailableError):
        client.add_watch(search="fair use")
    assert [(one.method, one.content) for one in service.asked] == [
        ("POST", b'{"subject":{"search":"fair use"}}')
    ]
