"""Cross-origin access: which pages may call what, and with which headers.

Any page may call the API, with its key in the header, and read feeds and the metadata of the authorization
server.
Tokens and registrations are for the pages that may call `/mcp`. Nothing else is shared, and the page of
consent must not be (RFC 9700, 2.6).
"""

from dataclasses import dataclass

import falcon.asgi

from serving.api.discovery import AUTHORIZATION_SERVER, MCP, PROTECTED_RESOURCE
from serving.api.origins import OriginPolicy
from serving.authorization.issuer import REGISTER, REVOKE, TOKEN
from serving.http.charging import HEADERS

PREFIX, FEEDS = "/api/v1", "/feeds/"
EXPOSED = ", ".join(
    (
        *("Accept-Ranges", "Content-Range", "ETag", "Link", "Retry-After", "X-Request-Id", "X-Snapshot-Id"),
        *HEADERS,
    )
)
METADATA = (AUTHORIZATION_SERVER, PROTECTED_RESOURCE, PROTECTED_RESOURCE + MCP)
PROGRAMS = (TOKEN, REVOKE, REGISTER)
PREFLIGHT_SECONDS = "86400"


@dataclass(frozen=True, slots=True)
class Shared:
    """The part of an answer that pages may read, and the headers that they may send for it."""

    exposed: str
    accepted: str


API = Shared(EXPOSED, "Accept, Authorization, Content-Type, If-None-Match, If-Range, Range, X-Request-Id")
OF_AUTHORIZATION = Shared(
    "ETag, Retry-After, X-Request-Id",
    "Accept, Authorization, Content-Type, If-None-Match, MCP-Protocol-Version, X-Request-Id",
)


class CorsMiddleware:
    """Sets the CORS headers, on errors and preflights too.

    Args:
        origins: allows the pages that may ask for tokens.
    """

    def __init__(self, origins: OriginPolicy) -> None:
        self._origins = origins

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Complete the headers."""
        del resource, req_succeeded
        if req.path in PROGRAMS:
            resp.append_header("Vary", "Origin")
        part = shared_part(req.path, req.get_header("Origin"), self._origins)
        if part is not None:
            _share(req, resp, *part)


def shared_part(path: str, origin: str | None, origins: OriginPolicy) -> tuple[Shared, str] | None:
    """Return what pages may read of an answer, and the origin that is allowed; None for nothing.

    Args:
        path: that is asked for.
        origin: of the page that asks, if it is said.
        origins: allows the pages that may ask for tokens.
    """
    if path == PREFIX or path.startswith((PREFIX + "/", FEEDS)):
        return API, "*"
    if path in METADATA:
        return OF_AUTHORIZATION, "*"
    if path in PROGRAMS and origin is not None and origins.allows(origin):
        return OF_AUTHORIZATION, origin
    return None


def _share(req: falcon.asgi.Request, resp: falcon.asgi.Response, shared: Shared, origin: str) -> None:
    resp.set_header("Access-Control-Allow-Origin", origin)
    resp.set_header("Access-Control-Expose-Headers", shared.exposed)
    if req.method == "OPTIONS" and req.get_header("Access-Control-Request-Method") is not None:
        resp.set_header("Access-Control-Allow-Methods", resp.get_header("Allow") or "GET, OPTIONS")
        resp.set_header("Access-Control-Allow-Headers", shared.accepted)
        resp.set_header("Access-Control-Max-Age", PREFLIGHT_SECONDS)
