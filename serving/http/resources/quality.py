"""`/api/v1/quality`: scores of the snapshot, served without a key."""

import falcon
import falcon.asgi

from serving.api import parameters
from serving.responses.bodies import send_stored
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.quality import quality
from serving.services.snapshots import SnapshotHolder

PUBLIC = "public, max-age=300"
"""Cache header of the report: shorter than that of documents of the server, because another snapshot may come
into service at any minute."""


class QualityResource:
    """Retrieval and citation scores of a snapshot."""

    def __init__(self, snapshots: SnapshotHolder) -> None:
        self._snapshots = snapshots

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the report that is part of the snapshot."""
        values = parameters.parse(req.params, parameters.READ, req.query_string)
        accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
        with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
            send_stored(req, resp, quality(snapshot), cache=PUBLIC)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
