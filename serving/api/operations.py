"""Operations that are metered, with their scopes and their prices in credits: the one place for both."""

from serving.metering.gate import Operation
from serving.metering.keys import SCOPES

_RESEARCH = ("search", "node", "browse", "gis")

SEARCH = Operation("search", ("search",), 1)
RESOLVE = Operation("resolve", ("search", "node"), 1)
NODE = Operation("node", ("node",), 1)
CITED_BY = Operation("node/cited-by", ("node",), 1)
HISTORY = Operation("node/history", ("node",), 1)
CODE_BODIES = Operation("code-bodies", ("browse",), 1)
BROWSE = Operation("browse", ("browse",), 1)
GIS = Operation("gis", ("gis",), 5)
GIS_AT = Operation("gis/at", ("gis",), 1)
CHANGES = Operation("changes", ("browse",), 1)
COVERAGE = Operation("coverage", _RESEARCH, 1)
ME = Operation("me", (*_RESEARCH, "formation"), 1)
WATCHES = Operation("watches", _RESEARCH, 0)
ORDER_STATUS = Operation("formation/status", ("formation",), 1)

ALL = (
    *(SEARCH, RESOLVE, NODE, CITED_BY, HISTORY, CODE_BODIES, BROWSE, CHANGES, GIS, GIS_AT),
    *(COVERAGE, ME, WATCHES, ORDER_STATUS),
)
"""Every metered endpoint of REST, in the order of the description."""

VERIFY_QUOTES = Operation("verify-quotes", ("search", "node"), 1)
CHECK_TEXT = Operation("check-text", ("search", "node"), 1, per_citations=25)
REQUIREMENTS = Operation("formation/requirements", ("formation",), 1)
NAICS = Operation("formation/naics", ("formation",), 1)
HANDOFF = Operation("formation/handoff", ("formation",), 1)
OF_AGENTS = (VERIFY_QUOTES, CHECK_TEXT, REQUIREMENTS, NAICS, HANDOFF)
"""Metered operations of MCP that REST does not have."""

FREE = Operation("mcp", SCOPES, 0)
"""Discovery, lists and prompts of MCP: free, but counted against the rate limits."""
