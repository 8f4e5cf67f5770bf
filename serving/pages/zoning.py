"""Pages under `/zoning`: maps of zoning layers with the law behind each zone, free for all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

import falcon
import falcon.asgi

from serving.api import parameters
from serving.concurrency.pool import BoundedPool
from serving.contract.errors import NotFoundError, ValidationError
from serving.contract.layers import LayerEntry
from serving.metering.allowances import Allowances
from serving.pages.public import POLICY, ErrorPage, PublicSite, redirected
from serving.pages.ready_files import (
    CSS,
    SCRIPT,
    ReadyFile,
    ReadyFilesResource,
    addresses,
    own_files,
    packaged_files,
)
from serving.pages.rendering import Renderer
from serving.pages.static_files import ASK_AGAIN
from serving.pages.zones import ZoneList, list_zones
from serving.points import parse_point, written_point
from serving.responses.bodies import send_stored
from serving.responses.leases import lease_for
from serving.services.addresses import page_of
from serving.services.excerpts import Excerpt, excerpt
from serving.services.nodes import find_node
from serving.services.snapshots import SnapshotHolder
from serving.services.zoning import Location, find_layer, locate, time_note
from serving.snapshot.layers import Layer
from serving.snapshot.store import Snapshot

PREFIX = "/zoning"
STATIC = "/zoning/static/"
OURS = {"zoning.css": CSS, "zoning.js": SCRIPT}
MAPLIBRE = {"maplibre-gl.css": CSS, "maplibre-gl.js": SCRIPT}
MAP_POLICY = POLICY.replace(
    # The map library draws in workers that it makes itself, and its style sheet holds its marks as data.
    "img-src 'self'",
    "img-src 'self' data: blob:; connect-src 'self'; worker-src blob:; child-src blob:",
)
TITLES = {
    404: "There is no such map",
    422: "The address is mistyped",
    429: "Too many points at once",
    503: "Not available right now",
}
_NO_ADDRESSES = "Addresses are not looked up here: nobody else is told what you ask for."
_POINTS = (
    "This network has asked for the zones of {most} points or addresses within a minute. Wait a little, and "
    "go on. Keys of the API are free, and have limits of their own."
)

LONGEST = 200
"""Characters of a point that are examined."""

App = falcon.asgi.App[Any, Any]


@dataclass(frozen=True, slots=True)
class MapPage:
    """The model of a map's page.

    Attributes:
        pages: addresses of the provisions that define zones, by their ids.
        example: a point in one of them.
        geocoder: host that addresses are looked up by; None where they are not looked up.
        map_address: address of the simplified layer.
        time_note: what follows from map and code being of different times; None where they are not far apart.
    """

    zones: ZoneList
    pages: Mapping[str, str]
    example: str
    geocoder: str | None
    map_address: str
    time_note: str | None
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class PointPage:
    """The model of a page with the zones at a point.

    Attributes:
        point: the point as it is written, or as it was given where it is none.
        location: the zones; None where the point cannot be looked up, and `problem` says why.
        pages: addresses of the provisions that define them, by their ids.
        example: a point that has a zone.
        geocoder: host that addresses are looked up by; None where they are not looked up.
    """

    layer: LayerEntry
    point: str
    location: Location | None
    pages: Mapping[str, str]
    example: str
    geocoder: str | None
    problem: str | None
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class IndexPage:
    """The model of the list of maps. `geocoder` is as on the page of a map."""

    layers: tuple[LayerEntry, ...]
    geocoder: str | None
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class ProvisionPage:
    """The model of a page with a provision's first lines. `address` is that of its own page."""

    layer: LayerEntry
    provision: Excerpt
    address: str
    files: dict[str, str]


