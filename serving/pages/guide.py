"""`/docs/guide`: the guide as `make docs` built it, if it was built.

The pages contain a few inline scripts. The policy lists each by its hash, so that no other script runs.
"""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi

from serving.pages.headers import protect_page

GUIDE = "/docs/guide"
INDEX = "index.html"
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

App = falcon.asgi.App[Any, Any]


def add_guide(app: App, folder: Path) -> None:
    """Serve the guide from a folder; add nothing if it was not built.

    Args:
        app: application to add the routes to.
        folder: folder of the site that `make docs` made.
    """
    if not (folder / INDEX).is_file():
        return
    app.add_middleware(GuideHeadersMiddleware(guide_policy(folder)))
    app.add_route(GUIDE, GuideResource())
    app.add_route(f"{GUIDE}/", GuideResource())
    app.add_static_route(GUIDE, folder.resolve())


def guide_policy(folder: Path) -> str:
    """Return the content security policy for the pages in a folder."""
    scripts = {
        base64.b64encode(hashlib.sha256(script).digest()).decode("ascii")
        for page in folder.rglob("*.html")
        for script in _INLINE.findall(page.read_bytes())
    }
    hashes = "".join(f" 'sha256-{one}'" for one in sorted(scripts))
    return (
        f"default-src 'none'; script-src 'self'{hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )


class GuideResource:
    """Redirects from the guide's address to its first page."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Redirect to the first page."""
        del req, resp
        raise falcon.HTTPPermanentRedirect(f"{GUIDE}/{INDEX}")

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET."""
        await self.on_get(req, resp)


class GuideHeadersMiddleware:
    """Completes the headers of the guide's pages and files."""

    def __init__(self, policy: str) -> None:
        self._policy = policy

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Complete the headers."""
        del resource
        if req.path != GUIDE and not req.path.startswith(f"{GUIDE}/"):
            return
        protect_page(resp, self._policy)
        if req_succeeded:
            resp.set_header("Cache-Control", "public, no-cache")
