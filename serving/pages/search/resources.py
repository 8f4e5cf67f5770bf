"""Resources of the pages that find law: the search, and the first page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import falcon
import falcon.asgi

from serving.api import parameters
from serving.api.discovery import contract
from serving.concurrency.pool import BoundedPool
from serving.concurrency.presence import presence_in
from serving.contract.errors import ValidationError
from serving.metering.addresses import network_of
from serving.pages.dashboard import Prices, prices
from serving.pages.law.notices import Notice, notice_of, notice_of_words
from serving.pages.law.site import LawSite, preferred, refuse_other_times
from serving.pages.public import go
from serving.pages.search.results import FILTERS, SEARCH, empty_page, results_page
from serving.pages.search.welcome import welcome_page
from serving.responses.leases import lease_for
from serving.services.addresses import NOTES, fragment_of, page_of
from serving.services.citations.listed_parts import listed_parts
from serving.services.citations.resolution import Outcome, Reason, Resolution
from serving.services.citations.resolve import resolve
from serving.services.known_values import known_request
from serving.services.requests import SearchRequest
from serving.services.search import SearchService
from serving.snapshot.store import Snapshot

NAMES = ("q", "page", *FILTERS, "status", "mode", "facets")
"""Parameters of a search's address; those of the API, so that one address is easily made the other. Facets
are on every page, asked for or not."""
SHOWN = 20

App = falcon.asgi.App[Any, Any]


@dataclass(frozen=True, slots=True)
class _Looked:
    """A query read as a citation: the page that it leads to, or what there is to say of it."""

    address: str | None
    notice: Notice | None


def add_search(app: App, site: LawSite, service: SearchService, pool: BoundedPool, *, sells: bool) -> None:
    """Add the pages to the application.

    Args:
        app: application to add the routes to.
        site: common work of the pages.
        service: answers the searches; the API's.
        pool: runs them.
        sells: packs are sold here.
    """
    app.add_route(SEARCH, SearchResource(site, service, pool))
    app.add_route("/", WelcomeResource(site, prices(sells=sells)))


class SearchResource:
    """Search results as a page, or the provision that a typed citation names."""

    def __init__(self, site: LawSite, service: SearchService, pool: BoundedPool) -> None:
        self._site = site
        self._service = service
        self._pool = pool

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer a search, or with the search box alone where nothing is asked for."""
        self._site.begin(req, resp)
        refuse_other_times(req)
        _refuse_unheeded(req)
        given = {name: value for name, value in req.params.items() if name in NAMES and value}
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            if not str(given.get("q", "")).strip():
                await self._site.show(req, resp, (snapshot.id, SEARCH), lambda: ("search.html", empty_page()))
                return
            self._site.searches.take(req.remote_addr)
            request = _request(given, req.query_string)
            request = known_request(snapshot, request)
            client = network_of(req.remote_addr)
            looked = await self._pool.run(lambda: _look_up(snapshot, request.query), client=client)
            if looked.address is not None and request.page == 1:
                go(resp, looked.address)
                return
            presence = presence_in(req.scope)

            def make() -> tuple[str, object]:
                found = self._service.search(snapshot, request, is_abandoned=lambda: presence.is_gone)
                return "search.html", results_page(snapshot, request, found, looked.notice)

            key = (snapshot.id, SEARCH, repr(request))
            await self._site.show(req, resp, key, make, pool=self._pool)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class WelcomeResource:
    """The first page of the service. Programs that ask for JSON find none here, as for any unknown path."""

    def __init__(self, site: LawSite, price_list: Prices) -> None:
        self._site = site
        self._prices = price_list
        self._summary = contract()["info"]["summary"]

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the page.

        Raises:
            HTTPNotFound: the request asks for JSON.
        """
        if preferred(req.get_header("Accept")) == falcon.MEDIA_JSON:
            raise falcon.HTTPNotFound
        self._site.visit(req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            await self._site.show(
                req,
                resp,
                (snapshot.id, "/"),
                lambda: (
                    "welcome.html",
                    welcome_page(snapshot, self._prices, self._site.public_url, self._summary),
                ),
            )

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


def _request(given: Mapping[str, str | list[str]], query_string: str) -> SearchRequest:
    """Return the search that an address asks for.

    Raises:
        ValidationError: a parameter is malformed or out of bounds.
    """
    values = parameters.parse(given, NAMES, query_string)
    return SearchRequest(
        query=values["q"],
        page=values["page"],
        limit=SHOWN,
        jurisdiction=values["jurisdiction"],
        code_body=values["codeBody"],
        level=values["level"],
        tag=values["tag"],
        mode=values["mode"],
        statuses=values["status"],
        facets=True,
    )


def _refuse_unheeded(req: falcon.asgi.Request) -> None:
    """Refuse what changes the API's search and not the page's: its results must not be taken for those.

    Names that the API does not know, such as those that mailings add, are passed over.

    Raises:
        ValidationError: the address has such a parameter.
    """
    for name in parameters.SEARCH:
        if name in req.params and name not in NAMES:
            raise ValidationError(
                f"This page does not take `{name}`: it shows {SHOWN} results, and others with `page`. "
                f"The API takes it, at /api/v1{SEARCH}.",
                parameter=name,
            )


def _look_up(snapshot: Snapshot, query: str) -> _Looked:
    """Return what a query names, where it is a citation.

    One that names a single provision leads there, dead or alive: to the part that it pins, the first of
    several, or the notes where one of these is cited. The name of an act does not: who types it
    may look for what is written about the act, so that its place is told above the results. So are the
    provisions that are cited among other words.
    """
    found = resolve(snapshot, query)
    if found.outcome is Outcome.UNPARSED:
        return _Looked(None, notice_of_words(snapshot, query))
    parts = listed_parts(found)
    if parts is not None:
        return _Looked(page_of(snapshot, parts.provision.row) + f"#{fragment_of(parts.pins[0].label)}", None)
    provision = found.provision
    if provision is None or found.outcome is Outcome.PIN_NOT_FOUND or found.reason is Reason.ACT:
        return _Looked(None, notice_of(snapshot, found))
    return _Looked(page_of(snapshot, provision.row) + _pinned(found), None)


def _pinned(found: Resolution) -> str:
    if found.reason is Reason.NOTE:
        return f"#{NOTES}"
    return f"#{fragment_of(found.pin.label)}" if found.pin is not None and found.pin.found else ""
