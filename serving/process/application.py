"""The application of a server: REST and the pages, MCP at `/mcp`, and the lifespans of their resources."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

from serving.accounts.billing import Billing
from serving.api.discovery import MCP
from serving.api.lifespan import BillingLifespan, SnapshotLifespan
from serving.api.origins import OriginPolicy
from serving.authorization.issuer import Issuer
from serving.authorization.server import AuthorizationServer
from serving.http.app import App, create_rest_app
from serving.mcp.app import McpLifespan, create_endpoint
from serving.mcp.endpoint import McpEndpoint
from serving.mcp.exchanges import Receive, Scope, Send
from serving.mcp.tool_context import ToolContext
from serving.mcp.toolbox import discovered
from serving.pages.app import add_pages
from serving.pages.lifespan import TemplatesLifespan
from serving.payments.enabled import payments_of
from serving.process.protocol.plain_reads import PlainReads
from serving.process.protocol.refusals import Refusals
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings

PATHS = frozenset({MCP, f"{MCP}/"})


class Application:
    """Routes each request to MCP or to REST and the pages. Lifespan events go to REST.

    Args:
        rest: the ASGI application of REST and the pages.
        mcp: the ASGI application at `/mcp`.
        plain_reads: node reads that the protocol may answer without calling the application.
        refusals: answers of the protocol to what it does not show the application.

    Attributes:
        rest, plain_reads, refusals: as given.
        requests: counts the answers of all doors.
    """

    def __init__(self, rest: App, mcp: McpEndpoint, plain_reads: PlainReads, refusals: Refusals) -> None:
        self.rest = rest
        self.plain_reads = plain_reads
        self.refusals = refusals
        self.requests = rest.measures.requests
        self._mcp = mcp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["path"] in PATHS:
            await self._count_mcp(scope, receive, send)
        else:
            await self.rest(scope, receive, send)

    async def _count_mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status = perf_counter(), 500

        async def noting(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._mcp(scope, receive, noting)
        finally:
            self.requests.count(MCP, status, perf_counter() - started)


def create_web_app(
    settings: Settings,
    snapshots: SnapshotHolder,
    billing: Billing,
    tools: ToolContext | None = None,
    is_stopping: Callable[[], bool] = lambda: False,
) -> App:
    """Build the application of REST and the pages, without opening or closing anything.

    Args:
        settings: settings of the server.
        snapshots: the open snapshots.
        billing: accounts to charge.
        tools: services to share with MCP; None if there is no MCP.
        is_stopping: tells whether the server is about to stop.
    """
    payments = payments_of(settings, billing)
    issuer = Issuer.of(settings)
    authorization = None if issuer is None else AuthorizationServer(issuer, billing.authorizations)
    service = SearchService() if tools is None else tools.search
    app = create_rest_app(
        settings,
        snapshots,
        billing,
        payments,
        pool=None if tools is None else tools.pool,
        service=service,
        tools=() if tools is None else discovered(),
        authorization=authorization,
        is_stopping=is_stopping,
    )
    pools = add_pages(app, settings, snapshots, billing, payments, service, authorization)
    app.measures.queues.update(pools.depths())
    return app


def create_application(
    settings: Settings,
    snapshots: SnapshotHolder,
    billing: Billing,
    *,
    is_stopping: Callable[[], bool] = lambda: False,
) -> Application:
    """Build the application of all doors, whose lifespan opens and closes the snapshots and the accounts.

    Args:
        settings: settings of the server.
        snapshots: the open snapshots.
        billing: accounts to charge.
        is_stopping: tells whether the server is about to stop.
    """
    tools = ToolContext.create(settings, snapshots, billing)
    rest = create_web_app(settings, snapshots, billing, tools, is_stopping)
    mcp = create_endpoint(settings, tools)
    rest.add_middleware(BillingLifespan(billing, probe_seconds=settings.probe_seconds))
    rest.add_middleware(
        SnapshotLifespan(snapshots, poll_seconds=settings.poll_seconds, verify_hours=settings.verify_hours)
    )
    rest.add_middleware(McpLifespan(mcp))
    rest.add_middleware(TemplatesLifespan())
    reads = PlainReads(billing.gate, snapshots, rest.measures.requests, public_url=settings.public_url)
    refusals = Refusals(
        settings.public_url,
        OriginPolicy(settings.public_url, settings.mcp_origins),
        lambda: snapshots.current_id,
        dict.fromkeys(PATHS, mcp.refused),
    )
    return Application(rest, mcp, reads, refusals)
