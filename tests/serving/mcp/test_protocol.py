"""The wire of every revision: the checklist of 2026-07-28, and what older ones ask for beside it."""

import base64
import gzip
import json
import re
from http.client import HTTPConnection

import pyarrow as pa
import pytest

from serving.mcp.endpoint import MAX_BATCH, MAX_BODY
from serving.mcp.results import STRUCTURED
from serving.mcp.toolbox import TOOLS
from tests.serving.mcp.conftest import LIMITED_ORIGIN
from tests.serving.mcp.wire import ACCEPT, META, NEWEST, Wire, message, said

pytestmark = pytest.mark.e2e

OLDER = ("2025-11-25", "2025-06-18", "2025-03-26")
LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
VERSION = "io.modelcontextprotocol/protocolVersion"


# Lifecycle


def test_discovery_needs_no_handshake(shared_wire):
    result = shared_wire.modern("server/discover").json()["result"]
    assert result["supportedVersions"] == [NEWEST]
    assert {"tools", "resources", "prompts"} <= set(result["capabilities"])
    assert "data" in result["instructions"]
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "legal-research-api"
    assert result["ttlMs"] > 0
    assert result["cacheScope"] == "public"


@pytest.mark.parametrize("missing", [VERSION, "io.modelcontextprotocol/clientCapabilities"])
def test_the_envelope_must_be_whole(shared_wire, missing):
    meta = {key: value for key, value in META.items() if key != missing}
    headers = {"MCP-Protocol-Version": NEWEST, "Mcp-Method": "tools/list"}
    answer = shared_wire.post(message("tools/list", {"_meta": meta}), headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)


def test_naming_the_client_is_up_to_the_client(shared_wire):
    meta = {key: value for key, value in META.items() if not key.endswith("clientInfo")}
    headers = {"MCP-Protocol-Version": NEWEST, "Mcp-Method": "tools/list"}
    assert shared_wire.post(message("tools/list", {"_meta": meta}), headers).status_code == 200


# Results and caching


@pytest.mark.parametrize("method", LISTS)
def test_lists_are_complete_and_may_be_kept_by_anybody(shared_wire, method):
    result = shared_wire.modern(method).json()["result"]
    assert result["resultType"] == "complete"
    assert result["ttlMs"] > 0
    assert result["cacheScope"] == "public"
    assert result[LISTS[method]]
    assert "nextCursor" not in result
    assert shared_wire.modern(method).json()["result"] == result, "in one order"


def test_what_is_paid_for_may_be_kept_by_its_payer(wire):
    result = wire.modern("resources/read", {"uri": "law://coverage"}).json()["result"]
    assert (result["resultType"], result["cacheScope"]) == ("complete", "private")
    assert result["ttlMs"] >= 0


# HTTP


def test_answers_are_plain_json_without_a_session(shared_wire):
    answer = shared_wire.modern("tools/list", mcp_session_id="made-up", last_event_id="7")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    assert re.fullmatch(r"\d{4}\.\d{2}\.\d{2}-\d+", answer.headers["x-snapshot-id"])


def test_a_request_keeps_its_id(wire):
    answer = wire.modern("tools/call", {"name": "account_status"}, x_request_id="agent-7")
    assert answer.headers["x-request-id"] == "agent-7"
    assert answer.json()["result"]["_meta"]["requestId"] == "agent-7"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_only_post_is_answered(http, customer, method):
    answer = http.request(method, "/mcp", headers={"Authorization": f"Bearer {customer.key}"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_batch_is_no_message_of_the_newest_revision(shared_wire):
    answer = shared_wire.post(
        [message("tools/list")], {"MCP-Protocol-Version": NEWEST, "Mcp-Method": "tools/list"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)


def test_a_client_that_takes_no_json_is_told_so(shared_wire):
    for version in (NEWEST, *OLDER):
        headers = {"Accept": "text/event-stream", "MCP-Protocol-Version": version}
        answer = shared_wire.post(message("tools/list", {"_meta": META}), headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (406, -32600)
        assert "Accept" in answer.json()["error"]["message"]
    for accept in ("*/*", "application/json", "text/html, application/*;q=0.5"):
        assert shared_wire.modern("tools/list", accept=accept).status_code == 200


def test_what_is_not_sent_as_json_is_told_so(shared_wire):
    answer = shared_wire.modern("tools/list", content_type="text/plain")
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, -32600)
    assert "Content-Type" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "code", "id_"),
    [
        (7, -32600, None),
        ("tools/list", -32600, None),
        ({}, -32600, None),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600, 1),
        ({"id": "a", "method": "ping"}, -32600, "a"),
        ({"jsonrpc": "2.0", "id": 1}, -32600, 1),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, -32600, 1),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600, None),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, -32600, None),
        ({"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}, -32600, None),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, -32602, 1),
    ],
)
@pytest.mark.parametrize("version", [None, "2025-11-25", NEWEST])
def test_what_is_no_message_is_told_so(shared_wire, body, code, id_, version):
    answer = shared_wire.post(body, {} if version is None else {"MCP-Protocol-Version": version})
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/json")
    assert (answer.json()["error"]["code"], answer.json()["id"]) == (code, id_)


