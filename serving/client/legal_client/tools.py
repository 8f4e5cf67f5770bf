"""Tools of the service's endpoint for agents (MCP) as calls: REST, which answers GET alone, takes no drafts.

The envelope is put on and taken off here, so that the answer of a tool is read as that of an endpoint is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

PATH = "/mcp"
HEADERS = {"MCP-Protocol-Version": "2025-11-25"}
_STATUS = {
    "invalid_api_key": 401,
    "insufficient_credits": 402,
    "insufficient_scope": 403,
    "not_found": 404,
    "validation_error": 422,
    "rate_limited": 429,
    "overloaded": 503,
    "no_snapshot": 503,
}
"""Statuses with which endpoints answer the errors that tools name."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool, and its arguments."""

    name: str
    arguments: Mapping[str, Any]

    def message(self, pins: Mapping[str, str]) -> dict[str, Any]:
        """Return the message that is sent; `pins` name what to read from where the arguments do not."""
        pinned = self.arguments if "snapshot" in self.arguments else {**pins, **self.arguments}
        params = {"name": self.name, "arguments": pinned}
        return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def unwrapped(response: httpx.Response) -> httpx.Response:
    """Return the response of a tool as an endpoint would have sent it, and any other as it is."""
    try:
        message = response.json()
        if "error" in message:
            error = message["error"]
            failure = error.get("data") if isinstance(error.get("data"), dict) else {}
            return _failed({"message": error["message"], **failure}, response)
        result = message["result"]
        content = httpx.Response(200, text=result["content"][0]["text"]).json()
        if result.get("isError"):
            return _failed(content["error"], response)
    except (ValueError, TypeError, AttributeError, LookupError):
        return response
    told = result.get("_meta") or {}
    known = {
        "X-Request-Id": told.get("requestId"),
        "X-Snapshot-Id": content.get("snapshot"),
        "X-Credits-Cost": told.get("creditsCost"),
        "X-Credits-Remaining": told.get("creditsRemaining"),
    }
    headers = {name: str(value) for name, value in known.items() if value is not None}
    return httpx.Response(200, headers=headers, json=content)


def _failed(failure: Mapping[str, Any], response: httpx.Response) -> httpx.Response:
    status = _STATUS.get(str(failure.get("code")), response.status_code if response.is_error else 500)
    headers = {"X-Request-Id": str(failure.get("requestId") or response.headers.get("X-Request-Id", ""))}
    if "retryAfterSec" in failure:
        headers["Retry-After"] = str(failure["retryAfterSec"])
    return httpx.Response(status, headers=headers, json={**failure, "error": failure.get("code")})
