"""`/api/v1/gis/{shortCode}` and `/api/v1/gis/{shortCode}/at`: zoning layers, and the zones at a point."""

import hashlib

import falcon
import falcon.asgi

from serving.api import operations, parameters
from serving.api.rendering import ANSWERS
from serving.concurrency.pool import BoundedPool
from serving.concurrency.presence import presence_in
from serving.http.charging import Meter
from serving.responses.bodies import not_modified, send_made, send_stored, send_text
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.snapshots import SnapshotHolder
from serving.services.zoning import layer_body, layer_geojson, locate

GEOJSON = "application/geo+json"


class LayerResource:
    """One zoning layer: with what is said of it, or as GeoJSON alone."""

    def __init__(self, meter: Meter, snapshots: SnapshotHolder, pool: BoundedPool) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._pool = pool

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer with the whole layer."""
        async with self._meter.charging(req, resp, operations.GIS) as charging:
            values = parameters.parse(req.params, parameters.READ, req.query_string)
            code = parameters.parse_jurisdiction(short_code)
            wanted = accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON, GEOJSON))
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                stored = layer_body(snapshot, code)
                if wanted == falcon.MEDIA_JSON:
                    send_stored(req, resp, stored)
                    return
                # Megabytes are cut out and compressed: too long for the event loop.
                await self._pool.run(
                    lambda: send_text(
                        req, resp, layer_geojson(stored), etag=f"{stored.etag}-geojson", content_type=GEOJSON
                    ),
                    client=charging.caller.key_hash,
                    presence=presence_in(req.scope),
                )


class LocationResource:
    """The zones at a point."""

    def __init__(self, meter: Meter, snapshots: SnapshotHolder, pool: BoundedPool) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._pool = pool

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, short_code: str) -> None:
        """Answer with every zone of the layer that covers the point."""
        async with self._meter.charging(req, resp, operations.GIS_AT) as charging:
            values = parameters.parse(req.params, parameters.LOCATION, req.query_string)
            code = parameters.parse_jurisdiction(short_code)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            latitude, longitude = values["lat"], values["lon"]
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                # The first look-up in a layer may have to index it: too long for the event loop.
                location = await self._pool.run(
                    lambda: locate(snapshot, code, latitude=latitude, longitude=longitude),
                    client=charging.caller.key_hash,
                    presence=presence_in(req.scope),
                )
                asked = f"{snapshot.id} {location.short_code} {latitude!r} {longitude!r}".encode()
            etag = f'W/"{hashlib.blake2b(asked, digest_size=16).hexdigest()}"'
            if not not_modified(req, resp, etag):
                send_made(req, resp, ANSWERS.json(location), content_type=falcon.MEDIA_JSON)
