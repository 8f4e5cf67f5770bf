"""`/api/v1/corrections`: what was found wrong in the service, served without a key."""

import falcon
import falcon.asgi

from serving.api import parameters
from serving.responses.bodies import send_stored
from serving.responses.leases import lease_for
from serving.responses.negotiation import accepted_type
from serving.services.corrections import corrections
from serving.services.snapshots import SnapshotHolder

PUBLIC = "public, max-age=300"
"""Cache header of the list: that of the quality figures, which come with a snapshot too."""


class CorrectionsResource:
    """The corrections that were known when a snapshot was published."""

    def __init__(self, snapshots: SnapshotHolder) -> None:
        self._snapshots = snapshots

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the list that is part of the snapshot."""
        values = parameters.parse(req.params, parameters.READ, req.query_string)
        accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
        with await lease_for(req, self._snapshots, parameters.wanted_snapshot(values)) as snapshot:
            send_stored(req, resp, corrections(snapshot), cache=PUBLIC)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