@pytest.mark.parametrize("id_", ["", "a" * 1_000, 0, -7, 2**53])
def test_ids_come_back_as_they_were(shared_wire, id_):
    answer = shared_wire.post(message("ping") | {"id": id_}, {"MCP-Protocol-Version": "2025-11-25"})
    assert (answer.status_code, answer.json()) == (200, {"jsonrpc": "2.0", "id": id_, "result": {}})


def test_what_is_no_json_is_told_so(http, customer):
    headers = {
        "Authorization": f"Bearer {customer.key}",
        "Accept": ACCEPT,
        "Content-Type": "application/json",
    }
    answer = http.post("/mcp", content=b"{", headers=headers | {"MCP-Protocol-Version": NEWEST})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32700)
    older = http.post("/mcp", content=b"{", headers=headers)
    assert (older.status_code, older.json()["error"]["code"]) == (400, -32700)


def test_a_body_has_a_bound(http, customer):
    headers = {
        "Authorization": f"Bearer {customer.key}",
        "Accept": ACCEPT,
        "Content-Type": "application/json",
    }
    assert http.post("/mcp", content=b" " * (MAX_BODY + 1), headers=headers).status_code == 413


def test_deep_nesting_is_refused_wherever_it_stands(http, wire, customer):
    deep: list[object] = []
    for _ in range(300):
        deep = [deep]
    batch = wire.post([message("tools/list"), message("tools/list", {"deep": deep})])
    assert (batch.status_code, batch.json()[1]["error"]["code"]) == (200, -32700)
    assert batch.json()[0]["result"]["tools"], "the other message is answered"
    of_id = wire.post(message("tools/list", {"_meta": META}) | {"id": deep})
    assert (of_id.status_code, of_id.json()["id"]) == (400, None)
    assert wire.post(message("tools/list", {"deep": deep})).status_code == 400


# Headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Mcp-Method": "prompts/list", "MCP-Protocol-Version": NEWEST},
        {"MCP-Protocol-Version": NEWEST},
        {"Mcp-Method": "tools/list", "MCP-Protocol-Version": "2099-01-01"},
        {"Mcp-Method": "tools/list"},
        {},
    ],
)
def test_headers_that_differ_from_the_message_are_refused(shared_wire, headers):
    answer = shared_wire.post(message("tools/list", {"_meta": META}), headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize("name", ["get_law_node", ""])
def test_the_name_of_the_tool_is_in_the_header(shared_wire, name):
    answer = shared_wire.modern("tools/call", {"name": "account_status"}, mcp_name=name)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


def test_blanks_around_a_header_are_no_part_of_it(server, customer):
    fields = {
        "MCP-Protocol-Version": f"{NEWEST} ",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "account_status \t ",
    }
    fields |= {"Authorization": f"Bearer {customer.key}", "Content-Type": "application/json "}
    body = message("tools/call", {"name": "account_status", "_meta": META})
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)  # httpx sends no such header
    connection.request("POST", "/mcp", json.dumps(body), fields)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["result"]["isError"]) == (200, False)
    connection.close()


def test_a_name_may_be_encoded(wire):
    name = f"=?base64?{base64.b64encode(b'account_status').decode()}?="
    answer = wire.modern("tools/call", {"name": "account_status"}, mcp_name=name)
    assert answer.status_code == 200


