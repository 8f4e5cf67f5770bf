"""Headers of pages: what is loaded, who may frame it, and what it may ask of the browser."""

import falcon.asgi

from serving.pages.errors import ErrorPages

PREFIXES = ("/settings", "/formation")
STATIC = "/settings/static/"
CHECKOUT = "https://checkout.stripe.com"
"""Where buying a pack leads: browsers hold the redirect that answers a form against `form-action` too."""
_PAGE = {
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def is_page(path: str) -> bool:
    """Whether a path belongs to the pages that people sign in on."""
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in PREFIXES)


def protect_page(resp: falcon.asgi.Response, policy: str) -> None:
    """Set the headers of a page, with the policy of what it loads."""
    resp.set_header("Content-Security-Policy", policy)
    resp.set_headers(_PAGE)


class PageHeadersMiddleware:
    """Completes the headers of pages that people sign in on, and of their redirects and errors."""

    def __init__(self, errors: ErrorPages, *, sells: bool) -> None:
        self._errors = errors
        targets = f"'self' {CHECKOUT}" if sells else "'self'"
        self._policy = (
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
            f"form-action {targets}; base-uri 'none'; frame-ancestors 'none'"
        )

    async def process_request(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Let errors be answered as pages, unknown paths and refused methods too."""
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
        protect_page(resp, self._policy)
        if not (req.path.startswith(STATIC) and req_succeeded):
            resp.set_header("Cache-Control", "no-store")
