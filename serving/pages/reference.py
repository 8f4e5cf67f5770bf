"""`/docs`: the OpenAPI document as pages to read and to try calls on, by Swagger UI.

Its files come from an installed package that is there for them alone and is never imported.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi
import jinja2

from serving.http.bodies import send_stored
from serving.http.documents import ready_to_send
from serving.pages.static_files import ASK_AGAIN, FOR_GOOD
from serving.snapshot.table import StoredBody

PACKAGE = "drf-spectacular-sidecar"
FOLDER = "drf_spectacular_sidecar/static/drf_spectacular_sidecar/swagger-ui-dist"
STATIC = "/docs/static/"
CSS, SCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"
SWAGGER_UI = {"swagger-ui.css": CSS, "swagger-ui-bundle.js": SCRIPT}
OURS = {"reference.css": CSS, "reference.js": SCRIPT}
POLICY = (
    # The marks of Swagger UI's style sheet are data; calls are tried on this service alone.
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

App = falcon.asgi.App[Any, Any]


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """One file, ready to send."""

    body: StoredBody
    content_type: str

    @property
    def version(self) -> str:
        """Names the content."""
        return self.body.etag[:16]


def add_reference(app: App) -> None:
    """Add the reference to the application."""
    found = reference_files()
    app.add_route("/docs", ReferenceResource(found))
    app.add_route(STATIC + "{name}", ReferenceFileResource(found))


@lru_cache(maxsize=1)
def reference_files() -> dict[str, ReferenceFile]:
    """Read the files, by name."""
    installed = Path(str(distribution(PACKAGE).locate_file(FOLDER)))
    own = files("serving.pages").joinpath("static")
    read = {name: (installed / name).read_bytes() for name in SWAGGER_UI}
    read |= {name: own.joinpath(name).read_bytes() for name in OURS}
    types = SWAGGER_UI | OURS
    return {name: ReferenceFile(ready_to_send(body), types[name]) for name, body in read.items()}


class ReferenceResource:
    """The page."""

    def __init__(self, found: dict[str, ReferenceFile]) -> None:
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader("serving.pages"), autoescape=True, undefined=jinja2.StrictUndefined
        )
        addresses = {name: f"{STATIC}{name}?v={file.version}" for name, file in found.items()}
        page = environment.get_template("reference.html").render(addresses=addresses)
        self._page = ready_to_send(page.encode())

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the page."""
        resp.set_header("Content-Security-Policy", POLICY)
        resp.set_header("X-Frame-Options", "DENY")
        resp.set_header("Referrer-Policy", "no-referrer")
        resp.set_header("Cross-Origin-Opener-Policy", "same-origin")
        send_stored(req, resp, self._page, cache=ASK_AGAIN, content_type=falcon.MEDIA_HTML)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class ReferenceFileResource:
    """Style sheets and scripts of the page."""

    def __init__(self, found: dict[str, ReferenceFile]) -> None:
        self._files = found

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer with a file, to be kept for good where the address names its content."""
        file = self._files.get(name)
        if file is None:
            raise falcon.HTTPNotFound
        current = req.get_param("v") == file.version
        cache = FOR_GOOD if current else ASK_AGAIN
        send_stored(req, resp, file.body, cache=cache, content_type=file.content_type)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, name)
