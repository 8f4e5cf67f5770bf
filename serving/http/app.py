"""The REST application: routes, middleware and error handlers, over open snapshots and the accounts."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import falcon
import falcon.asgi

from serving.accounts.billing import Billing
from serving.api.discovery import Tool
from serving.api.origins import OriginPolicy
from serving.authorization.server import AuthorizationServer
from serving.concurrency.pool import BoundedPool
from serving.concurrency.presence import note_presence
from serving.contract.errors import LawError
from serving.http.charging import Meter
from serving.http.errors import LawErrorHandler, handle_http_error, handle_unexpected
from serving.http.measures import Measures
from serving.http.middleware.access_log import AccessLogMiddleware
from serving.http.middleware.cors import CorsMiddleware
from serving.http.middleware.envelope import EnvelopeMiddleware
from serving.http.middleware.metrics import MetricsMiddleware
from serving.http.middleware.request_log import RequestLogMiddleware
from serving.http.middleware.security import SecurityMiddleware
from serving.http.resources.account import AccountResource
from serving.http.resources.authorization import add_authorization
from serving.http.resources.browse import BrowseResource, CodeBodiesResource
from serving.http.resources.changes import ChangesResource, HistoryResource
from serving.http.resources.citing import CitingResource
from serving.http.resources.coverage import CoverageResource
from serving.http.resources.discovery import add_discovery
from serving.http.resources.downloads import add_downloads
from serving.http.resources.feeds import add_feeds
from serving.http.resources.log import add_log
from serving.http.resources.meta import HealthResource, ReadyResource
from serving.http.resources.metrics import add_metrics, new_measures
from serving.http.resources.nodes import NodeResource
from serving.http.resources.orders import OrderStatusResource
from serving.http.resources.payments import add_payments
from serving.http.resources.prices import FoundingSlots, PricesResource
from serving.http.resources.resolve import ResolveResource
from serving.http.resources.search import SearchResource
from serving.http.resources.snapshots import SnapshotsResource
from serving.http.resources.stored import HOUR, MINUTES, StoredResource
from serving.http.resources.watches import add_watches
from serving.http.resources.zoning import LayerResource, LocationResource
from serving.http.response import Response
from serving.services.corrections import corrections
from serving.services.datasets import llc_services
from serving.services.quality import quality
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings

if TYPE_CHECKING:
    from serving.payments.payments import Payments

PAYMENT_THREADS, MAX_PAYMENTS = 2, 1024
"""Threads of a worker for Stripe's webhook, and the most reports that run or wait; only signed ones get that
far."""


class App(falcon.asgi.App[falcon.asgi.Request, falcon.asgi.Response]):
    """The application.

    Attributes:
        measures: what this worker counts.
    """

    measures: Measures

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # type: ignore[override]  # Falcon names its own types
        """Answer a request."""
        if scope["type"] == "http":
            note_presence(scope, receive)
        await super().__call__(scope, receive, send)


def create_rest_app(
    settings: Settings,
    snapshots: SnapshotHolder,
    billing: Billing,
    payments: "Payments | None",
    *,
    pool: BoundedPool | None = None,
    service: SearchService | None = None,
    tools: Sequence[Tool] = (),
    authorization: AuthorizationServer | None = None,
    is_stopping: Callable[[], bool] = lambda: False,
) -> App:
    """Build the application over this process's snapshots and accounts; it opens and closes none of them.

    Args:
        settings: settings of the server.
        snapshots: the open snapshots.
        billing: accounts to charge.
        payments: handles Stripe's reports; None where packs are not sold.
        pool: runs the searches; pass it, and `service`, to share them with another application; None makes
            new ones.
        service: answers the searches.
        tools: tools of the MCP server beside it, for the discovery documents.
        authorization: gives tokens to agents; None where keys are all that opens the service.
        is_stopping: tells whether the server is about to stop.
    """
    app = App(media_type=falcon.MEDIA_JSON, response_type=Response)
    if service is None:
        service = SearchService()
    app.measures = new_measures(snapshots, billing, service.timings)
    public_url = settings.public_url
    for middleware in (
        AccessLogMiddleware(),
        MetricsMiddleware(app.measures),
        RequestLogMiddleware(billing.requests),
        CorsMiddleware(OriginPolicy(public_url, settings.mcp_origins)),
        EnvelopeMiddleware(snapshots),
        SecurityMiddleware(public_url),
    ):
        app.add_middleware(middleware)
    app.resp_options.xml_error_serialization = False
    app.add_error_handler(Exception, handle_unexpected)
    app.add_error_handler(falcon.HTTPError, handle_http_error)
    app.add_error_handler(LawError, LawErrorHandler(upgrade_url=f"{public_url}/settings#packs"))
    meter = Meter(billing.gate)
    if pool is None:
        pool = BoundedPool(
            "searches", threads=settings.search_threads, limit=settings.max_concurrent_searches
        )
    queues = app.measures.queues
    queues["searches"] = pool.depth
    app.add_route("/api/v1/search", SearchResource(meter, snapshots, service, pool, public_url=public_url))
    app.add_route("/api/v1/resolve", ResolveResource(meter, snapshots, pool))
    app.add_route("/api/v1/node/{node_id}", NodeResource(meter, snapshots, public_url=public_url))
    app.add_route(
        "/api/v1/node/{node_id}/cited-by", CitingResource(meter, snapshots, pool, public_url=public_url)
    )
    app.add_route("/api/v1/node/{node_id}/history", HistoryResource(meter, snapshots, pool))
    app.add_route("/api/v1/changes", ChangesResource(meter, snapshots, pool, public_url=public_url))
    app.add_route("/api/v1/code-bodies", CodeBodiesResource(meter, snapshots))
    app.add_route("/api/v1/browse", BrowseResource(meter, snapshots))
    app.add_route("/api/v1/gis/{short_code}", LayerResource(meter, snapshots, pool))
    app.add_route("/api/v1/gis/{short_code}/at", LocationResource(meter, snapshots, pool))
    app.add_route("/api/v1/coverage", CoverageResource(meter, snapshots))
    app.add_route("/api/v1/me", AccountResource(meter, billing))
    app.add_route("/api/v1/formation/status/{order_id}", OrderStatusResource(meter, billing))
    app.add_route("/api/v1/quality", StoredResource(snapshots, quality, cache=MINUTES))
    app.add_route("/api/v1/corrections", StoredResource(snapshots, corrections, cache=MINUTES))
    add_watches(app, meter, snapshots, billing, settings)
    queues["feeds"] = add_feeds(app, snapshots, public_url).depth
    app.add_route("/api/v1/snapshots", SnapshotsResource(snapshots))
    queues["downloads"] = add_downloads(app, snapshots, per_minute=settings.downloads_per_minute).depth
    app.add_route("/api/v1/compare/llc-services", StoredResource(snapshots, llc_services, cache=HOUR))
    app.add_route("/api/v1/formation/prices", PricesResource(snapshots, FoundingSlots(billing)))
    add_log(app, snapshots.folder)
    add_discovery(app, settings, tools, issuer=authorization.issuer if authorization else None)
    exchanges = add_authorization(app, authorization, unknown_per_minute=settings.unknown_keys_per_minute)
    if exchanges is not None:
        queues["token_exchanges"] = exchanges.depth
    app.add_route("/health", HealthResource())
    app.add_route("/ready", ReadyResource(snapshots, billing, is_stopping))
    add_metrics(app, settings, app.measures, snapshots, billing.health)
    reports = BoundedPool("payments", threads=PAYMENT_THREADS, limit=MAX_PAYMENTS)
    queues["payments"] = reports.depth
    add_payments(app, payments, reports)
    return app
