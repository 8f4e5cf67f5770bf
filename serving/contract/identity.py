"""Ids of nodes, code bodies and zones: UUIDv5 of a canonical identifier, the same in every snapshot."""

import hashlib
import uuid

NAMESPACE = uuid.UUID("6f0b8c1e-3c59-5a0e-9d53-2b1f6c9d7e41")
"""The namespace of every id of this service. Fixed once: changing it would break every stored id."""


def node_id(identifier: str) -> uuid.UUID:
    """Return the id of the node with this canonical identifier, such as `/us/usc/t17/s107`."""
    return uuid.uuid5(NAMESPACE, identifier)


def code_body_id(key: str) -> uuid.UUID:
    """Return the id of the code body with this registry key, such as `us-usc`."""
    return uuid.uuid5(NAMESPACE, f"code-body:{key}")


def zone_id(short_code: str, zone_code: str) -> uuid.UUID:
    """Return the id of a zone, such as `R1` of `ca-san-mateo`, the same in every version of the layer."""
    return uuid.uuid5(NAMESPACE, f"zone:{short_code}/{zone_code}")


def split(value: uuid.UUID) -> tuple[int, int]:
    """Return an id as two big-endian unsigned 64-bit halves, by which the tables are sorted."""
    return value.int >> 64, value.int & 0xFFFF_FFFF_FFFF_FFFF


def join(high: int, low: int) -> uuid.UUID:
    """Return the id with these two halves, as `split` returned them."""
    return uuid.UUID(int=(high << 64) | low)


def content_etag(body: bytes | memoryview) -> str:
    """Return the unquoted entity tag of a ready answer; it depends on the content, not on the snapshot."""
    return hashlib.sha256(body).hexdigest()[:32]