def add_zoning(
    app: App,
    renderer: Renderer,
    snapshots: SnapshotHolder,
    pool: BoundedPool,
    *,
    geocoder: str | None,
    points_per_minute: int,
) -> "ZoningSite":
    """Add the pages to the application, and return what they have in common.

    Args:
        app: application to add the routes to.
        renderer: renderer of the templates.
        snapshots: hold the layers.
        pool: runs the making of pages that are not ready.
        geocoder: host that addresses are looked up by; None where they are not looked up.
        points_per_minute: points, or addresses, of which one network may look zones up.
    """
    found = zoning_files()
    points = Allowances(points_per_minute, refusal=_POINTS)
    site = ZoningSite(renderer, snapshots, pool, addresses(STATIC, found), points, geocoder)
    app.add_route(PREFIX, IndexResource(site))
    app.add_route(PREFIX + "/{short_code}", MapResource(site))
    app.add_route(PREFIX + "/{short_code}/map.json", MapDataResource(site))
    app.add_route(PREFIX + "/{short_code}/at", PointResource(site))
    app.add_route(PREFIX + "/{short_code}/provisions/{node_id}", ProvisionResource(site))
    app.add_route(STATIC + "{name}", ReadyFilesResource(found))
    return site


@lru_cache(maxsize=1)
def zoning_files() -> dict[str, ReadyFile]:
    """Read the style sheets and scripts, by name."""
    return packaged_files("maplibre", "maplibre/srcjs", MAPLIBRE) | own_files(OURS)


class ZoningSite(PublicSite):
    """Common parts of the pages: their headers, their errors, and the pages kept ready."""

    def __init__(
        self,
        renderer: Renderer,
        snapshots: SnapshotHolder,
        pool: BoundedPool,
        files: dict[str, str],
        points: Allowances,
        geocoder: str | None,
    ) -> None:
        super().__init__(renderer, pool, ErrorPage("zoning_error.html", TITLES))
        self.snapshots = snapshots
        self.files = files
        self.points = points
        self.geocoder = geocoder

    def key(self, *parts: str) -> tuple[str, ...]:
        """Return what identifies a page on which a field for addresses may stand."""
        return (*parts, self.geocoder or "")

    def send(self, resp: falcon.asgi.Response, page: bytes, *, status: str) -> None:
        """Answer with a page that nobody keeps."""
        resp.status = status
        resp.set_header("Cache-Control", "no-store")
        resp.content_type = falcon.MEDIA_HTML
        resp.data = page


class IndexResource:
    """The list of maps."""

    def __init__(self, site: ZoningSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the list."""
        self._site.begin(req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            layers = tuple(layer.entry for layer in snapshot.layers)
            page = IndexPage(layers, self._site.geocoder, self._site.files)
            await self._site.show(req, resp, self._site.key(snapshot.id), lambda: ("zoning_index.html", page))

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class MapResource:
    """One map with the list of its zones."""

    def __init__(self, site: ZoningSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer with the page."""
        self._site.begin(req, resp, policy=MAP_POLICY)
        named = parameters.parse_jurisdiction(short_code)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            layer = find_layer(snapshot, named)
            if redirected(req, resp, _address(layer)):
                return

            def make() -> tuple[str, object]:
                # Named by its content, so that a browser need not ask again.
                address = f"{_address(layer)}/map.json?v={layer.map.etag[:16]}"
                zones = list_zones(layer.entry, layer.zones())
                page = MapPage(
                    zones=zones,
                    pages=pages_of(snapshot, (zone.node_id for zone in layer.zones())),
                    example=_example(snapshot, layer),
                    geocoder=self._site.geocoder,
                    map_address=address,
                    time_note=time_note(layer.entry),
                    files=self._site.files,
                )
                return "zoning_map.html", page

            key = self._site.key(snapshot.id, layer.entry.short_code)
            await self._site.show(req, resp, key, make)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, short_code)


