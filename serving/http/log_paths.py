"""Paths for logs and errors: tokens in them are left out."""

import re

import falcon.asgi

_OPENS = re.compile(
    # The tokens of mailed links and of feeds; and what stands where an order's id belongs, as when a caller
    # swaps it with the order's token.
    r"(/settings/(?:reset|unlock|verification)/|/feeds/watches/"
    r"|/api/v1/formation/status/(?:[0-9A-Fa-f-]{36}(?:/|$))?+).+",
    re.DOTALL,
)


def logged_path(req: falcon.asgi.Request) -> str:
    """Return the request's path without any token in it."""
    return _OPENS.sub(r"\1…", req.path)
