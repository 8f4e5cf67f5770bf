"""Documents that describe the service: made once, kept in every encoding, free to everybody."""

import gzip

import falcon
import falcon.asgi
import pyarrow as pa

from serving.api import parameters
from serving.contract.identity import content_etag
from serving.responses.bodies import send_stored
from serving.responses.negotiation import accepted_type
from serving.snapshot.table import StoredBody

PUBLIC = "public, max-age=3600"
TEXT = "text/plain"


def ready_to_send(plain: bytes) -> StoredBody:
    """Return a body with its entity tag and those of its compressed forms that are smaller."""
    forms = gzip.compress(plain, 9, mtime=0), pa.Codec("zstd", 12).compress(plain, asbytes=True)
    small = (form if len(form) < len(plain) else None for form in forms)
    return StoredBody(content_etag(plain), plain, *small)


def send_document(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, document: StoredBody, media_type: str
) -> None:
    """Send a document that anybody may cache, if the request accepts its type.

    Args:
        req: the request, which may have no parameters.
        resp: the response.
        document: the body.
        media_type: media type of the document, with its parameters.

    Raises:
        LawError: 401, 406 or 422.
    """
    parameters.parse(req.params, parameters.NONE, req.query_string)
    accepted_type(req.get_header("Accept"), (media_type.partition(";")[0],))
    send_stored(req, resp, document, cache=PUBLIC, content_type=media_type)


class DocumentResource:
    """One document.

    Args:
        plain: the document itself.
        media_type: media type of the document, with its parameters.
        link: value of the header `Link`, if there is one.
    """

    def __init__(self, plain: bytes, *, media_type: str = falcon.MEDIA_JSON, link: str | None = None) -> None:
        self._document = ready_to_send(plain)
        self._media_type = media_type
        self._link = link

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the document."""
        send_document(req, resp, self._document, self._media_type)
        if self._link is not None:
            resp.set_header("Link", self._link)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