def test_an_unknown_version_is_told_those_that_are_known(shared_wire):
    meta = META | {VERSION: "2099-01-01"}
    headers = {"MCP-Protocol-Version": "2099-01-01", "Mcp-Method": "tools/list"}
    answer = shared_wire.post(message("tools/list", {"_meta": meta}), headers)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32022)
    assert (error["data"]["supported"], error["data"]["requested"]) == ([NEWEST], "2099-01-01")


@pytest.mark.parametrize("method", ["tools/invent", "ping", "logging/setLevel", "resources/subscribe"])
def test_unknown_and_removed_methods_are_not_found(shared_wire, method):
    answer = shared_wire.modern(method)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, -32601)


@pytest.mark.parametrize("version", [NEWEST, *OLDER])
def test_notifications_are_taken_without_an_answer(shared_wire, version):
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": "notifications/cancelled"}
    body = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    answer = shared_wire.post(body, headers)
    assert (answer.status_code, answer.content) == (202, b"")


def test_tracing_fields_are_passed_over(shared_wire):
    trace = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
    headers = {"MCP-Protocol-Version": NEWEST, "Mcp-Method": "tools/list"}
    assert shared_wire.post(message("tools/list", {"_meta": META | trace}), headers).status_code == 200


# Origin and host


def test_pages_of_other_origins_are_refused(shared_wire):
    assert shared_wire.modern("tools/list", origin="https://evil.example").status_code == 403
    assert shared_wire.modern("tools/list", origin="null").status_code == 403
    assert shared_wire.modern("tools/list", origin=LIMITED_ORIGIN).status_code == 200
    assert shared_wire.modern("tools/list", origin="http://localhost:6274").status_code == 200


def test_pages_of_allowed_origins_are_let_in_by_the_browser(wire, http):
    asked = {"Origin": LIMITED_ORIGIN, "Access-Control-Request-Method": "POST"}
    preflight = http.request("OPTIONS", "/mcp", headers=asked)
    assert (preflight.status_code, preflight.content) == (204, b"")
    assert preflight.headers["access-control-allow-methods"] == "POST"
    allowed = preflight.headers["access-control-allow-headers"].lower().split(", ")
    assert {"authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"} <= set(allowed)
    for answer in (
        preflight,
        wire.modern("tools/list", origin=LIMITED_ORIGIN),
        Wire(http, None).modern("tools/list", origin=LIMITED_ORIGIN),
    ):
        assert answer.headers["access-control-allow-origin"] == LIMITED_ORIGIN
        assert "WWW-Authenticate" in answer.headers["access-control-expose-headers"]
        assert "origin" in answer.headers["vary"].lower()
    refused = http.request("OPTIONS", "/mcp", headers=asked | {"Origin": "https://evil.example"})
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers


def test_a_false_host_is_misdirected(shared_wire):
    assert shared_wire.modern("tools/list", host="evil.example").status_code == 421
    assert shared_wire.modern("tools/list", host="localhost:1").status_code == 200


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_long_answers_are_compressed_for_whoever_takes_it(server, customer, encoding):
    fields = {"Content-Type": "application/json", "Authorization": f"Bearer {customer.key}"}
    listing = json.dumps(message("tools/list"))
    ping = json.dumps(message("ping"))
    batch = f"[{listing},{ping}]"
    unpacked = {"gzip": gzip.decompress, "zstd": zstd_bytes}[encoding]
    for body, is_long in ((listing, True), (batch, True), (ping, False), ("[]", False)):
        connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("POST", "/mcp", body, fields | {"Accept-Encoding": encoding})
        answer = connection.getresponse()
        content = answer.read()
        assert answer.getheader("Content-Encoding") == (encoding if is_long else None)
        assert int(answer.getheader("Content-Length", "")) == len(content)
        assert "Accept-Encoding" in answer.getheader("Vary", "")
        assert json.loads(unpacked(content) if is_long else content)
        connection.close()


def zstd_bytes(packed: bytes) -> bytes:
    whole: bytes = pa.input_stream(pa.BufferReader(packed), compression="zstd").read()
    return whole


# Tools


