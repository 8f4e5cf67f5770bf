"""JSON-RPC messages over HTTP: what is wrong with one, told before the transport sees it.

The transport answers some of these cases in plain text, with an empty body, or with a code that names another
fault.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
import orjson
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from starlette.datastructures import Headers

JSON = "application/json"
VERSION_HEADER = "mcp-protocol-version"
_ACCEPTED = {"*/*", "application/*", JSON}
_ENVELOPE = "io.modelcontextprotocol/protocolVersion"
_KNOWN_VERSIONS = (*MODERN_PROTOCOL_VERSIONS, *HANDSHAKE_PROTOCOL_VERSIONS)
_READ_BY_TRANSPORT = b"application/json, text/event-stream"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a request: the status of HTTP, and the error of JSON-RPC."""

    status: int
    code: int
    message: str
    id_: str | int | None = None
    data: Any = None

    def body(self) -> bytes:
        """Return the message that tells it."""
        error = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return orjson.dumps({"jsonrpc": "2.0", "id": self.id_, "error": error})


def fault_of_headers(headers: Headers) -> Fault | None:
    """Return what is wrong with the headers of a request whose body is not read yet."""
    accept = headers.get("accept", "*/*")
    if not any(one.partition(";")[0].strip().lower() in _ACCEPTED for one in accept.split(",")):
        text = f"This server answers in {JSON}, which the header Accept leaves out: {accept[:100]!r}."
        return Fault(406, types.INVALID_REQUEST, text)
    kind = headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != JSON:
        text = f"Send messages as {JSON}; the header Content-Type says {kind[:100]!r}."
        return Fault(415, types.INVALID_REQUEST, text)
    return None


def fault_of_message(message: Any, headers: Headers) -> Fault | None:
    """Return what is wrong with a message, parsed from its JSON."""
    if not isinstance(message, dict):
        return Fault(400, types.INVALID_REQUEST, "A message is an object of JSON-RPC 2.0.")
    return _fault_of_envelope(message) or _fault_of_version(message, headers)


def _fault_of_envelope(message: Mapping[str, Any]) -> Fault | None:
    id_ = id_of(message)
    text = None
    if message.get("jsonrpc") != "2.0":
        text = 'A message says `"jsonrpc": "2.0"`.'
    elif "id" in message and id_ is None:
        text = "The `id` of a message is a string or a whole number."
    elif "method" not in message and not {"result", "error"} & message.keys():
        text = "A message has a `method`."
    elif "method" in message and not isinstance(message["method"], str):
        text = "The `method` of a message is a string."
    if text is not None:
        return Fault(400, types.INVALID_REQUEST, text, id_)
    if not isinstance(message.get("params", {}), dict):
        return Fault(400, types.INVALID_PARAMS, "The `params` of a message are an object.", id_)
    return None


def _fault_of_version(message: Mapping[str, Any], headers: Headers) -> Fault | None:
    id_, version = id_of(message), headers.get(VERSION_HEADER)
    if version is None and _has_envelope(message):
        text = "The header MCP-Protocol-Version is missing, and the message names its version."
        return Fault(400, types.HEADER_MISMATCH, text, id_)
    if version is not None and version not in _KNOWN_VERSIONS and not _has_envelope(message):
        text = f"Version {version[:40]!r} of the header MCP-Protocol-Version is not known here."
        data = {"supported": list(_KNOWN_VERSIONS), "requested": version[:40]}
        return Fault(400, types.UNSUPPORTED_PROTOCOL_VERSION, text, id_, data)
    return None


def read_by_transport(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the headers of a checked request as the transport reads them.

    Blanks around a value are no part of it, and an answer in JSON is acceptable.
    """
    kept = [(name, value.strip(b" \t")) for name, value in headers if name != b"accept"]
    return [*kept, (b"accept", _READ_BY_TRANSPORT)]


def id_of(message: Mapping[str, Any]) -> str | int | None:
    """Return the id of a message if it has a type that ids may have, else None."""
    id_ = message.get("id")
    return id_ if isinstance(id_, str | int) and not isinstance(id_, bool) else None


def name_of(message: Mapping[str, Any]) -> str:
    """Return what is asked for, for the log: the method, and the name of a tool."""
    method, params = message.get("method"), message.get("params")
    name = params.get("name") if method == "tools/call" and isinstance(params, dict) else None
    parts = [part[:64] for part in (method, name) if isinstance(part, str)]
    return " ".join(part if part.isprintable() else "?" for part in parts)


def _has_envelope(message: Mapping[str, Any]) -> bool:
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and _ENVELOPE in meta
