"""`/docs/guide`: the guide as `make docs` built it, if it was built.

The pages contain a few inline scripts. The policy lists each by its hash, so that no other script runs.
"""

import asyncio
import base64
import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi

from serving.pages.headers import protect_page
from serving.pages.ready_files import ReadyFile
from serving.pages.static_files import ASK_AGAIN
from serving.responses.bodies import send_stored
from serving.responses.documents import ready_to_send
from serving.responses.negotiation import prefers_page

GUIDE = "/docs/guide"
INDEX = "index.html"
MISSING = "404.html"
"""The page that is shown to people at an address that the guide does not have."""
MOST_KEPT = 256
"""Most files that a worker keeps ready; a guide has fewer."""
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

App = falcon.asgi.App[Any, Any]


def add_guide(app: App, folder: Path) -> None:
    """Serve the guide from a folder; add nothing if it was not built.

    Args:
        app: application to add the routes to.
        folder: folder of the site that `make docs` made.
    """
    if not is_built(folder):
        return
    app.add_middleware(GuideHeadersMiddleware(guide_policy(folder)))
    app.add_route(GUIDE, GuideResource())
    app.add_route(f"{GUIDE}/", GuideResource())
    app.add_route(GUIDE + "/{name:path}", GuideFileResource(folder, app.resp_options.static_media_types))


def is_built(folder: Path) -> bool:
    """Return whether a folder holds the guide."""
    return (folder / INDEX).is_file()


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


class GuideFileResource:
    """Serves the files that the folder has when the server starts, compressed when one is first asked for.

    What it does not have is told to people on a page of the guide, from which they can go on.

    Args:
        folder: folder of the guide.
        media_types: media types by the endings of names.
    """

    def __init__(self, folder: Path, media_types: Mapping[str, str]) -> None:
        self._paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
        self._media_types = media_types
        self._ready = lru_cache(maxsize=MOST_KEPT)(self._read)

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer with a file."""
        path = self._paths.get(name)
        if path is None or not path.is_file():
            path = self._paths.get(MISSING)
            if path is None or not prefers_page(req.get_header("Accept")):
                raise falcon.HTTPNotFound
            file = await asyncio.to_thread(self._ready, path)
            resp.status = falcon.HTTP_404
            resp.set_header("Cache-Control", "no-store")
            resp.content_type = falcon.MEDIA_HTML
            resp.data = bytes(file.body.plain)
            return
        file = await asyncio.to_thread(self._ready, path)
        send_stored(req, resp, file.body, cache=ASK_AGAIN, content_type=file.content_type)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, name)

    def _read(self, path: Path) -> ReadyFile:
        media_type = self._media_types.get(path.suffix, "application/octet-stream")
        return ReadyFile(ready_to_send(path.read_bytes()), media_type)


class GuideHeadersMiddleware:
    """Completes the headers of the guide's pages and files."""

    def __init__(self, policy: str) -> None:
        self._policy = policy

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Complete the headers."""
        del resource, req_succeeded
        if req.path != GUIDE and not req.path.startswith(f"{GUIDE}/"):
            return
        protect_page(resp, self._policy)
