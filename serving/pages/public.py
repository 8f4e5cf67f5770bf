"""Pages open to anybody: rendered when asked for, kept while in demand, and known by their snapshot.

What such a page shows follows from its address and the snapshot alone. So its entity tag does, too: a browser
that has the page of this snapshot is answered 304 before anything is read.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import falcon
import falcon.asgi

from serving.api.encodings import IDENTITY, accepted_encodings, compress
from serving.concurrency.pool import BoundedPool
from serving.metering.addresses import network_of
from serving.pages.frames import Frame
from serving.pages.headers import protect_page
from serving.pages.rendering import ErrorText, Renderer
from serving.pages.static_files import ASK_AGAIN
from serving.responses.bodies import not_modified

KEPT = 1 << 24
"""Bytes of pages that a worker keeps ready for one kind; the one not asked for longest is dropped first."""
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Policy for such a page: what it may load, and where its forms lead; its search box stands on every page."""
NOBODY = Frame(account=None, form_token="")
"""The frame of a page that knows no visitor."""


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """The template of a kind of pages for their errors, and the titles of statuses."""

    template: str
    titles: dict[int, str]


class _Ready(NamedTuple):
    """A page as it is sent, and its media type."""

    body: bytes
    content_type: str


class PublicSite:
    """Renders, keeps and sends the pages of one kind.

    Args:
        renderer: renderer of the templates.
        pool: runs the making of pages that are not ready.
        errors: how errors are shown.
    """

    def __init__(self, renderer: Renderer, pool: BoundedPool, errors: ErrorPage) -> None:
        self._renderer = renderer
        self._release = hashlib.blake2b(renderer.version.encode(), digest_size=16)
        self._pool = pool
        self._errors = errors
        self._kept: OrderedDict[tuple[str, ...], _Ready] = OrderedDict()
        self._bytes = 0

    def begin(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, *, policy: str = POLICY) -> None:
        """Set the headers of a page, and have its errors answered as pages."""
        req.context.error_page = self._show_error
        protect_page(resp, policy)

    async def show(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        key: tuple[str, ...],
        make: Callable[[], tuple[str, object]],
        *,
        content_type: str = falcon.MEDIA_HTML,
        pool: BoundedPool | None = None,
        at_once: Callable[[], bool] = lambda: False,
        prepared: Callable[[str], bytes | None] = lambda _: None,
    ) -> None:
        """Answer with a page, which is made now if it is not kept ready.

        Args:
            req: the request.
            resp: the response.
            key: identifies the page and its snapshot.
            make: returns its template and model, on a thread of the pool.
            content_type: media type of what the template gives.
            pool: runs the making; None for that of all pages.
            at_once: returns whether making it costs about as much as to hand it to a thread: it is made here.
            prepared: returns the page in an encoding if it was made before anybody asked; else None.
        """
        etag, given = self._etag(key), req.get_header("If-None-Match")
        if given is not None and not_modified(req, resp, etag, cache=ASK_AGAIN, is_made=False):
            return
        encoding = accepted_encodings(req.get_header("Accept-Encoding"))[0]
        kept = (*key, encoding)
        page = self._kept.get(kept)
        if page is None and (body := prepared(encoding)) is not None:
            page = _Ready(body, content_type)
        elif page is None:
            if at_once():
                body = self._rendered(*make(), encoding)
            else:
                body = await (pool or self._pool).run(
                    lambda: self._rendered(*make(), encoding), client=network_of(req.remote_addr)
                )
            page = _Ready(body, content_type)
            self._keep(kept, page)
        else:
            self._kept.move_to_end(kept)
        if not not_modified(req, resp, etag, cache=ASK_AGAIN):
            _send(resp, page, encoding)

    def _etag(self, key: tuple[str, ...]) -> str:
        digest = self._release.copy()
        # Written as a tuple: parts of an address may hold any character, so that none could part them.
        digest.update(repr(key).encode("utf-8", "replace"))
        return f'W/"{digest.hexdigest()}"'

    def render(self, template: str, model: object) -> bytes:
        """Return a page of a template and its model."""
        return render_public(self._renderer, template, model)

    def error_model(self, title: str, message: str) -> object:
        """Return the model of an error's page."""
        return ErrorText(title, message)

    def _rendered(self, template: str, model: object, encoding: str) -> bytes:
        page = self.render(template, model)
        return page if encoding == IDENTITY else compress(page, encoding)

    def _keep(self, key: tuple[str, ...], page: _Ready) -> None:
        before = self._kept.pop(key, None)  # two requests at once made it twice
        self._kept[key] = page
        self._bytes += len(page.body) - (0 if before is None else len(before.body))
        while self._bytes > KEPT:
            self._bytes -= len(self._kept.popitem(last=False)[1].body)

    def _show_error(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, status: int, message: str
    ) -> None:
        del req
        title = self._errors.titles.get(status, falcon.code_to_http_status(status)[4:])
        resp.status = status
        resp.content_type = falcon.MEDIA_HTML
        resp.data = self.render(self._errors.template, self.error_model(title, message))


def render_public(renderer: Renderer, template: str, model: object) -> bytes:
    """Return a page of a template and its model, as it is for anybody."""
    return renderer.render(template, frame=NOBODY, page=model).encode()


def go(resp: falcon.asgi.Response, address: str, *, status: str = falcon.HTTP_303) -> None:
    """Answer with a redirect, which is asked for again: a newer snapshot may lead elsewhere."""
    resp.status = status
    resp.set_header("Location", address)
    resp.set_header("Cache-Control", "no-cache")


def redirected(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, address: str, *, fragment: str = ""
) -> bool:
    """Redirect to a page's canonical address, with the query, unless that was asked for; return whether."""
    if req.path == address:
        return False
    query = f"?{req.query_string}" if req.query_string else ""
    go(resp, f"{address}{query}{fragment}", status=falcon.HTTP_301)
    return True


def _send(resp: falcon.asgi.Response, page: _Ready, encoding: str) -> None:
    resp.content_type = page.content_type
    if encoding != IDENTITY:
        resp.set_header("Content-Encoding", encoding)
    resp.data = page.body
