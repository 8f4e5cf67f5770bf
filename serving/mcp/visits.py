"""Who asks, and as which request: the same for a request over HTTP and for one over stdio."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp.server import ServerRequestContext
from starlette.requests import Request

from serving.metering.gate import Caller, Gate
from serving.presence import Presence

Context = ServerRequestContext[Any, Any]
IN_SCOPE = "serving.mcp.visit"
"""Where the HTTP endpoint leaves the visit for the tools: a key of the ASGI scope."""


@dataclass(slots=True)
class Visit:
    """One request of a caller.

    Attributes:
        request_id: as the ledger and the log name it.
        cost: credits that it cost, once it is settled; None where nothing was charged yet.
        refused: the key turned out to be revoked, expired or gone.
        lacks: scopes of which it has none, where the key does not open what is asked for.
        presence: whether the client still waits; None where there is no connection that it could close.
    """

    caller: Caller
    request_id: str
    presence: Presence | None = None
    cost: int | None = None
    refused: bool = False
    lacks: tuple[str, ...] = ()

    def is_abandoned(self) -> bool:
        """Return whether the client is known to have closed its connection."""
        return self.presence is not None and self.presence.is_gone


Visits = Callable[[Context], Awaitable[Visit]]
"""Gives the visit of a request of the protocol, or raises InvalidApiKeyError."""


async def visit_over_http(context: Context) -> Visit:
    """Return the visit that the endpoint identified."""
    request = context.request
    if not isinstance(request, Request):
        raise TypeError("this server runs without HTTP and without a key of its own")
    visit: Visit = request.scope[IN_SCOPE]
    return visit


def visits_of_key(gate: Gate, key: str | None, new_id: Callable[[], str]) -> Visits:
    """Return the visits of a process that belongs to one caller; each request is identified anew."""

    async def visit(context: Context) -> Visit:
        del context
        return Visit(await gate.identify(key), new_id())

    return visit
