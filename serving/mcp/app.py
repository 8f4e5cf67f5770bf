"""The MCP application: the endpoint at `/mcp` over the services of this process, and its lifespan."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from serving.api.discovery import MCP, PROTECTED_RESOURCE
from serving.api.origins import OriginPolicy
from serving.authorization.issuer import Issuer
from serving.mcp.callers import caller_over_http
from serving.mcp.endpoint import McpEndpoint
from serving.mcp.host_policy import HostPolicy
from serving.mcp.server import LawServer
from serving.mcp.tool_context import ToolContext
from serving.metering.keys import SCOPES
from serving.settings.settings import Settings


class McpLifespan:
    """Runs the endpoint's transport as long as the worker lives."""

    def __init__(self, endpoint: McpEndpoint) -> None:
        self._endpoint = endpoint
        self._running = AsyncExitStack()

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Start the transport."""
        del scope, event
        await self._running.enter_async_context(self._endpoint.running())

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Stop the transport."""
        del scope, event
        await self._running.aclose()


def create_endpoint(settings: Settings, services: ToolContext) -> McpEndpoint:
    """Return the MCP endpoint over the services of this process."""
    public_url = settings.public_url
    return McpEndpoint(
        LawServer(services, caller_over_http).create(),
        services,
        HostPolicy(public_url, settings.mcp_hosts),
        OriginPolicy(public_url, settings.mcp_origins),
        metadata_url=f"{public_url}{PROTECTED_RESOURCE}{MCP}",
        # Asked for in one go, so that a person is asked once.
        offered_scopes=() if Issuer.of(settings) is None else SCOPES,
    )
