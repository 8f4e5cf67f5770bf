"""Resources of the pages of law: lists, and provisions in HTML, JSON and Markdown."""

import asyncio
from typing import Any
from uuid import UUID

import falcon
import falcon.asgi

from serving.contract.errors import NotFoundError
from serving.contract.manifest import CodeBodyEntry
from serving.pages.law.changes import changes_of_body, history_page
from serving.pages.law.notices import lead_of, notice_of
from serving.pages.law.provisions import CITING_PER_PAGE, Step, citing_page, is_soon_made, provision_in_html
from serving.pages.law.shelves import code_body_page, jurisdiction_page, law_page
from serving.pages.law.site import (
    MARKDOWN,
    LawSite,
    MissingPage,
    held_body,
    page_number,
)
from serving.pages.law.sitemap_resources import add_sitemaps
from serving.pages.public import go, redirected
from serving.pages.static_files import ASK_AGAIN
from serving.responses.bodies import not_modified, send_made, send_stored
from serving.responses.leases import lease_for
from serving.responses.negotiation import HTML, prefers_page
from serving.services.addresses import (
    LAW,
    Place,
    find_place,
    find_published,
    page_of,
    page_of_body,
    row_at,
)
from serving.services.bibliography import bibliography_entry
from serving.services.jurisdictions import code_of, nearest_codes
from serving.services.nodes import node_markdown
from serving.services.requests import RESULT_WINDOW
from serving.snapshot.store import Snapshot

UNKNOWN = r"/(?!api/|mcp(?:/|$)|\.well-known/)"
"""Shape of an address that a person may have typed: not one of those that only programs call."""
PUBLISHED = rf"(?P<identifier>{UNKNOWN}[a-z]{{2,20}}(?:-[a-z0-9]{{1,20}}){{0,5}}/.{{1,300}})"
"""Shape of the publishers' own identifiers, which begin with a short code: `/us/usc/t17/s107`."""

App = falcon.asgi.App[Any, Any]


def add_law(app: App, site: LawSite) -> None:
    """Add the pages to the application."""
    app.add_route(LAW, LawResource(site))
    app.add_route(LAW + "/{jurisdiction}", JurisdictionResource(site))
    app.add_route(LAW + "/{jurisdiction}/{code}", CodeBodyResource(site))
    app.add_route(LAW + "/{jurisdiction}/{code}/{number:path}", ProvisionResource(site))
    add_sitemaps(app, site)
    # Of the sinks that match a path, the one added last answers.
    app.add_sink(UnknownAddress(site).refuse, prefix=UNKNOWN)
    app.add_sink(PublishedIdentifiers(site).lead, prefix=PUBLISHED)


class LawResource:
    """The list of all law."""

    def __init__(self, site: LawSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the list."""
        self._site.visit(req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            key = (snapshot.id, LAW)
            await self._site.show(req, resp, key, lambda: ("law_shelves.html", law_page(snapshot)))

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class JurisdictionResource:
    """The list of one jurisdiction's law."""

    def __init__(self, site: LawSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, jurisdiction: str) -> None:
        """Answer with the list."""
        self._site.visit(req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            code = code_of(snapshot.manifest, jurisdiction)
            if code is None:
                raise _no_jurisdiction(snapshot, jurisdiction)
            address = f"{LAW}/{code}"
            if redirected(req, resp, address):
                return
            key = (snapshot.id, address)
            await self._site.show(
                req, resp, key, lambda: ("law_shelves.html", jurisdiction_page(snapshot, code))
            )

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, jurisdiction: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, jurisdiction)


class CodeBodyResource:
    """The top level of a code body."""

    def __init__(self, site: LawSite) -> None:
        self._site = site

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, jurisdiction: str, code: str
    ) -> None:
        """Answer with the page."""
        self._site.visit(req, resp)
        page = page_number(req)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            body = held_body(snapshot, jurisdiction, code)
            address = page_of_body(body)
            if redirected(req, resp, address):
                return
            if req.get_param("view") == "changes":
                await self._show_changes(req, resp, snapshot, body, page)
                return
            key = (snapshot.id, address, str(page))
            await self._site.show(
                req, resp, key, lambda: ("law_body.html", code_body_page(snapshot, body, page=page))
            )

    async def on_head(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, jurisdiction: str, code: str
    ) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, jurisdiction, code)

    async def _show_changes(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        snapshot: Snapshot,
        body: CodeBodyEntry,
        page: int,
    ) -> None:
        kind, holder = req.get_param("kind"), self._site.snapshots
        await self._site.show(
            req,
            resp,
            (snapshot.id, body.id, "changes", "" if kind is None else f"={kind}", str(page)),
            lambda: (
                "law_changes.html",
                changes_of_body(holder, snapshot, body, kind=kind, page=page),
            ),
        )


