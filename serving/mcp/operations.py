"""What tools are metered as: the operations of REST where it has them, and those that are only here."""

from serving.api.operations import COVERAGE, GIS_AT, ME, NODE, RESOLVE, SEARCH
from serving.metering.gate import Operation
from serving.metering.keys import SCOPES

__all__ = [
    "CHECK_TEXT",
    "COVERAGE",
    "FREE",
    "GIS_AT",
    "HANDOFF",
    "ME",
    "NAICS",
    "NODE",
    "ONLY_HERE",
    "REQUIREMENTS",
    "RESOLVE",
    "SEARCH",
    "VERIFY_QUOTES",
]

VERIFY_QUOTES = Operation("verify-quotes", ("search", "node"), 1)
CHECK_TEXT = Operation("check-text", ("search", "node"), 1)
REQUIREMENTS = Operation("formation/requirements", ("formation",), 1)
NAICS = Operation("formation/naics", ("formation",), 1)
HANDOFF = Operation("formation/handoff", ("formation",), 1)
ONLY_HERE = (VERIFY_QUOTES, CHECK_TEXT, REQUIREMENTS, NAICS, HANDOFF)
"""Operations that REST does not have."""

FREE = Operation("mcp", SCOPES, 0)
"""Discovery, lists and prompts: counted against the limits, and free."""
