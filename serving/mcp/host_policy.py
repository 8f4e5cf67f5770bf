"""Policy on host names, so that web pages cannot reach the endpoint under a false one."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from serving.api.origins import ANY, LONGEST, LOOPBACK


class HostPolicy:
    """Accepts or refuses the header `Host`.

    Loopback names are accepted as well as the service's own, for clients and proxies on the same machine.

    Args:
        public_url: address of the service.
        hosts: further host names; `*` for any.
    """

    def __init__(self, public_url: str, hosts: Sequence[str] = ()) -> None:
        self._hosts = {*LOOPBACK, urlsplit(public_url).hostname or "", *(host.lower() for host in hosts)}

    def knows(self, header: str | None) -> bool:
        """Return whether the name in `Host` belongs to the service, on any port."""
        if header is None or len(header) > LONGEST:
            return False
        try:
            name = urlsplit(f"//{header}").hostname
        except ValueError:
            return False
        return ANY in self._hosts or name in self._hosts
