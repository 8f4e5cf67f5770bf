"""The state of the service: liveness and readiness."""

from collections.abc import Callable

import falcon
import falcon.asgi
import orjson

from serving.accounts.billing import Billing
from serving.api import parameters
from serving.contract.errors import OverloadedError
from serving.responses.bodies import send_unkept
from serving.responses.leases import lease_for
from serving.services.snapshots import SnapshotHolder


class HealthResource:
    """Liveness: the process answers."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer that the process lives."""
        parameters.parse(req.params, parameters.NONE, req.query_string)
        send_unkept(req, resp, orjson.dumps({"status": "ok"}))

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


RETRY_SECONDS = 5
"""Seconds until a server that is about to stop may be asked again: another may answer then in its place."""


class ReadyResource:
    """Readiness: a snapshot is open with its tables and both indexes, and the store of accounts is sound.

    Args:
        snapshots: the open snapshots.
        billing: the accounts.
        is_stopping: tells whether the server is about to stop.
    """

    def __init__(self, snapshots: SnapshotHolder, billing: Billing, is_stopping: Callable[[], bool]) -> None:
        self._is_stopping = is_stopping
        self._snapshots = snapshots
        self._billing = billing

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer which snapshot is in service; 503 while there is none, the store fails or a stop is near.

        The service is degraded while an older snapshot stands in for the one that was published last.
        """
        parameters.parse(req.params, parameters.NONE, req.query_string)
        if self._is_stopping():
            raise OverloadedError("The server is about to stop.", retry_after_seconds=RETRY_SECONDS)
        await self._billing.check()
        with await lease_for(req, self._snapshots, None) as snapshot:
            counts = {
                "nodes": len(snapshot.nodes),
                "keyword": len(snapshot.keyword),
                "vectors": len(snapshot.vectors),
            }
        is_current = self._snapshots.problem is None
        state: dict[str, object] = {
            "status": "ready" if is_current else "degraded",
            "snapshot": snapshot.id,
            "rows": counts,
        }
        if self._snapshots.damaged:
            state["damaged"] = [
                {"snapshot": damaged, "file": file} for damaged, file in self._snapshots.damaged.items()
            ]
        send_unkept(req, resp, orjson.dumps(state))

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
