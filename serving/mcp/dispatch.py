"""One application of two doors: the protocol at `/mcp`, all else to REST and the pages."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from time import perf_counter
from typing import Any

from serving.concurrency import BoundedPool
from serving.http.app import App
from serving.http.discovery import MCP, PROTECTED_RESOURCE
from serving.mcp.desk import Desk
from serving.mcp.endpoint import McpEndpoint
from serving.mcp.exchanges import Receive, Scope, Send
from serving.mcp.origins import Doorkeeper
from serving.mcp.server import LawServer
from serving.mcp.visits import visit_over_http
from serving.metering.billing import Billing
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder
from serving.settings import Settings

PATHS = frozenset({MCP, f"{MCP}/"})


class Dispatcher:
    """Sends each request to its door, and the life of the process to REST, whose middlewares live it.

    Args:
        rest: the ASGI application of REST and the pages.
        mcp: that of the protocol.

    Attributes:
        plain_reads: what a server may answer without calling it.
        requests: counts what is answered.
    """

    def __init__(self, rest: App, mcp: McpEndpoint) -> None:
        self.plain_reads = rest.plain_reads
        self.requests = rest.requests
        self._rest: Any = rest
        self._mcp = mcp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["path"] in PATHS:
            await self._count_mcp(scope, receive, send)
        else:
            await self._rest(scope, receive, send)

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


class McpLifespan:
    """Runs the endpoint's transport as long as the worker lives."""

    def __init__(self, endpoint: McpEndpoint) -> None:
        self._endpoint = endpoint
        self._running = AsyncExitStack()

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Start it."""
        del scope, event
        await self._running.enter_async_context(self._endpoint.running())

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Stop it."""
        del scope, event
        await self._running.aclose()


def create_desk(settings: Settings, snapshots: SnapshotHolder, billing: Billing) -> Desk:
    """Return the services of this process, whose searches run on one pool whatever door they come through."""
    threads = settings.search_threads
    return Desk(
        snapshots=snapshots,
        billing=billing,
        search=SearchService(threads=threads),
        pool=BoundedPool("searches", threads=threads, limit=settings.max_concurrent_searches),
        public_url=settings.public_url,
    )


def create_endpoint(settings: Settings, desk: Desk) -> McpEndpoint:
    """Return the endpoint of the protocol over the services of this process."""
    public_url = settings.public_url
    return McpEndpoint(
        LawServer(desk, visit_over_http).create(),
        desk,
        Doorkeeper(public_url, hosts=settings.mcp_hosts, origins=settings.mcp_origins),
        metadata_url=f"{public_url}{PROTECTED_RESOURCE}{MCP}",
    )
