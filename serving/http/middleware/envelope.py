"""Headers of every answer: the request's id, the snapshot, and the headers on which the answer depends."""

import falcon.asgi

from serving.api.request_ids import HEADER
from serving.http.request_ids import request_id
from serving.services.snapshots import SnapshotHolder

VARY = "Accept-Encoding, Accept, Authorization"


class EnvelopeMiddleware:
    """Sets `X-Request-Id`, `X-Snapshot-Id` and `Vary`, and completes `Allow`."""

    def __init__(self, snapshots: SnapshotHolder) -> None:
        self._snapshots = snapshots

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Complete the headers, of errors too."""
        del resource, req_succeeded
        snapshot = getattr(req.context, "snapshot_id", None) or self._snapshots.current_id
        resp.set_header(HEADER, request_id(req))
        resp.set_header("Vary", VARY)
        if snapshot is not None:
            resp.set_header("X-Snapshot-Id", snapshot)
        allowed = resp.get_header("Allow") if req.method == "OPTIONS" else None
        if allowed is not None:
            # What falcon answers to OPTIONS leaves out OPTIONS itself, and what it answers with 405 does not.
            resp.set_header("Allow", f"{allowed}, OPTIONS")
