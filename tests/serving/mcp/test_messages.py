"""Faults of requests and messages, without a server."""

import pytest
from starlette.datastructures import Headers

from serving.mcp.messages import fault_of_headers, fault_of_message, id_of, name_of, read_by_transport

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(
    ("accept", "kind", "status"),
    [
        (None, "application/json", None),
        ("*/*", "application/json; charset=utf-8", None),
        ("text/event-stream, APPLICATION/JSON;q=0.1", "Application/JSON", None),
        ("text/event-stream", "application/json", 406),
        ("application/jsonp", "application/json", 406),
        ("", "application/json", 406),
        ("*/*", "text/json", 415),
        ("*/*", None, 415),
    ],
)
def test_types_that_do_not_fit_are_named(accept, kind, status):
    fields = {"accept": accept, "content-type": kind}
    fault = fault_of_headers(Headers({name: value for name, value in fields.items() if value is not None}))
    assert (fault and fault.status) == status
    if fault is not None:
        assert ("Accept" if status == 406 else "Content-Type") in fault.message


@pytest.mark.parametrize("id_", [None, True, 1.0, [], {}])
def test_ids_are_strings_or_whole_numbers(id_):
    fault = fault_of_message(PING | {"id": id_}, Headers())
    assert fault is not None
    assert (fault.status, fault.code, fault.id_) == (400, -32600, None)
    assert id_of({"id": id_}) is None


@pytest.mark.parametrize("id_", ["", "x", 0, -1, 2**70])
def test_other_ids_are_kept(id_):
    assert fault_of_message(PING | {"id": id_}, Headers()) is None
    assert id_of({"id": id_}) == id_


def test_notifications_and_responses_are_messages():
    headers = Headers({"mcp-protocol-version": "2025-11-25"})
    assert fault_of_message({"jsonrpc": "2.0", "method": "notifications/initialized"}, headers) is None
    assert fault_of_message({"jsonrpc": "2.0", "id": 1, "result": {}}, headers) is None


def test_a_version_that_nobody_knows_is_told_those_that_are():
    fault = fault_of_message(PING, Headers({"mcp-protocol-version": "1999-01-01"}))
    assert fault is not None
    assert (fault.code, fault.data["requested"]) == (-32022, "1999-01-01")
    assert {"2025-11-25", "2026-07-28"} <= set(fault.data["supported"])


def test_the_transport_reads_values_without_blanks():
    read = read_by_transport([(b"mcp-name", b" x\t"), (b"accept", b"*/*")])
    assert dict(read)[b"mcp-name"] == b"x"
    assert b"text/event-stream" in dict(read)[b"accept"]


def test_what_is_asked_for_is_named_for_the_log():
    assert name_of({"method": "tools/call", "params": {"name": "a\x00b"}}) == "tools/call ?"
    assert name_of({"method": 5, "params": []}) == ""
