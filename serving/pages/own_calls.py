"""Calls that the script of a page may make to the API beside it; on other pages the browser forbids them."""

import falcon.asgi


def allow_calls(req: falcon.asgi.Request) -> None:
    """Let the script of the answer call this service."""
    req.context.calls_allowed = True


def calls_allowed(req: falcon.asgi.Request) -> bool:
    """Return whether it may."""
    return getattr(req.context, "calls_allowed", False)