def test_tools_are_listed_once_with_schemas_and_annotations(shared_wire):
    tools = shared_wire.modern("tools/list").json()["result"]["tools"]
    assert [tool["name"] for tool in tools] == [tool.name for tool in TOOLS]
    for tool, known in zip(tools, TOOLS, strict=True):
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"]), "what every client takes"
        assert tool["title"] == known.title
        assert tool["inputSchema"]["type"] == "object"
        assert "outputSchema" not in tool, "a client that finds one waits for structured content"
        assert tool["inputSchema"]["additionalProperties"] is False
        assert "$ref" not in str(tool["inputSchema"])
        assert tool["annotations"] == {"readOnlyHint": True, "openWorldHint": False}


def test_a_result_is_said_once_as_text(wire):
    result = wire.modern("tools/call", {"name": "account_status"}).json()["result"]
    assert result["resultType"] == "complete"
    assert said(result)["creditsRemaining"] == 999
    for version in ("2025-03-26", "2025-06-18", "2025-11-25"):
        older = wire.legacy("tools/call", {"name": "account_status"}, version=version).json()["result"]
        assert said(older)["tier"] == "bulk"


def test_a_client_that_declares_it_gets_structured_content_in_place_of_text(wire):
    meta = META | {"io.modelcontextprotocol/clientCapabilities": {"extensions": {STRUCTURED: {}}}}
    result = wire.modern("tools/call", {"name": "account_status"}, meta=meta).json()["result"]
    assert (result["content"], result["structuredContent"]["creditsRemaining"]) == ([], 999)
    failed = wire.modern("tools/call", {"name": "account_status", "arguments": {"x": 1}}, meta=meta).json()[
        "result"
    ]
    assert (failed["isError"], failed["content"]) == (True, [])
    assert failed["structuredContent"]["error"]["parameter"] == "x"
    listed = wire.modern("tools/list", meta=meta).json()["result"]
    assert {tool["outputSchema"]["type"] for tool in listed["tools"]} == {"object"}
    assert listed["cacheScope"] == "private", "shared, it would reach clients that get text"
    assert wire.modern("tools/list").json()["result"]["cacheScope"] == "public"
    offered = wire.modern("server/discover").json()["result"]["capabilities"]
    assert offered["extensions"] == {STRUCTURED: {}}


@pytest.mark.parametrize("extensions", [None, {}, {"other.example/structured-content": {}}])
def test_other_extensions_change_nothing(wire, extensions):
    capabilities = {"extensions": extensions} if extensions is not None else {}
    meta = META | {"io.modelcontextprotocol/clientCapabilities": capabilities}
    result = wire.modern("tools/call", {"name": "account_status"}, meta=meta).json()["result"]
    assert said(result)["creditsRemaining"] == 999


def test_an_unknown_tool_is_an_error_of_the_protocol(shared_wire):
    answer = shared_wire.modern("tools/call", {"name": "serch_law", "arguments": {}})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32602)
    assert "did you mean search_law?" in error["message"]


@pytest.mark.parametrize(
    ("method", "params", "kind"),
    [
        ("tools/call", {"name": "serch_law"}, "tool"),
        ("prompts/get", {"name": "nothing"}, "prompt"),
        ("resources/read", {"uri": "law://nothing"}, "resource"),
    ],
)
@pytest.mark.parametrize("version", [NEWEST, "2025-11-25"])
def test_what_does_not_exist_is_told_as_all_errors_are(shared_wire, method, params, kind, version):
    answer = (
        shared_wire.modern(method, params, x_request_id="mine")
        if version == NEWEST
        else shared_wire.post(
            message(method, params), {"MCP-Protocol-Version": version, "X-Request-Id": "mine"}
        )
    )
    error = answer.json()["error"]
    data = error["data"]
    assert (data["code"], data["kind"], data["requestId"]) == ("not_found", kind, "mine")
    assert error["message"] == f"{data['message']} {data['hint']}"


def test_a_wrong_argument_of_a_prompt_is_told_as_all_errors_are(shared_wire):
    for arguments, parameter in (({"lat": "1"}, "lon"), ({"lat": "1", "lon": "2", "x": "3"}, "x")):
        asked = {"name": "zoning_memo", "arguments": arguments}
        error = shared_wire.modern("prompts/get", asked).json()["error"]
        told = {"code": "validation_error", "parameter": parameter}
        assert {name: error["data"][name] for name in told} == told
        assert error["data"]["hint"]
        assert error["code"] == -32602


def test_bad_arguments_are_a_result(shared_wire):
    answer = shared_wire.modern("tools/call", {"name": "search_law", "arguments": {"limit": 1}})
    assert answer.status_code == 200
    assert answer.json()["result"]["isError"] is True


