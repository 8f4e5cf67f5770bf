"""Addresses of resources: provisions by `law://{nodeId}`, in pages."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

from serving.contract.errors import NotFoundError

TEMPLATE = "law://{nodeId}{?offset,snapshot}"
COVERAGE = "law://coverage"
MIME = "text/plain"
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_OFFSET = re.compile(r"[0-9]{1,9}")
_LONGEST = 200
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
        NotFoundError: it names no resource of this server.
    """
    if len(uri) > _LONGEST:
        raise _unknown(uri)
    try:
        parts = urlsplit(uri)
        query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError:
        raise _unknown(uri) from None
    offset = query.pop("offset", "0")
    snapshot = query.pop("snapshot", None)
    well_formed = parts.scheme == "law" and _UUID.fullmatch(parts.netloc) and _OFFSET.fullmatch(offset)
    if not well_formed or query or parts.path.strip("/") or parts.fragment:
        raise _unknown(uri)
    return Address(UUID(parts.netloc), int(offset), snapshot)


def _unknown(uri: str) -> NotFoundError:
    return NotFoundError(f"{uri[:200]!r} names no resource of this server.", kind="resource")
