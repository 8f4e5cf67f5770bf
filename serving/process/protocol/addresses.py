"""Addresses of requests in the form that servers take: the path, and the query."""

import httptools

from serving.process.protocol.refusals import MalformedRequestError


def origin_form(url: bytes) -> bytes:
    """Return the path and the query of an absolute address.

    Raises:
        MalformedRequestError: it names no server.
    """
    try:
        parts = httptools.parse_url(url)
    except httptools.HttpParserInvalidURLError:
        parts = None
    if parts is None or parts.schema not in (b"http", b"https") or not parts.host:
        raise MalformedRequestError("The address is malformed: it begins with a slash, or with http://.")
    return (parts.path or b"/") + (b"?" + parts.query if parts.query else b"")
