"""Policy on hosts and origins, so that web pages cannot reach the endpoint under a false host name."""

from collections.abc import Sequence
from urllib.parse import urlsplit

LONGEST = 300
"""Characters of a header that are examined: host names have 253 at most, and `urlsplit` caches its
arguments."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ANY = "*"


class HostPolicy:
    """Accepts or refuses the headers `Host` and `Origin`.

    Loopback names are accepted as well as the service's own, for clients and proxies on the same machine.

    Args:
        public_url: address of the service.
        hosts: further host names; `*` for any.
        origins: further origins of pages, such as `https://app.example.org`; `*` for any.
    """

    def __init__(self, public_url: str, *, hosts: Sequence[str] = (), origins: Sequence[str] = ()) -> None:
        own = urlsplit(public_url)
        self._hosts = {*LOOPBACK, own.hostname or "", *(host.lower() for host in hosts)}
        self._origins = {f"{own.scheme}://{own.netloc}".lower(), *(origin.lower() for origin in origins)}

    def knows_host(self, header: str | None) -> bool:
        """Return whether the name in `Host` belongs to the service, on any port."""
        if header is None or len(header) > LONGEST:
            return False
        try:
            name = urlsplit(f"//{header}").hostname
        except ValueError:
            return False
        return ANY in self._hosts or name in self._hosts

    def knows_origin(self, header: str | None) -> bool:
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
