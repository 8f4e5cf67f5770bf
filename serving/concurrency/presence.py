"""Presence of clients: whether the one behind a request still waits for its answer, as ASGI reports it."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

_IN_SCOPE = "serving.concurrency.presence"


class Presence:
    """The client of one request.

    Attributes:
        is_gone: True if the client is known to have closed its connection; any thread may ask.

    Args:
        receive: the ASGI `receive` of the request, whose body has been read.
    """

    def __init__(self, receive: Callable[[], Awaitable[MutableMapping[str, Any]]]) -> None:
        self.is_gone = False
        self._receive = receive

    async def departure(self) -> None:
        """Return once the client closes its connection."""
        while not self.is_gone:
            event = await self._receive()
            self.is_gone = event["type"] == "http.disconnect"


def note_presence(
    scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[MutableMapping[str, Any]]]
) -> None:
    """Put the presence of a request's client into its scope."""
    scope[_IN_SCOPE] = Presence(receive)


def presence_in(scope: Mapping[str, Any]) -> Presence:
    """Return the presence of a request's client, which the application stored when the request began."""
    presence: Presence = scope[_IN_SCOPE]
    return presence
