"""What describes the service and its state: the OpenAPI document, liveness and readiness."""

import gzip
from functools import lru_cache
from importlib.resources import files

import falcon
import falcon.asgi
import orjson
import pyarrow as pa

from serving.contract.identity import content_etag
from serving.http import params
from serving.http.bodies import send_stored
from serving.http.leases import lease_for
from serving.http.negotiation import accepted_type
from serving.metering.billing import Billing
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.table import StoredBody

PUBLIC = "public, max-age=3600"


@lru_cache(maxsize=4)
def openapi_document(public_url: str) -> StoredBody:
    """Return the OpenAPI document of the service at an address, ready to send."""
    document = orjson.loads(files("serving.http").joinpath("openapi.json").read_bytes())
    document["servers"] = [{"url": public_url, "description": "This service."}]
    plain = orjson.dumps(document)
    return StoredBody(
        content_etag(plain),
        plain,
        gzip.compress(plain, 9, mtime=0),
        pa.Codec("zstd", 19).compress(plain, asbytes=True),
    )


class OpenApiResource:
    """The machine-readable description of the service."""

    def __init__(self, *, public_url: str) -> None:
        self._document = openapi_document(public_url)

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the OpenAPI document."""
        params.parse(req.params, params.NONE)
        accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
        send_stored(req, resp, self._document, cache=PUBLIC)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class HealthResource:
    """Liveness: the process answers."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer that the process lives."""
        params.parse(req.params, params.NONE)
        _send_state(resp, {"status": "ok"})

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class ReadyResource:
    """Readiness: a snapshot is open with its tables and both indexes, and the store of accounts answers."""

    def __init__(self, snapshots: SnapshotHolder, billing: Billing) -> None:
        self._snapshots = snapshots
        self._billing = billing

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer which snapshot is in service, or 503 while there is none or the store does not answer."""
        params.parse(req.params, params.NONE)
        await self._billing.check()
        with await lease_for(req, self._snapshots, None) as snapshot:
            counts = {
                "nodes": len(snapshot.nodes),
                "keyword": len(snapshot.keyword),
                "vectors": len(snapshot.vectors),
            }
        _send_state(resp, {"status": "ready", "snapshot": snapshot.id, "rows": counts})

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


def _send_state(resp: falcon.asgi.Response, state: dict[str, object]) -> None:
    resp.set_header("Cache-Control", "no-store")
    resp.content_type = falcon.MEDIA_JSON
    resp.data = orjson.dumps(state)