class ProvisionResource:
    """One provision, as a page or in another format, or the provisions that cite it."""

    def __init__(self, site: LawSite) -> None:
        self._site = site

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, jurisdiction: str, code: str, number: str
    ) -> None:
        """Answer with the provision, or lead to its own address from another spelling of it."""
        wanted = self._site.visit_in_format(req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            row = row_at(snapshot, req.path)
            if row is None:
                body = held_body(snapshot, jurisdiction, code)
                self._lead(req, resp, snapshot, body, number, wanted=wanted)
            elif wanted == falcon.MEDIA_JSON:
                send_stored(req, resp, snapshot.nodes.body(row), cache=ASK_AGAIN)
            elif wanted == HTML and not req.query_string:
                await self._show_page(req, resp, snapshot, row, page=1)
            elif wanted == HTML:
                await self._show(req, resp, snapshot, row, req.path)
            else:
                self._send_text(req, resp, snapshot, snapshot.nodes.id(row), wanted)

    async def on_head(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, jurisdiction: str, code: str, number: str
    ) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, jurisdiction, code, number)

    def _lead(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        snapshot: Snapshot,
        body: CodeBodyEntry,
        number: str,
        *,
        wanted: str,
    ) -> None:
        """Lead to the address of what another spelling names, or say what there is where it names nothing.

        Raises:
            NotFoundError: it names nothing, and no page is wanted.
        """
        place = find_place(snapshot, body, number.rstrip("/"))
        if place.row is None:
            missing = _missing(snapshot, body, place, number)
            if wanted != HTML:
                raise NotFoundError(f"{missing.title}: {missing.message}", kind="node")
            self._site.show_missing(resp, missing)
            return
        fragment = f"#{place.fragment}" if place.fragment else ""
        redirected(req, resp, page_of(snapshot, place.row), fragment=fragment)

    def _send_text(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        snapshot: Snapshot,
        node: UUID,
        media_type: str,
    ) -> None:
        if media_type == MARKDOWN:
            rendition = node_markdown(snapshot, node)
        else:
            rendition = bibliography_entry(snapshot, node, media_type, public_url=self._site.public_url)
        if not not_modified(req, resp, f'W/"{rendition.etag}"', cache=ASK_AGAIN):
            send_made(req, resp, rendition.body, content_type=f"{media_type}; charset=utf-8")

    async def _show(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, snapshot: Snapshot, row: int, address: str
    ) -> None:
        page, view = page_number(req), req.get_param("view")
        if view == "cited-by":
            if page * CITING_PER_PAGE > RESULT_WINDOW:
                raise NotFoundError("The list of what cites it ends before.", kind="path")
            await self._site.show(
                req,
                resp,
                (snapshot.id, address, "cited-by", str(page)),
                lambda: ("law_citing.html", citing_page(snapshot, row, page=page)),
            )
            return
        holder = self._site.snapshots
        if view == "history":
            # What is retained changes without the snapshot in service.
            key = (snapshot.id, address, "history", *await asyncio.to_thread(holder.retained))
            await self._site.show(
                req, resp, key, lambda: ("law_history.html", history_page(holder, snapshot, row))
            )
            return
        await self._show_page(req, resp, snapshot, row, page=page)

    async def _show_page(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, snapshot: Snapshot, row: int, *, page: int
    ) -> None:
        public_url, shelf = self._site.public_url, self._site.shelf
        await self._site.show(
            req,
            resp,
            (snapshot.id, req.path, str(page)),
            lambda: provision_in_html(snapshot, row, page=page, public_url=public_url),
            at_once=lambda: is_soon_made(snapshot, row),
            prepared=lambda encoding: shelf.page(snapshot, row, encoding) if page == 1 else None,
        )


class PublishedIdentifiers:
    """Leads from a publisher's own identifier of a provision to its page; for paths that no route has."""

    def __init__(self, site: LawSite) -> None:
        self._site = site

    async def lead(self, req: falcon.asgi.Request, resp: falcon.asgi.Response | None, **found: str) -> None:
        """Answer with the redirect; any other path is not found.

        Raises:
            HTTPNotFound: no provision has this identifier.
        """
        if resp is None or req.method not in ("GET", "HEAD") or self._site.snapshots.current_id is None:
            raise not_found(self._site, req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            row = find_published(snapshot, found["identifier"])
            if row is None:
                raise not_found(self._site, req, resp)
            go(resp, page_of(snapshot, row), status=falcon.HTTP_301)


class UnknownAddress:
    """Refuses an address that nothing has: as a page to a person, as JSON to a program."""

    def __init__(self, site: LawSite) -> None:
        self._site = site

    async def refuse(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response | None, **_found: str
    ) -> None:
        """Raise the error.

        Raises:
            HTTPNotFound: always.
        """
        raise not_found(self._site, req, resp)


def not_found(
    site: LawSite, req: falcon.asgi.Request, resp: falcon.asgi.Response | None
) -> falcon.HTTPNotFound:
    """Return the error of an unknown address, which is shown as a page where the request prefers one.

    Below the addresses of other pages it is theirs to show.
    """
    is_shown = getattr(req.context, "error_page", None) is not None
    if resp is not None and not is_shown and prefers_page(req.get_header("Accept")):
        site.begin(req, resp)
    return falcon.HTTPNotFound()


def _no_jurisdiction(snapshot: Snapshot, given: str) -> NotFoundError:
    near = nearest_codes(snapshot.manifest, given)
    names = [snapshot.jurisdiction_names[code] for code in near]
    hint = f" The nearest are {', '.join(names)}." if names else ""
    return NotFoundError(f"No jurisdiction is listed here as {given[:40]}.{hint}", kind="jurisdiction")


def _missing(snapshot: Snapshot, body: CodeBodyEntry, place: Place, number: str) -> MissingPage:
    """Return what to say of a number that names no single provision."""
    steps = (Step("Law", LAW), Step(body.name, page_of_body(body)))
    if place.sharing:
        alike = tuple(lead_of(snapshot, row) for row in place.sharing)
        cited = snapshot.nodes.citation(place.sharing[0])
        return MissingPage(f"Several provisions are {cited}", "The source numbers them alike.", alike, steps)
    notice = place.resolution and notice_of(snapshot, place.resolution)
    message = notice.message if notice else f"{body.name} has nothing under {number[:80]}."
    return MissingPage("There is no such provision", message, notice.leads if notice else (), steps)
