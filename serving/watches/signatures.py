"""Signatures of deliveries by the Standard Webhooks specification: HMAC-SHA256 over id, instant and body."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

_PREFIX = "whsec_"
_BYTES = 32


def new_secret() -> str:
    """Return a new secret, as receivers configure it."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def signed_headers(event_id: str, body: bytes, *, at: int, secrets_: Iterable[str]) -> dict[str, str]:
    """Return the headers of a delivery, with a signature by each secret that is good.

    Args:
        event_id: the same at every attempt, so that a receiver knows an event that comes again.
        body: as it is sent.
        at: the instant of the attempt, in seconds since 1970.
        secrets_: the secret, and for a while the one before it.
    """
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(signature(one, event_id, body, at=at) for one in secrets_),
    }


def signature(secret: str, event_id: str, body: bytes, *, at: int) -> str:
    """Return the signature by one secret, such as `v1,g0hM9SsE…`."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    digest = hmac.digest(key, f"{event_id}.{at}.".encode() + body, hashlib.sha256)
    return "v1," + base64.b64encode(digest).decode()
