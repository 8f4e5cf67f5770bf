"""Results of tools, said once: as JSON in the text, or as structured content to clients that ask for it.

Hosts put the text before their models, or the structured content, or both. Only a result that has its text
and nothing else is whole in each of them, and in none of them twice.
"""

from collections.abc import Mapping
from typing import Any

import mcp_types as types
import orjson

from serving.mcp.callers import Context

STRUCTURED = "legal-research-api/structured-content"
"""Name of the extension by which a client asks for structured content, and for the schemas of answers in the
list of tools."""


def wants_structure(context: Context) -> bool:
    """Return whether the client declares the extension: with each request, or at its handshake over stdio."""
    capabilities = context.session.client_capabilities
    return capabilities is not None and STRUCTURED in (capabilities.extensions or {})


def result_of(
    content: Mapping[str, Any],
    *,
    structured: bool,
    is_error: bool = False,
    meta: dict[str, Any] | None = None,
) -> types.CallToolResult:
    """Return the result of a call, in the form that its client takes."""
    if structured:
        return types.CallToolResult(content=[], structured_content=content, is_error=is_error, _meta=meta)
    text = types.TextContent(text=orjson.dumps(content).decode())
    return types.CallToolResult(content=[text], is_error=is_error, _meta=meta)
