"""`/docs`: the OpenAPI document as pages to read and to try calls with, by Swagger UI.

Its files come from an installed package that serves no other purpose and is never imported.
"""

from functools import lru_cache
from typing import Any

import falcon
import falcon.asgi
import jinja2

from serving.pages.headers import protect_page
from serving.pages.ready_files import (
    CSS,
    SCRIPT,
    ReadyFile,
    ReadyFilesResource,
    addresses,
    own_files,
    packaged_files,
)
from serving.pages.static_files import ASK_AGAIN
from serving.responses.bodies import send_stored
from serving.responses.documents import ready_to_send

PACKAGE = "drf-spectacular-sidecar"
FOLDER = "drf_spectacular_sidecar/static/drf_spectacular_sidecar/swagger-ui-dist"
STATIC = "/docs/static/"
SWAGGER_UI = {"swagger-ui.css": CSS, "swagger-ui-bundle.js": SCRIPT}
OURS = {"reference.css": CSS, "reference.js": SCRIPT}
POLICY = (
    # The marks of Swagger UI's style sheet are data; calls are tried on this service alone.
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

App = falcon.asgi.App[Any, Any]


def add_reference(app: App) -> None:
    """Add the reference to the application."""
    found = reference_files()
    app.add_route("/docs", ReferenceResource(found))
    app.add_route(STATIC + "{name}", ReadyFilesResource(found))


@lru_cache(maxsize=1)
def reference_files() -> dict[str, ReadyFile]:
    """Read the files, by name."""
    return packaged_files(PACKAGE, FOLDER, SWAGGER_UI) | own_files(OURS)


class ReferenceResource:
    """The page of the reference."""

    def __init__(self, found: dict[str, ReadyFile]) -> None:
        environment = jinja2.Environment(
            loader=jinja2.PackageLoader("serving.pages"), autoescape=True, undefined=jinja2.StrictUndefined
        )
        page = environment.get_template("reference.html").render(addresses=addresses(STATIC, found))
        self._page = ready_to_send(page.encode())

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the page."""
        protect_page(resp, POLICY)
        send_stored(req, resp, self._page, cache=ASK_AGAIN, content_type=falcon.MEDIA_HTML)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
