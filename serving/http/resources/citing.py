"""`/api/v1/node/{id}/cited-by`: the provisions that refer to one."""

import hashlib
from urllib.parse import urlencode
from uuid import UUID

import falcon
import falcon.asgi

from serving.api import operations, parameters
from serving.api.rendering import ANSWERS
from serving.api.requests import page_request
from serving.concurrency.pool import BoundedPool
from serving.concurrency.presence import presence_in
from serving.http.charging import Meter
from serving.responses.bodies import not_modified, send_made
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.citing import citing_provisions
from serving.services.nodes import find_node
from serving.services.requests import RESULT_WINDOW, PageRequest
from serving.services.snapshots import SnapshotHolder


class CitingResource:
    """The provisions that refer to one, a page at a time."""

    def __init__(
        self, meter: Meter, snapshots: SnapshotHolder, pool: BoundedPool, *, public_url: str
    ) -> None:
        self._meter = meter
        self._snapshots = snapshots
        self._pool = pool
        self._public_url = public_url

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, node_id: str) -> None:
        """Answer with a page of the provisions that the node's `citedByCount` counts."""
        async with self._meter.charging(req, resp, operations.CITED_BY) as charging:
            values = parameters.parse(req.params, parameters.PAGED, req.query_string)
            node, page = parameters.parse_id(node_id), page_request(values)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
                find_node(snapshot, node)
                if not_modified(req, resp, _etag(snapshot.id, node, page)):
                    return
                # Some provisions are cited by thousands: too many to sort on the event loop.
                found = await self._pool.run(
                    lambda: citing_provisions(snapshot, node, page),
                    client=charging.caller.key_hash,
                    presence=presence_in(req.scope),
                )
            seen = page.offset + page.limit
            if seen < found.total and seen + page.limit <= RESULT_WINDOW:
                query = urlencode({"page": page.page + 1, "limit": page.limit, "snapshot": snapshot.id})
                address = f"{self._public_url}/api/v1/node/{node}/cited-by?{query}"
                resp.set_header("Link", f'<{address}>; rel="next"')
            send_made(req, resp, ANSWERS.json(found), content_type=falcon.MEDIA_JSON)


def _etag(snapshot: str, node: UUID, page: PageRequest) -> str:
    asked = f"{snapshot} {node} {page.page} {page.limit}".encode()
    return f'W/"{hashlib.blake2b(asked, digest_size=16).hexdigest()}"'
