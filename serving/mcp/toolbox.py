"""All tools: found by any of their names, and listed for the discovery documents."""

from serving.api.discovery import Tool as DiscoveredTool
from serving.mcp.tool import Tool
from serving.mcp.tools.account import ACCOUNT_STATUS
from serving.mcp.tools.browse import BROWSE_CODE
from serving.mcp.tools.changes import LIST_CHANGES
from serving.mcp.tools.coverage import LIST_COVERAGE
from serving.mcp.tools.drafts import CHECK_TEXT_TOOL
from serving.mcp.tools.formation import (
    FORMATION_HANDOFF,
    FORMATION_LOOKUP_NAICS,
    FORMATION_REQUIREMENTS,
    ORDER_STATUS_TOOL,
)
from serving.mcp.tools.location import LAW_AT_LOCATION
from serving.mcp.tools.nodes import GET_LAW_NODE
from serving.mcp.tools.quotes import VERIFY_QUOTES_TOOL
from serving.mcp.tools.resolutions import RESOLVE_CITATION
from serving.mcp.tools.search import SEARCH_LAW

TOOLS = (
    LIST_COVERAGE,
    SEARCH_LAW,
    RESOLVE_CITATION,
    GET_LAW_NODE,
    BROWSE_CODE,
    LIST_CHANGES,
    VERIFY_QUOTES_TOOL,
    CHECK_TEXT_TOOL,
    LAW_AT_LOCATION,
    FORMATION_REQUIREMENTS,
    FORMATION_LOOKUP_NAICS,
    FORMATION_HANDOFF,
    ORDER_STATUS_TOOL,
    ACCOUNT_STATUS,
)
"""Tools in the order in which they are listed."""

_BY_NAME = {name: tool for tool in TOOLS for name in (tool.name, *tool.aliases)}


def find_tool(name: str) -> Tool | None:
    """Return the tool with this name or alias, or None."""
    return _BY_NAME.get(name)


def discovered() -> tuple[DiscoveredTool, ...]:
    """Return the tools as the discovery documents list them."""
    return tuple(DiscoveredTool(tool.name, tool.aliases, tool.summary, tool.operation) for tool in TOOLS)
