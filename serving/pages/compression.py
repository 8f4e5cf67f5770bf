"""Compression of pages that are made for one visitor, whose lengths must not tell of what is in them.

A page may repeat what somebody else chose, such as a name in its address, beside what is the visitor's own.
The more alike they are, the shorter it becomes (BREACH). So tokens are masked anew in each page, and its
length is blurred by padding in the header of the compressed file (Heal the BREACH).
"""

import gzip
import io
import secrets

import falcon
import falcon.asgi

from serving.api.encodings import WORTHWHILE, accepted_encodings

GZIP = "gzip"
_MOST_PADDING = 100
"""Most bytes of padding."""
_LEVEL = 4


class PageCompressionMiddleware:
    """Compresses pages that were made for this request, unless their door has done it."""

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Compress the page."""
        del resource, req_succeeded
        page = resp.data
        is_plain = resp.get_header("Content-Encoding") is None
        if resp.content_type != falcon.MEDIA_HTML or not is_plain or page is None or len(page) < WORTHWHILE:
            return
        if GZIP in accepted_encodings(req.get_header("Accept-Encoding")):
            resp.set_header("Content-Encoding", GZIP)
            resp.data = padded_gzip(page)


def padded_gzip(page: bytes) -> bytes:
    """Return a page as a file of gzip whose name, which nobody reads, has a random length."""
    name = "a" * (1 + secrets.randbelow(_MOST_PADDING))
    file = io.BytesIO()
    with gzip.GzipFile(name, "wb", _LEVEL, file, mtime=0) as packed:
        packed.write(page)
    return file.getvalue()
