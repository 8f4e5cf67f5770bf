"""Addresses of requests in the form that servers take: the path, and the query."""

import httptools

from serving.process.protocol.refusals import MalformedRequestError, UriTooLongError
from serving.process.protocol.sizes import LONG_URL


def origin_form(url: bytes) -> bytes:
    """Return the path and the query of an absolute address.

    Raises:
        MalformedRequestError: it names no server.
        UriTooLongError: it is long before its query begins.
    """
    before, query = split_address(url)
    try:
        parts = httptools.parse_url(before)
    except httptools.HttpParserInvalidURLError:
        parts = None
    if parts is None or parts.schema not in (b"http", b"https") or not parts.host:
        raise MalformedRequestError("The address is malformed: it begins with a slash, or with http://.")
    return (parts.path or b"/") + (b"?" + query if query else b"")


def split_address(url: bytes) -> tuple[bytes, bytes]:
    """Return what stands before the query of an address, and the query; a fragment belongs to neither.

    Raises:
        UriTooLongError: what stands before it is long.
    """
    before, _, query = url.partition(b"#")[0].partition(b"?")
    if len(before) > LONG_URL:
        raise UriTooLongError(f"The path of the address has more than {LONG_URL:,} bytes.")
    return before, query
