"""Headers of pages: what they may load, who may frame them, and which browser features they may use."""

import falcon.asgi

from serving.pages.errors import ErrorPages
from serving.pages.form_targets import form_target
from serving.pages.own_calls import calls_allowed

PREFIXES = ("/settings", "/formation", "/report")
_BELOW = tuple(f"{prefix}/" for prefix in PREFIXES)
STATIC = "/settings/static/"
CHECKOUT = "https://checkout.stripe.com"
"""Address to which buying a pack redirects: browsers check redirects after a form against `form-action`
too."""
_PAGE = {
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def is_page(path: str) -> bool:
    """Return whether a path belongs to the pages for which people sign in."""
    return path in PREFIXES or path.startswith(_BELOW)


def protect_page(resp: falcon.asgi.Response, policy: str) -> None:
    """Set the headers of a page, with the policy for what it loads."""
    resp.set_header("Content-Security-Policy", policy)
    resp.set_headers(_PAGE)


class PageHeadersMiddleware:
    """Adds headers to the pages for which people sign in, and to their redirects and errors."""

    def __init__(self, errors: ErrorPages, *, sells: bool) -> None:
        self._errors = errors
        self._targets = f"'self' {CHECKOUT}" if sells else "'self'"

    async def process_request(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Mark the request so that its errors, unknown paths and refused methods are answered as pages."""
        del resp
        if is_page(req.path):
            req.context.error_page = self._errors.show

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Complete the headers."""
        del resource
        if not is_page(req.path):
            return
        target = form_target(req)
        targets = self._targets if target is None else f"'self' {target}"
        protect_page(
            resp,
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
            + ("connect-src 'self'; " if calls_allowed(req) else "")
            + f"form-action {targets}; base-uri 'none'; frame-ancestors 'none'",
        )
        if not (req.path.startswith(STATIC) and req_succeeded):
            resp.set_header("Cache-Control", "no-store")
