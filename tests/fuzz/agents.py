"""JSON-RPC at `/mcp`: any message of any revision has an answer, and none says that the failure is ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import orjson
from hypothesis import strategies as st

from tests.fuzz.inputs import mutated
from tests.fuzz.target import Check, Grounds, Target
from tests.serving.mcp.wire import ACCEPT, META, NAMED, said

INTERNAL = -32603
VERSIONS = (b"2026-07-28", b"2025-11-25", b"2025-03-26", b"", b"1900-01-01", b"x")
NODE = "00000000-0000-5000-8000-000000000000"
CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("search_law", {"query": "harbor permit", "mode": "keyword", "limit": 3, "jurisdiction": "sample"}),
    ("resolve_citation", {"citations": ["1 S.F.C. § 7", "Sample Code 1-1"]}),
    ("get_law_node", {"nodeId": NODE}),
    ("verify_quotes", {"quotes": [{"quote": "fair use of a protected work", "citation": "1 S.F.C. § 7"}]}),
    ("check_text", {"text": "See 1 S.F.C. § 7 and § 9; Sample Code § 2-15.", "offset": 0}),
    ("law_at_location", {"shortCode": "sample-city", "lat": 37.5005, "lon": -122.3995}),
    ("formation_requirements", {"state": "dc", "entityType": "llc"}),
    ("formation_lookup_naics", {"query": "bakery"}),
    ("formation_handoff", {"state": "dc", "entityType": "llc", "entityName": "Harbor Works"}),
    ("list_coverage", {}),
    ("account_status", {}),
)
MESSAGES: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("tools/call", {"name": name, "arguments": arguments}) for name, arguments in CALLS),
    *((method, {}) for method in ("ping", "tools/list", "prompts/list", "resources/list", "server/discover")),
    ("resources/read", {"uri": f"law://node/{NODE}"}),
    ("prompts/get", {"name": "research", "arguments": {"question": "x"}}),
    (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}},
    ),
    ("notifications/initialized", {}),
    (
        "initialize",
        {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": ""}},
    ),
    ("logging/setLevel", {"level": "debug"}),
)
SAMPLES = tuple(
    orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}})
    for method, params in MESSAGES
)
PIECES = (
    *(
        b"null",
        b"true",
        b"-1",
        b"1.5",
        b"1e400",
        b'""',
        b"[]",
        b"{}",
        b'"\\u0000"',
        b'"\\ud800"',
        b"[" * 600,
        b"[]]",
    ),
    *(
        b'"id":',
        b'"id":null,',
        b'"id":[1],',
        b'"method":',
        b'"params":',
        b'"jsonrpc":"1.0",',
        b'"_meta":',
        b"[{",
    ),
    *(
        b'"name":"search_law",',
        b'"arguments":',
        b'"nodeId":',
        b'"limit":',
        b'"query":',
        b'"citations":',
        b'"cursor":',
    ),
    *(
        b'"lat":91',
        b'"page":99999999999999999999',
        b'"quote":"\xe2\x80\xa6[x]"',
        b'"uri":"file:///etc/passwd"',
        b"}]",
    ),
    *(
        b'"uri":"law://node/"',
        b'"progressToken":{}',
        b'"requestState":"x"',
        b'"snapshot":"2020.01.01-1"',
        b"}",
        b",",
    ),
)
INPUTS = st.tuples(
    st.sampled_from(VERSIONS),
    mutated(SAMPLES, PIECES) | mutated([b"[" + b",".join(SAMPLES[:3]) + b"]"], PIECES),
).map(b"\n".join)


@contextmanager
def agent(grounds: Grounds) -> Iterator[Check]:
    """Sends messages to the server of the grounds."""
    server, keys = grounds.server()

    def check(data: bytes) -> None:
        version, _, body = data.partition(b"\n")
        headers = {"Accept": ACCEPT, "Content-Type": "application/json"} | keys.headers()
        headers |= _headers(version.decode("ascii", "replace"), body)
        answer = client.post("/mcp", content=body, headers=headers)
        assert answer.status_code < 500, answer.text
        if answer.content:
            told = answer.json()
            for one in told if isinstance(told, list) else [told]:
                assert one.get("error", {}).get("code") != INTERNAL, answer.text
                result = one.get("result", {})
                if result.get("isError"):
                    assert said(result)["error"]["code"] != "internal_error", answer.text
        grounds.require_no_traceback()

    with httpx.Client(base_url=server.url, timeout=10) as client:
        yield check


def _headers(version: str, body: bytes) -> dict[str, str]:
    """The headers that go with a message, where it can be read."""
    headers = {"MCP-Protocol-Version": version} if version.isprintable() and version else {}
    try:
        message = orjson.loads(body)
        method = message["method"]
        headers["Mcp-Method"] = method.encode("ascii").decode()
        if method in NAMED:
            headers["Mcp-Name"] = message["params"][NAMED[method]].encode("ascii").decode()
    except (ValueError, KeyError, TypeError, AttributeError):
        return headers
    return {name: value for name, value in headers.items() if value.isprintable()}


TARGETS = (Target("agents", INPUTS, opened=agent, examples=100, seconds=30),)
