"""Cross-origin access: any page may call the API, with its key in the header; nothing else is shared."""

import falcon.asgi

from serving.http.charging import HEADERS

PREFIX = "/api/v1"
EXPOSED = ", ".join(("ETag", "Link", "Retry-After", "X-Request-Id", "X-Snapshot-Id", *HEADERS))
ALLOWED = "Accept, Authorization, If-None-Match, X-Request-Id"
PREFLIGHT_SECONDS = "86400"


class CorsMiddleware:
    """Sets the CORS headers on answers under the API's prefix, errors and preflights included."""

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Complete the headers."""
        del resource, req_succeeded
        if not (req.path == PREFIX or req.path.startswith(PREFIX + "/")):
            return
        resp.set_header("Access-Control-Allow-Origin", "*")
        resp.set_header("Access-Control-Expose-Headers", EXPOSED)
        if req.method == "OPTIONS" and req.get_header("Access-Control-Request-Method") is not None:
            # What falcon answers to OPTIONS leaves out OPTIONS itself.
            allowed = resp.get_header("Allow") or "GET"
            resp.set_header("Access-Control-Allow-Methods", f"{allowed}, OPTIONS")
            resp.set_header("Access-Control-Allow-Headers", ALLOWED)
            resp.set_header("Access-Control-Max-Age", PREFLIGHT_SECONDS)
