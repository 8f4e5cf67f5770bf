"""Pages under `/zoning`: maps of zoning layers with the law behind each zone, free for all."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

import falcon
import falcon.asgi

from serving.api import parameters
from serving.concurrency.pool import BoundedPool
from serving.contract.errors import NotFoundError
from serving.contract.layers import LayerEntry
from serving.metering.addresses import network_of
from serving.pages.frames import Frame
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
from serving.pages.rendering import ErrorText, Renderer
from serving.pages.static_files import ASK_AGAIN
from serving.pages.zones import ZoneList, list_zones
from serving.responses.bodies import send_stored
from serving.responses.documents import ready_to_send
from serving.responses.leases import lease_for
from serving.services.excerpts import Excerpt, excerpt
from serving.services.snapshots import SnapshotHolder
from serving.services.zoning import find_layer
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody

PREFIX = "/zoning"
STATIC = "/zoning/static/"
MOST_KEPT = 64
"""Most pages that a worker keeps ready; the one not asked for longest is dropped first."""
OURS = {"zoning.css": CSS, "zoning.js": SCRIPT}
MAPLIBRE = {"maplibre-gl.css": CSS, "maplibre-gl.js": SCRIPT}
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
MAP_POLICY = POLICY.replace(
    # The map library draws in workers that it makes itself, and its style sheet holds its marks as data.
    "img-src 'self'",
    "img-src 'self' data: blob:; connect-src 'self'; worker-src blob:; child-src blob:",
)
TITLES = {404: "There is no such map", 422: "The address is mistyped", 503: "Not available right now"}

App = falcon.asgi.App[Any, Any]


@dataclass(frozen=True, slots=True)
class MapPage:
    """The model of a map's page. `map_address` is that of the simplified layer."""

    zones: ZoneList
    map_address: str
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class IndexPage:
    """The model of the list of maps."""

    layers: tuple[LayerEntry, ...]
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class ProvisionPage:
    """The model of a page with a provision's first lines."""

    layer: LayerEntry
    provision: Excerpt
    files: dict[str, str]


def add_zoning(app: App, renderer: Renderer, snapshots: SnapshotHolder, pool: BoundedPool) -> None:
    """Add the pages to the application.

    Args:
        app: application to add the routes to.
        renderer: renderer of the templates.
        snapshots: hold the layers.
        pool: runs the making of pages that are not ready.
    """
    found = zoning_files()
    site = ZoningSite(renderer, snapshots, pool, addresses(STATIC, found))
    app.add_route(PREFIX, IndexResource(site))
    app.add_route(PREFIX + "/{short_code}", MapResource(site))
    app.add_route(PREFIX + "/{short_code}/map.json", MapDataResource(site))
    app.add_route(PREFIX + "/{short_code}/provisions/{node_id}", ProvisionResource(site))
    app.add_route(STATIC + "{name}", ReadyFilesResource(found))


@lru_cache(maxsize=1)
def zoning_files() -> dict[str, ReadyFile]:
    """Read the style sheets and scripts, by name."""
    return packaged_files("maplibre", "maplibre/srcjs", MAPLIBRE) | own_files(OURS)


class ZoningSite:
    """Common parts of the pages: their headers, their errors, and the pages kept ready."""

    def __init__(
        self, renderer: Renderer, snapshots: SnapshotHolder, pool: BoundedPool, files: dict[str, str]
    ) -> None:
        self.snapshots = snapshots
        self.files = files
        self._renderer = renderer
        self._pool = pool
        self._kept: OrderedDict[tuple[str, ...], StoredBody] = OrderedDict()

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
    ) -> None:
        """Answer with a page, which is made now if it is not kept ready.

        Args:
            req: the request.
            resp: the response.
            key: identifies the page and its snapshot.
            make: returns its template and model.
        """
        page = self._kept.get(key)
        if page is None:
            client = network_of(req.remote_addr)
            page = await self._pool.run(lambda: self._rendered(*make()), client=client)
            self._kept[key] = page
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        send_stored(req, resp, page, cache=ASK_AGAIN, content_type=falcon.MEDIA_HTML)

    def _rendered(self, template: str, model: object) -> StoredBody:
        frame = Frame(account=None, form_token="")
        return ready_to_send(self._renderer.render(template, frame=frame, page=model).encode())

    def _show_error(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, status: int, message: str
    ) -> None:
        del req
        title = TITLES.get(status, falcon.code_to_http_status(status)[4:])
        resp.status = status
        resp.content_type = falcon.MEDIA_HTML
        resp.data = self._renderer.render(
            "zoning_error.html", frame=Frame(account=None, form_token=""), page=ErrorText(title, message)
        ).encode()


class IndexResource:
    """The list of maps."""

    def __init__(self, site: ZoningSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the list."""
        self._site.begin(req, resp)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            layers = tuple(layer.entry for layer in snapshot.layers)
            page = IndexPage(layers, self._site.files)
            await self._site.show(req, resp, (snapshot.id,), lambda: ("zoning_index.html", page))

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
        code = parameters.parse_short_code(short_code)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            layer = find_layer(snapshot, code)

            def make() -> tuple[str, object]:
                # Named by its content, so that a browser need not ask again.
                address = f"{PREFIX}/{code}/map.json?v={layer.map.etag[:16]}"
                zones = list_zones(layer.entry, layer.zones())
                return "zoning_map.html", MapPage(zones, address, self._site.files)

            await self._site.show(req, resp, (snapshot.id, code), make)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, short_code)


class MapDataResource:
    """The simplified layer, as a map draws it."""

    def __init__(self, site: ZoningSite) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer with the GeoJSON."""
        self._site.begin(req, resp)
        code = parameters.parse_short_code(short_code)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
            send_stored(req, resp, find_layer(snapshot, code).map, cache=ASK_AGAIN)

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
        code = parameters.parse_short_code(short_code)
        node = parameters.parse_id(node_id)
        with await lease_for(req, self._site.snapshots, None) as snapshot:
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
        return "zoning_provision.html", ProvisionPage(layer.entry, provision, self._site.files)
