"""Policy on the origins of web pages that call what is not open to all of them: agents' tools and tokens."""

from collections.abc import Sequence
from urllib.parse import urlsplit

LONGEST = 300
"""Characters of an origin that are examined: host names have 253 at most, and `urlsplit` caches its
arguments."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ANY = "*"


class OriginPolicy:
    """Allows pages of the service itself, of this machine, and of the origins that the operator names.

    Args:
        public_url: address of the service.
        origins: further origins of pages, such as `https://app.example.org`; `*` for any.
    """

    def __init__(self, public_url: str, origins: Sequence[str] = ()) -> None:
        own = urlsplit(public_url)
        self._origins = {f"{own.scheme}://{own.netloc}".lower(), *(origin.lower() for origin in origins)}

    def allows(self, header: str | None) -> bool:
        """Return whether pages of this origin may call; programs send no origin and may."""
        if header is None or ANY in self._origins or header.lower() in self._origins:
            return True
        if len(header) > LONGEST:
            return False
        try:
            parts = urlsplit(header)
            return parts.scheme in ("http", "https") and parts.hostname in LOOPBACK
        except ValueError:
            return False