@pytest.mark.parametrize("uri", ["law://0-0", "https://example.org/", "law://coverage/x"])
def test_an_unknown_resource_is_not_found(wire, uri):
    answer = wire.modern("resources/read", {"uri": uri})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32602)
    older = wire.legacy("resources/read", {"uri": uri}, version="2025-11-25").json()["error"]
    assert (older["code"], older["data"]["uri"]) == (-32002, uri)


@pytest.mark.parametrize(
    ("query", "parameter"), [("snapshot=latest", "snapshot"), ("offset=900000", "offset"), ("page=2", "page")]
)
def test_a_wrong_parameter_of_a_resource_is_named_and_costs_nothing(
    wire, http, customer, node, query, parameter
):
    def left() -> int:
        answer = http.get("/api/v1/me", headers={"Authorization": f"Bearer {customer.key}"})
        return int(answer.json()["creditsRemaining"])

    before = left()
    uri = f"law://{node('/us/sample/t1/s7')}?{query}"
    error = wire.modern("resources/read", {"uri": uri}).json()["error"]
    assert (error["code"], error["data"]["code"]) == (422, "validation_error")
    assert error["data"]["parameter"] == parameter
    assert left() == before - 1, "that of looking"


def test_a_day_before_all_snapshots_is_told_with_the_oldest_as_the_api_tells_it(wire, http, customer, node):
    asked = {"nodeId": node("/us/sample/t1/s7"), "date": "2020-01-01"}
    error = wire.failure("get_law_node", **asked)
    headers = {"Authorization": f"Bearer {customer.key}"}
    told = http.get(f"/api/v1/node/{asked['nodeId']}?date=2020-01-01", headers=headers).json()
    fields = ("kind", "oldestSnapshot", "oldestDate")
    assert {name: error[name] for name in fields} == {name: told[name] for name in fields}


@pytest.mark.parametrize("method", ["tools/call", "prompts/get"])
def test_an_unknown_name_is_repeated_without_the_key_that_it_is(wire, customer, method):
    answer = wire.legacy(method, {"name": customer.key}, version="2025-11-25")
    assert answer.json()["error"]["code"] == -32602
    assert customer.key not in answer.text


def test_an_address_that_is_repeated_is_cut_and_holds_no_key(wire, customer):
    for uri in ("law://" + "x" * 100_000, f"law://{customer.key}"):
        data = wire.legacy("resources/read", {"uri": uri}, version="2025-11-25").json()["error"]["data"]
        assert len(data["uri"]) <= 200
        assert customer.key not in str(data)


def test_prompts_are_filled_in(shared_wire):
    listed = shared_wire.modern("prompts/list").json()["result"]["prompts"]
    assert [prompt["name"] for prompt in listed] == ["cite_provision", "zoning_memo"]
    given = {"name": "zoning_memo", "arguments": {"lat": "37.5", "lon": "-122.3"}}
    result = shared_wire.modern("prompts/get", given).json()["result"]
    assert "lat=37.5, lon=-122.3" in result["messages"][0]["content"]["text"]
    for wrong in ({"name": "nothing"}, {"name": "zoning_memo", "arguments": {"lat": "1"}}):
        assert shared_wire.modern("prompts/get", wrong).json()["error"]["code"] == -32602


# Keys


@pytest.mark.parametrize("key", [None, "lr_live_nonsense", "lr_live_" + "0" * 38])
def test_without_a_key_the_way_to_one_is_told(http, server, key):
    answer = Wire(http, key).modern("tools/list")
    assert answer.status_code == 401
    challenge = answer.headers["www-authenticate"]
    (metadata,) = re.findall(r'Bearer resource_metadata="([^"]+)"', challenge)
    assert answer.json()["error"]["data"]["code"] == "invalid_api_key"
    document = http.get(metadata.removeprefix(server.url)).json()
    assert document["resource"] == f"{server.url}/mcp"
    assert document["bearer_methods_supported"] == ["header"]
    whole = http.get("/.well-known/oauth-protected-resource").json()
    assert whole["resource"] == server.url


