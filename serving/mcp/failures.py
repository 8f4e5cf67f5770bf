"""Failures in a form that a model can act on: a code, what is wrong, and what to do next."""

import logging
from typing import Any

from mcp import MCPError

from serving.api.errors import STATUS, fields_of
from serving.contract.errors import CitationNotFoundError, LawError, NotFoundError
from serving.mcp.callers import McpCaller
from serving.metering.keys import redacted

_log = logging.getLogger(__name__)
_INTERNAL = "The server failed to answer. Nothing was charged."
_HINTS = {
    "invalid_api_key": "Stop, and ask the user for a key that works; keys are made at {url}/settings.",
    "insufficient_scope": "Stop, and ask the user for a key with that scope, made at {url}/settings.",
    "insufficient_credits": "Stop, and tell the user that credits are bought at {url}/settings#packs.",
    "rate_limited": "Wait retryAfterSec seconds, then call again with the same arguments.",
    "validation_error": "Correct the argument that is named, then call again.",
    "bad_request": "Send one message of JSON-RPC in the body of a POST, by HTTP/1.1.",
    "request_timeout": "Send the request again, all of it at once.",
    "uri_too_long": "Send the message in the body: the address has no parameters.",
    "headers_too_large": "Send the message in the body, and no headers but those of the protocol.",
    "overloaded": "Wait retryAfterSec seconds, then call again with the same arguments.",
    "no_snapshot": "Wait a few seconds, then call again with the same arguments.",
    "internal_error": "Call again once. If it fails again, tell the user and give the requestId.",
}
_OTHER_SNAPSHOT = "Leave that snapshot, or the day, out, and say that the law was read from another snapshot."
_NOT_FOUND_HINTS = {
    "node": "Find ids with search_law or resolve_citation; do not make them up.",
    "citation": "Call resolve_citation for what the citation leads to, or search_law for its words.",
    "layer": "Call list_coverage: jurisdictions whose gisStatus is `published` have a zoning layer.",
    "snapshot_gone": _OTHER_SNAPSHOT,
    "snapshot_damaged": _OTHER_SNAPSHOT,
    "naics_code": "Call formation_lookup_naics with a description of the business.",
    "dataset": "Tell the user that this server holds no such data.",
    "tool": "Call tools/list for the tools and their arguments.",
    "prompt": "Call prompts/list for the prompts and their arguments.",
    "resource": "Resources are named law://{nodeId}; find ids with search_law or resolve_citation.",
}

_CITATION_HINTS = {
    "ambiguous": "Call resolve_citation for its candidates; choose among them, or ask the user.",
    "outside_coverage": "It is not held here, which proves nothing about it: say so, or read it elsewhere.",
    "unchecked": "Decisions of courts are not held here: say that it was not checked.",
    "unparsed": "Write it as `17 U.S.C. § 107`, or find it with search_law by its words.",
}
"""Hints for citations by outcome, where it asks for something else than most do."""


def failure_of(error: Exception, caller: McpCaller | None, *, public_url: str) -> dict[str, Any]:
    """Return an error as the object that results and protocol errors contain.

    An error that is the server's own fault is logged, and reported without its details.
    """
    if not isinstance(error, LawError) or STATUS.get(error.code, 500) == 500:
        _log.error("mcp_request_failed", exc_info=error, extra={"request_id": caller and caller.request_id})
        error = LawError(_INTERNAL)
    failure: dict[str, Any] = {
        "code": error.code,
        "message": redacted(error.message),
        "hint": _hint(error).replace("{url}", public_url),
    }
    failure |= fields_of(error, upgrade_url=f"{public_url}/settings#packs")
    if caller is not None:
        failure["requestId"] = caller.request_id
    return failure


def protocol_error(failure: dict[str, Any], code: int | None = None) -> MCPError:
    """Return a failure as a protocol error, for methods whose results cannot express failures.

    Args:
        failure: the failure, which becomes its `data`.
        code: where the protocol has one for it; else it is the HTTP status, which lies outside the ranges
            that JSON-RPC and the protocol reserve.
    """
    if code is None:
        code = STATUS.get(failure["code"], 500)
    return MCPError(code=code, message=f"{failure['message']} {failure['hint']}", data=failure)


def _hint(error: LawError) -> str:
    if isinstance(error, CitationNotFoundError) and error.outcome in _CITATION_HINTS:
        return _CITATION_HINTS[error.outcome]
    if isinstance(error, NotFoundError):
        return _NOT_FOUND_HINTS.get(error.kind, "Check the argument, then call again.")
    return _HINTS.get(error.code, "Check the arguments, then call again.")
