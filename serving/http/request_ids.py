"""The id that names a request in its answer, in error bodies and in the log."""

import re
import secrets

import falcon.asgi

HEADER = "X-Request-Id"
_SANE = re.compile(r"[A-Za-z0-9._:\-]{1,128}")


def request_id(req: falcon.asgi.Request) -> str:
    """Return the request's id: the caller's where it is sane, else one minted on first use."""
    known: str | None = getattr(req.context, "request_id", None)
    if known is None:
        given = req.get_header(HEADER)
        known = given if given is not None and _SANE.fullmatch(given) else secrets.token_hex(16)
        req.context.request_id = known
    return known
