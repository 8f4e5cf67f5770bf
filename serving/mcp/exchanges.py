"""ASGI exchanges within the process: a request passed on with another body, and an answer intercepted."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class TooLargeError(Exception):
    """The body has more bytes than are accepted."""


@dataclass(slots=True)
class Caught:
    """An intercepted answer."""

    status: int = 0
    body: bytearray = field(default_factory=bytearray)

    async def send(self, message: Message) -> None:
        """Receive a message of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")


async def read_body(receive: Receive, *, most: int) -> bytes | None:
    """Return the body of a request; None where the client went away.

    Raises:
        TooLargeError: it has more than `most` bytes.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > most:
            raise TooLargeError
        if not message.get("more_body", False):
            return bytes(body)


def replaying(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that first returns this body, and then the remaining events."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
