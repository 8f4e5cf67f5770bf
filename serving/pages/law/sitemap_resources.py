"""Resources for search engines: the sitemaps, and `robots.txt`."""

import asyncio
from typing import Any

import falcon.asgi

from serving.pages.law.site import LawSite, held_body
from serving.pages.law.sitemaps import SITEMAPS, sitemap, sitemap_index
from serving.responses.bodies import send_made
from serving.responses.documents import PUBLIC
from serving.responses.leases import lease_for
from serving.services.history import last_changes

XML = "application/xml; charset=utf-8"

App = falcon.asgi.App[Any, Any]


def add_sitemaps(app: App, site: LawSite) -> None:
    """Add the sitemaps and `robots.txt` to the application."""
    app.add_route("/sitemap.xml", SitemapIndexResource(site))
    app.add_route(SITEMAPS + "/{jurisdiction}/{code}/{number:int(min=1)}.xml", SitemapResource(site))
    app.add_route("/robots.txt", RobotsResource(site.public_url))


class SitemapIndexResource:
    """The index of the sitemaps."""

    def __init__(self, site: LawSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the index."""
        self._site.visit(req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            await self._site.show(
                req,
                resp,
                (snapshot.id, "/sitemap.xml"),
                lambda: ("sitemap_index.xml", sitemap_index(snapshot)),
                content_type=XML,
            )

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class SitemapResource:
    """One sitemap."""

    def __init__(self, site: LawSite) -> None:
        self._site = site

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, jurisdiction: str, code: str, number: int
    ) -> None:
        """Answer with the sitemap."""
        self._site.visit(req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            body, holder = held_body(snapshot, jurisdiction, code), self._site.snapshots
            # What is retained, and so known of earlier changes, changes without the snapshot in service.
            key = (snapshot.id, SITEMAPS, body.id, str(number), *await asyncio.to_thread(holder.retained))
            await self._site.show(
                req,
                resp,
                key,
                lambda: (
                    "sitemap.xml",
                    sitemap(snapshot, body, number, last_changes(holder, snapshot.id, body.id)),
                ),
                content_type=XML,
            )

    async def on_head(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, jurisdiction: str, code: str, number: int
    ) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, jurisdiction, code, number)


class RobotsResource:
    """`robots.txt`: law may be read and indexed, searches and accounts not."""

    def __init__(self, public_url: str) -> None:
        closed = [f"Disallow: {path}" for path in ("/search", "/settings", "/report/", "/api/")]
        self._text = "\n".join(
            ("User-agent: *", *closed, "", f"Sitemap: {public_url}/sitemap.xml", "")
        ).encode()

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the text."""
        resp.set_header("Cache-Control", PUBLIC)
        send_made(req, resp, self._text, content_type="text/plain; charset=utf-8")

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
