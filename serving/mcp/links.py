"""Addresses of resources: provisions by `law://{nodeId}`, in pages."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from serving.api.parameters import PARAMETERS, Parameter, integer, parse
from serving.contract.errors import NotFoundError

TEMPLATE = "law://{nodeId}{?offset,snapshot}"
COVERAGE = "law://coverage"
MIME = "text/plain"
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PARAMETERS = {"offset": Parameter(integer(0, 999_999_999), default=0), "snapshot": PARAMETERS["snapshot"]}
LONGEST = 200
"""Characters of a URI that are examined: ours are shorter, and `urlsplit` caches its arguments."""


@dataclass(frozen=True, slots=True)
class Address:
    """The target of a resource's URI: a provision, from a character of its text on, in a snapshot."""

    node_id: UUID
    offset: int = 0
    snapshot: str | None = None


def uri_of(node_id: str, *, offset: int = 0, snapshot: str | None = None) -> str:
    """Return the URI of a provision."""
    query = [*([f"offset={offset}"] if offset else ()), *([f"snapshot={snapshot}"] if snapshot else ())]
    return f"law://{node_id}" + (f"?{'&'.join(query)}" if query else "")


def read_uri(uri: str) -> Address:
    """Return the target of a URI.

    Raises:
        InvalidApiKeyError: a key was put into it.
        NotFoundError: it names no resource of this server.
        ValidationError: a parameter is unknown, repeated, empty or malformed, as those of the API may be.
    """
    if len(uri) > LONGEST:
        raise _unknown(uri)
    try:
        parts = urlsplit(uri)
    except ValueError:
        raise _unknown(uri) from None
    if parts.scheme != "law" or not _UUID.fullmatch(parts.netloc) or parts.path.strip("/") or parts.fragment:
        raise _unknown(uri)
    given = parse_qs(parts.query, keep_blank_values=True)
    values = parse(given, tuple(_PARAMETERS), parts.query, known=_PARAMETERS)
    return Address(UUID(parts.netloc), values["offset"], values["snapshot"])


def _unknown(uri: str) -> NotFoundError:
    return NotFoundError(f"{uri[:LONGEST]!r} names no resource of this server.", kind="resource")
