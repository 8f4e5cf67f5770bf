"""Sending of bodies: in the best encoding with its entity tag, or 304 if the client already has the body."""

import asyncio
from collections.abc import AsyncIterator

import falcon
import falcon.asgi

from serving.api.encodings import IDENTITY, accepted_encodings, compress, encoding_for
from serving.responses.held_bodies import HeldBodies
from serving.responses.negotiation import matches, names_any
from serving.snapshot.table import StoredBody

KEYED = "private, no-cache"
"""Cache header of paid answers: kept by the client alone, and validated each time, which costs nothing."""

WHOLE = 1 << 18
"""Bytes up to which a ready body is copied for each request."""
_HELD = 1 << 26
"""Bytes of larger bodies that a worker holds in memory, in all, to send them without a copy."""
_PIECE = 1 << 20
"""Bytes of each piece of a body that is too large to be held."""
_held = HeldBodies(_HELD)


def send_stored(
    req: falcon.asgi.Request,
    resp: falcon.asgi.Response,
    stored: StoredBody,
    *,
    cache: str = KEYED,
    content_type: str = falcon.MEDIA_JSON,
) -> None:
    """Send a ready body in the best encoding that it is stored in."""
    chosen, body, etag = best_stored(stored, req.get_header("Accept-Encoding"))
    if not_modified(req, resp, etag, cache=cache):
        return
    if chosen != IDENTITY:
        resp.set_header("Content-Encoding", chosen)
    resp.content_type = content_type
    resp.data = bytes(body) if len(body) <= WHOLE else _held.get(etag, body)
    if resp.data is None:
        resp.content_length = len(body)
        resp.stream = _pieces(memoryview(body))


async def _pieces(body: memoryview) -> AsyncIterator[bytes]:
    """Yield a large body in pieces as the client takes them, so that no request holds a copy of all of it."""
    for start in range(0, len(body), _PIECE):
        yield bytes(body[start : start + _PIECE])
        # What was written leaves at the end of the loop's pass; only then the transport can say to wait.
        await asyncio.sleep(0)


def best_stored(stored: StoredBody, accept_encoding: str | None) -> tuple[str, bytes | memoryview, str]:
    """Return the stored encoding that the client prefers, the body in it, and its entity tag."""
    for encoding in accepted_encodings(accept_encoding):
        if encoding == IDENTITY:
            break
        found = stored.zstd if encoding == "zstd" else stored.gzip
        if found is not None:
            return encoding, found, f'"{stored.etag}-{encoding}"'
    return IDENTITY, stored.plain, f'"{stored.etag}"'


def send_unkept(
    req: falcon.asgi.Request,
    resp: falcon.asgi.Response,
    body: bytes,
    *,
    content_type: str = falcon.MEDIA_JSON,
) -> None:
    """Send a body that no cache may keep: of a customer, of the state of the service, of an error."""
    resp.set_header("Cache-Control", "no-store")
    send_made(req, resp, body, content_type=content_type)


def send_text(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, body: bytes, *, etag: str, content_type: str
) -> None:
    """Send a body made for this request; `etag` is unquoted and identifies the body before encoding."""
    chosen = _made_encoding(req, len(body))
    quoted = f'"{etag}"' if chosen == IDENTITY else f'"{etag}-{chosen}"'
    if not not_modified(req, resp, quoted, cache=KEYED):
        send_made(req, resp, body, content_type=content_type)


def send_made(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, body: bytes, *, content_type: str
) -> None:
    """Send a body made for this request, compressed if that pays; the cache headers must be set already."""
    chosen = _made_encoding(req, len(body))
    if chosen != IDENTITY:
        resp.set_header("Content-Encoding", chosen)
        body = compress(body, chosen)
    resp.content_type = content_type
    resp.data = body


def not_modified(
    req: falcon.asgi.Request,
    resp: falcon.asgi.Response,
    etag: str,
    *,
    cache: str = KEYED,
    is_made: bool = True,
) -> bool:
    """Set the cache headers. If the client has this answer already, make it 304 and return True.

    Args:
        req: the request.
        resp: the response.
        etag: entity tag of the answer.
        cache: value of the header Cache-Control.
        is_made: False where the making may show that there is no such answer. `If-None-Match: *`, which
            asks for that, is then left to a call after the making.
    """
    resp.set_header("ETag", etag)
    resp.set_header("Cache-Control", cache)
    wanted = req.get_header("If-None-Match")
    if not matches(wanted, etag) or (names_any(wanted) and not is_made):
        return False
    resp.status = falcon.HTTP_304
    return True


def _made_encoding(req: falcon.asgi.Request, length: int) -> str:
    return encoding_for(req.get_header("Accept-Encoding"), length)
