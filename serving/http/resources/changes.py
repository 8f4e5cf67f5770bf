"""`/api/v1/changes` and `/api/v1/node/{id}/history`: what changed from one snapshot to another."""

import asyncio
import hashlib
from urllib.parse import urlencode
from uuid import UUID

import falcon
import falcon.asgi

from serving.api import operations, parameters
from serving.api.rendering import ANSWERS
from serving.api.requests import changes_request
from serving.concurrency.pool import BoundedPool
from serving.concurrency.presence import presence_in
from serving.http.charging import Meter
from serving.responses.bodies import not_modified, send_made
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.changes import SnapshotPair, changes_page, find_pair
from serving.services.history import node_history
from serving.services.requests import RESULT_WINDOW, ChangesRequest
from serving.services.snapshots import SnapshotHolder


class ChangesResource:
    """The changes between two snapshots, a page at a time."""

    def __init__(
        self, meter: Meter, snapshots: SnapshotHolder, pool: BoundedPool, *, public_url: str
    ) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._pool = pool
        self._address = f"{public_url}/api/v1/changes"

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with a page of the changes."""
        async with self._meter.charging(req, resp, operations.CHANGES) as charging:
            values = parameters.parse(req.params, parameters.CHANGES, req.query_string)
            asked = changes_request(values)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            pair = await asyncio.to_thread(find_pair, self._snapshots, asked)
            req.context.snapshot_id = pair.until
            if not_modified(req, resp, _etag(pair, asked)):
                return
            await charging.settle()
            found = await self._pool.run(
                lambda: changes_page(self._snapshots, pair, asked), presence=presence_in(req.scope)
            )
            seen = asked.page.offset + asked.page.limit
            if seen < found.total and seen + asked.page.limit <= RESULT_WINDOW:
                resp.set_header("Link", f'<{self._address}?{_next_page(pair, asked)}>; rel="next"')
            send_made(req, resp, ANSWERS.json(found), content_type=falcon.MEDIA_JSON)


def _etag(pair: SnapshotPair, asked: ChangesRequest) -> str:
    """Return the weak entity tag of an answer: neither snapshot ever changes."""
    digest = hashlib.blake2b(f"{pair!r}\0{asked!r}".encode(), digest_size=16)
    return f'W/"{digest.hexdigest()}"'


def _next_page(pair: SnapshotPair, asked: ChangesRequest) -> str:
    """Return the query of the next page, of the same two snapshots."""
    query = {
        "from": pair.since,
        "to": pair.until,
        "jurisdiction": pair.jurisdiction,
        "codeBody": asked.code_body,
        "container": asked.container,
        "kind": asked.kind,
        "page": asked.page.page + 1,
        "limit": asked.page.limit,
    }
    return urlencode({name: value for name, value in query.items() if value is not None})


class HistoryResource:
    """The history of one provision in the retained snapshots."""

    def __init__(self, meter: Meter, snapshots: SnapshotHolder, pool: BoundedPool) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._pool = pool

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, node_id: str) -> None:
        """Answer with the states of the provision of this id and with its changes."""
        async with self._meter.charging(req, resp, operations.HISTORY):
            parameters.parse(req.params, parameters.NONE, req.query_string)
            node = parameters.parse_id(node_id)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            with await lease_for(req, self._snapshots, None):
                retained = await asyncio.to_thread(self._snapshots.retained)
                etag = _history_etag(retained, node)
                if not_modified(req, resp, etag, is_made=False):
                    return
                found = await self._pool.run(
                    lambda: node_history(self._snapshots, node), presence=presence_in(req.scope)
                )
            if not not_modified(req, resp, etag):
                send_made(req, resp, ANSWERS.json(found), content_type=falcon.MEDIA_JSON)


def _history_etag(retained: tuple[str, ...], node: UUID) -> str:
    digest = hashlib.blake2b(f"{retained!r}\0{node}".encode(), digest_size=16)
    return f'W/"{digest.hexdigest()}"'
