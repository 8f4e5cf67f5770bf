"""Answers that a snapshot carries ready to send, without a key: quality, corrections, the comparison."""

from collections.abc import Callable

import falcon
import falcon.asgi

from serving.api import parameters
from serving.responses.bodies import send_stored
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody

MINUTES = "public, max-age=300"
"""Cache header of what is read about a snapshot. It is shorter than that of documents of the server, because
another snapshot may come into service at any minute."""
HOUR = "public, max-age=3600"


class StoredResource:
    """One answer of the snapshot in service, or of the one that a request names.

    Args:
        snapshots: the open snapshots.
        body: gives the answer of a snapshot; raises NotFoundError where it was published without.
        cache: value of the header Cache-Control.
    """

    def __init__(
        self, snapshots: SnapshotHolder, body: Callable[[Snapshot], StoredBody], *, cache: str
    ) -> None:
        self._snapshots = snapshots
        self._body = body
        self._cache = cache

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with what the snapshot was published with."""
        values = parameters.parse(req.params, parameters.READ, req.query_string)
        accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
        with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
            send_stored(req, resp, self._body(snapshot), cache=self._cache)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
