"""Answers that come before the body of their request has.

Where the rest of the body is not worth reading, the answer says `Connection: close`, and the connection
lingers. It ends once the client has closed it: closing on a client that still sends resets the connection,
which may cost it the answer.
"""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from serving.process.protocol.sizes import MAX_LEFTOVER


def reaches_the_next(left: int | None) -> bool:
    """Return whether the rest of a body is read, though its request is answered, to reach the next request.

    Args:
        left: bytes of the body that are to come, None where only its chunks tell.
    """
    return left is not None and left <= MAX_LEFTOVER


def telling(app: Any, cycle: RequestResponseCycle, ends: Callable[[], bool]) -> Any:
    """Return an application whose answer says so where it ends the connection.

    Args:
        app: the application.
        cycle: of the request that it answers.
        ends: returns whether an answer that begins now ends the connection.
    """

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        async def tell(message: Any) -> None:
            if not cycle.response_started and ends():
                cycle.keep_alive = False
            await send(message)

        await app(scope, receive, tell)

    return answer