class PointResource:
    """The zones at a point, each with the provision that defines it."""

    def __init__(self, site: ZoningSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer with the page; a point that cannot be looked up is told beside the field for it."""
        self._site.begin(req, resp)
        named = parameters.parse_jurisdiction(short_code)
        given = (req.get_param("point") or "")[:LONGEST]
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            layer = find_layer(snapshot, named)
            if redirected(req, resp, f"{_address(layer)}/at"):
                return
            code = layer.entry.short_code
            try:
                point = self._point(given)
                self._site.points.take(req.remote_addr)
                key = self._site.key(snapshot.id, code, written_point(point))
                await self._site.show(req, resp, key, lambda: self._page(snapshot, code, point))
            except ValidationError as error:
                page = PointPage(
                    layer=layer.entry,
                    point=given,
                    location=None,
                    pages={},
                    example=_example(snapshot, layer),
                    geocoder=self._site.geocoder,
                    problem=str(error),
                    files=self._site.files,
                )
                body = self._site.render("zoning_point.html", page)
                self._site.send(resp, body, status=falcon.HTTP_422)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, short_code)

    def _point(self, given: str) -> tuple[float, float]:
        """Return the point that was given.

        Raises:
            ValidationError: it is none.
        """
        try:
            return parse_point(given)
        except ValueError as error:
            addresses = "" if self._site.geocoder else f" {_NO_ADDRESSES}"
            raise ValidationError(
                f"{error}{addresses} Or click the place on the map of this city.", parameter="point"
            ) from error

    def _page(self, snapshot: Snapshot, code: str, point: tuple[float, float]) -> tuple[str, object]:
        latitude, longitude = point
        found = locate(snapshot, code, latitude=latitude, longitude=longitude)
        pages = pages_of(snapshot, (zone.node_id for zone in (*found.zones, *found.across_boundary)))
        layer = find_layer(snapshot, code)
        return "zoning_point.html", PointPage(
            layer=layer.entry,
            point=written_point(point),
            location=found,
            pages=pages,
            example=_example(snapshot, layer),
            geocoder=self._site.geocoder,
            problem=None,
            files=self._site.files,
        )


class MapDataResource:
    """The simplified layer, as a map draws it."""

    def __init__(self, site: ZoningSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer with the GeoJSON."""
        self._site.begin(req, resp)
        named = parameters.parse_jurisdiction(short_code)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            layer = find_layer(snapshot, named)
            if not redirected(req, resp, f"{_address(layer)}/map.json"):
                send_stored(req, resp, layer.map, cache=ASK_AGAIN)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, short_code)


class ProvisionResource:
    """The first lines of a provision that defines a zone of the layer; other provisions are not found."""

    def __init__(self, site: ZoningSite) -> None:
        self._site = site

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str, node_id: str
    ) -> None:
        """Answer with the page."""
        self._site.begin(req, resp)
        named = parameters.parse_jurisdiction(short_code)
        node = parameters.parse_id(node_id)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            layer = find_layer(snapshot, named)
            if redirected(req, resp, f"{_address(layer)}/provisions/{node}"):
                return
            code = layer.entry.short_code
            key = (snapshot.id, code, str(node))
            await self._site.show(req, resp, key, lambda: self._page(snapshot, code, node))

    async def on_head(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str, node_id: str
    ) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, short_code, node_id)

    def _page(self, snapshot: Snapshot, code: str, node: UUID) -> tuple[str, object]:
        layer = find_layer(snapshot, code)
        defines = any(zone.node_id == str(node) for zone in layer.zones())
        provision = excerpt(snapshot, node) if defines else None
        if provision is None:
            raise NotFoundError(f"No zone of {code} is defined by a provision of that id.", kind="node")
        address = page_of(snapshot, find_node(snapshot, node))
        return "zoning_provision.html", ProvisionPage(layer.entry, provision, address, self._site.files)


def _address(layer: Layer) -> str:
    return f"{PREFIX}/{layer.entry.short_code}"


def pages_of(snapshot: Snapshot, nodes: Iterable[str | None]) -> Mapping[str, str]:
    """Return the addresses of provisions' pages, by id."""
    return {node: page_of(snapshot, find_node(snapshot, UUID(node))) for node in nodes if node is not None}


def _example(snapshot: Snapshot, layer: Layer) -> str:
    return written_point(snapshot.layers.points(layer).inner_point())