def test_a_key_in_the_address_is_refused(http, customer):
    headers = {"Accept": ACCEPT, "Authorization": f"Bearer {customer.key}"}
    for query in ("api_key=x", f"access_token={customer.key}"):
        answer = http.post(f"/mcp?{query}", json=message("ping"), headers=headers)
        assert (answer.status_code, customer.key in answer.text) == (401, False)
        assert "not accepted in the address" in answer.text
    assert http.post("/mcp?note=lr_live_", json=message("ping"), headers=headers).status_code != 401


def test_a_scope_that_is_lacking_is_named(http, books):
    wire = Wire(http, books.customer(scopes=("formation",)).key)
    answer = wire.modern("tools/call", {"name": "verify_quotes", "arguments": {"quotes": []}})
    assert (answer.status_code, answer.json()["result"]["isError"]) == (200, True)
    error = said(answer.json()["result"])["error"]
    assert error["code"] == "insufficient_scope"
    assert "`search` or `node`" in error["message"]
    read = wire.modern("resources/read", {"uri": "law://coverage"})
    assert (read.status_code, read.json()["error"]["data"]["code"]) == (200, "insufficient_scope")
    assert len(wire.modern("tools/list").json()["result"]["tools"]) == len(TOOLS), "tools are listed to all"


def test_the_log_names_tools_and_neither_keys_nor_questions(wire, server, customer):
    wire.call("search_law", query="a question that is nobody's business")
    wire.modern("tools/call", {"name": customer.key, "arguments": {}})
    log = server.log.read_text(encoding="utf-8")
    assert '"asked": "tools/call search_law"' in log
    assert "business" not in log
    assert customer.key not in log


# Older revisions


@pytest.mark.parametrize("version", OLDER)
def test_older_clients_shake_hands(shared_wire, version):
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    answer = shared_wire.legacy("initialize", params, version=None)
    result = answer.json()["result"]
    assert answer.status_code == 200
    assert result["protocolVersion"] == version
    assert result["serverInfo"]["name"] == "legal-research-api"
    assert result["instructions"]
    assert "mcp-session-id" not in answer.headers
    done = shared_wire.post(
        {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"MCP-Protocol-Version": version}
    )
    assert (done.status_code, done.content) == (202, b"")
    assert shared_wire.legacy("ping", version=version).json()["result"] == {}


def test_a_version_that_is_not_known_is_met_with_the_newest_of_the_handshake(shared_wire):
    params = {
        "protocolVersion": "1999-01-01",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    assert (
        shared_wire.legacy("initialize", params, version=None).json()["result"]["protocolVersion"]
        == "2025-11-25"
    )


def test_an_invalid_version_header_is_refused(shared_wire):
    answer = shared_wire.legacy("tools/list", version="1999-01-01")
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32022)
    assert "MCP-Protocol-Version" in error["message"]
    assert NEWEST in error["data"]["supported"]


@pytest.mark.parametrize("version", [*OLDER, None])
def test_older_clients_call_tools(wire, version):
    params = {"name": "law.search", "arguments": {"query": "fair use", "limit": 1}}
    result = wire.legacy("tools/call", params, version=version).json()["result"]
    assert result["isError"] is False
    assert [block["type"] for block in result["content"]] == ["text"]
    assert "resultType" not in result


def test_clients_of_2025_03_26_send_batches(wire, http, books):
    search = message("tools/call", {"name": "search_law", "arguments": {"query": "harbor"}})
    batch = [
        message("tools/list"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        message("tools/call", {"name": "account_status", "arguments": {}}),
    ]
    answer = wire.post(batch)
    assert answer.status_code == 200
    assert [one["id"] for one in answer.json()] == [batch[0]["id"], batch[2]["id"]]
    assert said(answer.json()[1]["result"])["creditsRemaining"] == 999
    assert wire.post([batch[1]]).status_code == 202
    unread = Wire(http, books.customer(scopes=("formation",)).key).post([batch[0], batch[2], search])
    assert unread.status_code == 200
    assert said(unread.json()[2]["result"])["error"]["code"] == "insufficient_scope"
    mixed = wire.post([batch[0], {"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, 7])
    assert [one.get("error", {}).get("code") for one in mixed.json()] == [None, -32600, -32600]
    for wrong in ([], [batch[0]] * (MAX_BATCH + 1)):
        assert (wire.post(wrong).status_code, wire.post(wrong).json()["error"]["code"]) == (400, -32600)
