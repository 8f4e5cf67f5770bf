"""`/api/v1/snapshots`: the snapshots that a read may name, served without a key."""

import asyncio

import falcon
import falcon.asgi

from serving.api import parameters
from serving.api.rendering import ANSWERS
from serving.responses.bodies import send_stored
from serving.responses.documents import ready_to_send
from serving.responses.negotiation import accepted_type
from serving.services.retained import retained_snapshots
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.table import StoredBody

PUBLIC = "public, max-age=60"
"""Cache header of the list: short, because a snapshot may be published or dropped at any minute."""


class SnapshotsResource:
    """The retained snapshots."""

    def __init__(self, snapshots: SnapshotHolder) -> None:
        self._snapshots = snapshots

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with every snapshot that the parameter `snapshot` may name, newest first."""
        parameters.parse(req.params, parameters.NONE, req.query_string)
        accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
        listed = await asyncio.to_thread(self._listed)
        send_stored(req, resp, listed, cache=PUBLIC)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    def _listed(self) -> StoredBody:
        return ready_to_send(ANSWERS.json(retained_snapshots(self._snapshots)))
