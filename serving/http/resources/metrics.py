"""`/metrics`: the counts of all workers, for the operator's monitoring, on the operator's address alone."""

from typing import Any

import falcon
import falcon.asgi

from serving.api import parameters
from serving.api.discovery import MCP
from serving.api.endpoints import ENDPOINTS
from serving.api.errors import STATUS
from serving.counting.prometheus import CONTENT_TYPE, State, exposition
from serving.counting.requests import Requests
from serving.metering.health import CAUSES, StoreHealth
from serving.responses.bodies import send_unkept
from serving.services.snapshots import SnapshotHolder
from serving.settings import Settings

PATH = "/metrics"
BEGINNINGS = ("/settings", "/docs", "/zoning", "/formation", "/payments")
"""Prefixes of pages whose requests, and those for files below them, are counted together."""
SUCCESSES = (200, 202, 303, 304)

App = falcon.asgi.App[Any, Any]


def request_counts() -> Requests:
    """Return new counters of requests, by path of the API and by status."""
    labels = (*(endpoint.path for endpoint in ENDPOINTS), MCP, *BEGINNINGS)
    return Requests(labels, (*SUCCESSES, *STATUS.values()), causes=tuple(CAUSES))


def add_metrics(
    app: App, settings: Settings, requests: Requests, snapshots: SnapshotHolder, health: StoreHealth
) -> None:
    """Add the resource to the application."""
    app.add_route(PATH, MetricsResource(requests, snapshots, health, port=settings.metrics_port))


class MetricsResource:
    """The counts as Prometheus reads them.

    Args:
        requests: counters of requests.
        snapshots: the open snapshots.
        health: health of the store of accounts.
        port: port of the operator's address; None if there is none.
    """

    def __init__(
        self, requests: Requests, snapshots: SnapshotHolder, health: StoreHealth, *, port: int | None
    ) -> None:
        self._health = health
        self._requests = requests
        self._snapshots = snapshots
        self._port = port

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the counts on the operator's address; elsewhere the path does not exist."""
        parameters.parse(req.params, parameters.NONE, req.query_string)
        if self._port is None or req.scope["server"][1] != self._port:
            raise falcon.HTTPNotFound
        state = State(
            workers=len(self._requests.board.owners()),
            snapshot=self._snapshots.current_id,
            damaged=self._snapshots.damaged,
            store_is_up=self._health.cause is None,
            store_failures=self._requests.failures(),
        )
        body = exposition(self._requests.all(), state)
        send_unkept(req, resp, body, content_type=CONTENT_TYPE)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)
