"""Callers of the MCP server: the identity behind a request, over HTTP or stdio."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp.server import ServerRequestContext
from starlette.requests import Request

from serving.concurrency.presence import Presence
from serving.metering.gate import Caller, Gate

Context = ServerRequestContext[Any, Any]
IN_SCOPE = "serving.mcp.caller"
"""Key of the ASGI scope under which the HTTP endpoint leaves the caller for the tools."""


@dataclass(slots=True)
class McpCaller:
    """One request of a caller.

    Attributes:
        identity: the account and scopes of the key.
        request_id: id of the request in the ledger and the log.
        cost: credits that it cost; None until it is settled.
        refused: the key turned out to be revoked, expired or gone.
        presence: presence of the client; None if it has no connection that it could close.
    """

    identity: Caller
    request_id: str
    presence: Presence | None = None
    cost: int | None = None
    refused: bool = False

    def is_abandoned(self) -> bool:
        """Return whether the client is known to have closed its connection."""
        return self.presence is not None and self.presence.is_gone


McpCallers = Callable[[Context], Awaitable[McpCaller]]
"""Function that returns the caller of a request, or raises InvalidApiKeyError."""


async def caller_over_http(context: Context) -> McpCaller:
    """Return the caller that the endpoint identified."""
    request = context.request
    if not isinstance(request, Request):
        raise TypeError("this server runs without HTTP and without a key of its own")
    caller: McpCaller = request.scope[IN_SCOPE]
    return caller


def callers_of_key(gate: Gate, key: str | None, new_id: Callable[[], str]) -> McpCallers:
    """Return the function that finds the caller where one key serves all; it is looked up at each request."""

    async def caller(context: Context) -> McpCaller:
        del context
        return McpCaller(await gate.identify(key), new_id())

    return caller
