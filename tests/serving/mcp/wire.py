"""JSON-RPC by hand, as a client of each era puts it on the wire."""

import json
from itertools import count
from typing import Any

import httpx

NEWEST = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": NEWEST,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "by-hand", "version": "1"},
}
NAMED = {"tools/call": "name", "resources/read": "uri", "prompts/get": "name"}
ACCEPT = "application/json, text/event-stream"
_numbers = count(1)


def said(result: dict[str, Any]) -> dict[str, Any]:
    """What the result of a tool says, which is its one text and nothing beside it."""
    assert "structuredContent" not in result, "the same would be said twice"
    (block,) = result["content"]
    content: dict[str, Any] = json.loads(block["text"])
    return content


def message(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """A request."""
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": next(_numbers), "method": method}
    return body if params is None else body | {"params": params}


class Wire:
    """Sends single messages with a key."""

    def __init__(self, client: httpx.Client, key: str | None) -> None:
        self._client = client
        self._key = key

    def post(self, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
        """Any body, with the headers that every client sends."""
        fields = httpx.Headers({"Accept": ACCEPT, "Content-Type": "application/json"})
        if self._key is not None:
            fields["Authorization"] = f"Bearer {self._key}"
        fields.update(headers)
        return self._client.post("/mcp", json=body, headers=fields)

    def modern(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        meta: dict[str, Any] = META,
        **headers: str,
    ) -> httpx.Response:
        """A request of 2026-07-28 with its envelope and its headers, of which `headers` replaces some."""
        params = params or {}
        fields = {"MCP-Protocol-Version": NEWEST, "Mcp-Method": method}
        if method in NAMED:
            fields["Mcp-Name"] = params[NAMED[method]]
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        fields = {name: value for name, value in fields.items() if name.lower() not in given}
        return self.post(message(method, params | {"_meta": meta}), fields | given)

    def legacy(
        self, method: str, params: dict[str, Any] | None = None, *, version: str | None
    ) -> httpx.Response:
        """A request of an older revision; without a version as clients of 2025-03-26 send it."""
        return self.post(
            message(method, params), {} if version is None else {"MCP-Protocol-Version": version}
        )

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        answer = self.modern("tools/call", {"name": tool, "arguments": arguments})
        assert answer.status_code == 200, answer.text
        result: dict[str, Any] = answer.json()["result"]
        return result

    def answer(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a call that succeeds says."""
        result = self.call(tool, **arguments)
        assert not result["isError"], result
        return said(result)

    def failure(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error of a call that fails."""
        result = self.call(tool, **arguments)
        assert result["isError"], result
        error: dict[str, Any] = said(result)["error"]
        return error
