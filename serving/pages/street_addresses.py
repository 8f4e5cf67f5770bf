"""The page from a street address to its zones: what the operator's geocoder takes the address for, and where.

A wrong match has to be seen. So each is shown as the geocoder wrote it, with how exact its point is, and
zones are given for the house number that was asked for alone, never for the middle of a street or a city.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import falcon
import falcon.asgi

from serving.concurrency.pool import BoundedPool
from serving.contract.errors import ValidationError
from serving.contract.layers import LayerEntry
from serving.geocoding.geocoder import LONGEST, Geocoder, parse_address
from serving.geocoding.matches import Exactness, Match
from serving.metering.addresses import network_of
from serving.pages.zoning import PREFIX, ZoningSite, pages_of
from serving.points import written_point
from serving.responses.leases import lease_for
from serving.services.zoning import Location, layers_around, locate
from serving.snapshot.store import Snapshot

PATH = f"{PREFIX}/address"
TEMPLATE = "zoning_address.html"

App = falcon.asgi.App[Any, Any]


@dataclass(frozen=True, slots=True)
class FoundAddress:
    """A match, and what the maps say of it.

    Attributes:
        point: its point as it is written.
        is_house: its point stands for the house number that was asked for.
        is_exact: its point is that of the house, not one that was worked out along the street.
        number_differs: it has a house number, and that was not asked for.
        locations: the zones there, of each map that has some, or else of each map around it; empty unless it
            stands for the house.
        layers: the maps around it.
    """

    match: Match
    point: str
    is_house: bool
    is_exact: bool
    number_differs: bool
    locations: tuple[Location, ...]
    layers: tuple[LayerEntry, ...]


@dataclass(frozen=True, slots=True)
class AddressPage:
    """The model of the page.

    Attributes:
        asked: the address as it was given.
        found: the matches; None where none were looked for, and `problem` says why.
        pages: addresses of the provisions that define the zones, by their ids.
        layers: all maps.
        geocoder: host that addresses are looked up by; None where they are not looked up.
        by_openstreetmap: the geocoder's data are OpenStreetMap's, whose licence asks that it be named.
    """

    asked: str
    found: tuple[FoundAddress, ...] | None
    pages: Mapping[str, str]
    layers: tuple[LayerEntry, ...]
    geocoder: str | None
    by_openstreetmap: bool
    problem: str | None
    files: dict[str, str]


def add_street_addresses(
    app: App, site: ZoningSite, geocoder: Geocoder | None, *, pages: BoundedPool, questions: BoundedPool
) -> None:
    """Add the page to the application.

    Args:
        app: application to add the route to.
        site: what zoning pages have in common.
        geocoder: looks addresses up; None: the page says that they are not looked up.
        pages: runs the making of pages.
        questions: runs the questions to the geocoder.
    """
    app.add_route(PATH, AddressResource(site, geocoder, pages, questions))


class AddressResource:
    """The matches of an address, each with its zones. No answer is kept, by us or on its way."""

    def __init__(
        self, site: ZoningSite, geocoder: Geocoder | None, pages: BoundedPool, questions: BoundedPool
    ) -> None:
        self._site = site
        self._geocoder = geocoder
        self._pages = pages
        self._questions = questions

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the page; what cannot be looked up is told beside the field for it."""
        self._site.begin(req, resp)
        given = req.get_param("address") or ""
        found: tuple[Match, ...] | None = None
        problem, status = None, falcon.HTTP_200
        if self._geocoder is None:
            status = falcon.HTTP_404
        else:
            try:
                found = await self._matches(req, self._geocoder, parse_address(given))
            except ValidationError as error:
                problem, status = error.message, falcon.HTTP_422
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            body = await self._pages.run(
                lambda: self._page(snapshot, given[:LONGEST], found, problem),
                client=network_of(req.remote_addr),
            )
        self._site.send(resp, body, status=status)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    async def _matches(self, req: falcon.asgi.Request, geocoder: Geocoder, address: str) -> tuple[Match, ...]:
        self._site.points.require_room(req.remote_addr)
        self._site.points.count(req.remote_addr)
        kept = geocoder.recall(address)
        if kept is not None:
            return kept
        return await self._questions.run(lambda: geocoder.find(address), client=network_of(req.remote_addr))

    def _page(
        self, snapshot: Snapshot, asked: str, matches: Sequence[Match] | None, problem: str | None
    ) -> bytes:
        found = None if matches is None else tuple(_found(snapshot, match, asked) for match in matches)
        page = AddressPage(
            asked=asked,
            found=found,
            pages=pages_of(snapshot, _nodes(found or ())),
            layers=tuple(layer.entry for layer in snapshot.layers),
            geocoder=self._site.geocoder,
            by_openstreetmap=self._geocoder is not None and self._geocoder.kind == "nominatim",
            problem=problem,
            files=self._site.files,
        )
        return self._site.render(TEMPLATE, page)


def _found(snapshot: Snapshot, match: Match, asked: str) -> FoundAddress:
    layers = layers_around(snapshot, latitude=match.latitude, longitude=match.longitude)
    is_house = match.exactness is not Exactness.WIDER and match.has_number_of(asked)
    locations = tuple(
        locate(snapshot, layer.short_code, latitude=match.latitude, longitude=match.longitude)
        for layer in (layers if is_house else ())
    )
    return FoundAddress(
        match=match,
        point=written_point((match.latitude, match.longitude)),
        is_house=is_house,
        is_exact=match.exactness is Exactness.HOUSE,
        number_differs=match.number is not None and not is_house,
        locations=tuple(one for one in locations if one.zones) or locations,
        layers=layers,
    )


def _nodes(found: Iterable[FoundAddress]) -> Iterator[str | None]:
    for one in found:
        for location in one.locations:
            yield from (zone.node_id for zone in (*location.zones, *location.across_boundary))
