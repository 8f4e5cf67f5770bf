"""`/metrics`: the counts of all workers, for the operator's monitoring, on the operator's address alone."""

import contextlib
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import falcon
import falcon.asgi

from serving.accounts.billing import Billing
from serving.api import parameters
from serving.api.discovery import MCP
from serving.api.endpoints import ENDPOINTS
from serving.api.errors import STATUS
from serving.contract.errors import NoSnapshotError
from serving.counting.prometheus import CONTENT_TYPE, Gauge, exposition
from serving.http.measures import Measures
from serving.metering.health import StoreHealth
from serving.responses.bodies import send_unkept
from serving.services.snapshots import SnapshotHolder
from serving.services.timings import Timings
from serving.settings.settings import Settings

PATH = "/metrics"
BEGINNINGS = (
    *("/settings", "/docs", "/zoning", "/formation", "/law", "/search", "/report", "/sitemaps", "/oauth"),
    "/payments",
)
"""Prefixes of pages whose requests, and those for files below them, are counted together."""
SUCCESSES = (200, 201, 202, 206, 301, 303, 304)

App = falcon.asgi.App[Any, Any]


def new_measures(snapshots: SnapshotHolder, billing: Billing, timings: Timings) -> Measures:
    """Return new counters, those of requests by path of the API and by status."""
    labels = (*(endpoint.path for endpoint in ENDPOINTS), MCP, *BEGINNINGS)
    return Measures(labels, (*SUCCESSES, *STATUS.values()), snapshots, billing, timings)


def add_metrics(
    app: App, settings: Settings, measures: Measures, snapshots: SnapshotHolder, health: StoreHealth
) -> None:
    """Add the resource to the application."""
    app.add_route(PATH, MetricsResource(measures, snapshots, health, port=settings.metrics_port))


class MetricsResource:
    """The counts as Prometheus reads them.

    Args:
        measures: the numbers of all workers.
        snapshots: the open snapshots.
        health: health of the store of accounts.
        port: port of the operator's address; None if there is none.
    """

    def __init__(
        self, measures: Measures, snapshots: SnapshotHolder, health: StoreHealth, *, port: int | None
    ) -> None:
        self._health = health
        self._measures = measures
        self._snapshots = snapshots
        self._port = port

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the counts on the operator's address; elsewhere the path does not exist."""
        parameters.parse(req.params, parameters.NONE, req.query_string)
        if self._port is None or req.scope["server"][1] != self._port:
            raise falcon.HTTPNotFound
        self._measures.share()
        body = exposition(self._measures.counters.sums(), self._gauges())
        send_unkept(req, resp, body, content_type=CONTENT_TYPE)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    def _gauges(self) -> Iterator[Gauge]:
        """Yield the state of the server at the moment of the answer."""
        yield Gauge("law_workers", "Worker processes.", (), {(): len(self._measures.counters.board.owners())})
        current: dict[tuple[str, ...], float] = {}
        published: dict[tuple[str, ...], float] = {}
        with contextlib.suppress(NoSnapshotError), self._snapshots.lease() as snapshot:
            current[snapshot.id,] = 1
            published[()] = datetime.fromisoformat(snapshot.manifest.created).timestamp()
        yield Gauge("law_snapshot_info", "Snapshot in service.", ("snapshot",), current)
        yield Gauge(
            "law_snapshot_published_timestamp_seconds",
            "Time at which the snapshot in service was published, in seconds since 1970.",
            (),
            published,
        )
        yield Gauge(
            "law_snapshot_damaged",
            "Retained snapshots that are out of service, and the file that differs.",
            ("snapshot", "file"),
            dict.fromkeys(self._snapshots.damaged.items(), 1),
        )
        yield Gauge(
            "law_store_up",
            "1 while the store of accounts takes what is written, 0 while it does not.",
            (),
            {(): int(self._health.cause is None)},
        )
