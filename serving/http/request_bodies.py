"""Bodies of requests over HTTP, read whole within a bound."""

import falcon.asgi


async def read_whole(req: falcon.asgi.Request, *, most: int) -> bytes | None:
    """Return the body of a request; None if it has more than `most` bytes."""
    body = bytearray()
    if (req.content_length or 0) <= most:
        async for chunk in req.stream:
            body += chunk
            if len(body) > most:
                return None
        return bytes(body)
    return None
