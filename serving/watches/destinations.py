"""Addresses that deliveries may go to, and the request that brings one there.

An address is given by a customer. It is https, its host resolves to public addresses alone, the connection
goes to the address that was looked at, redirects are not followed, proxies of the environment are not used,
and neither the answer nor the time is unbounded.
"""

import http.client
import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from serving.contract.errors import LawError, ValidationError

LONGEST = 2_000
"""Longest address, in characters."""
CONNECT_SECONDS, TOTAL_SECONDS = 5.0, 15.0
_VISIBLE = re.compile(r"[!-~]+")
_HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}\.?")
_EMBEDDING = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
"""Networks whose addresses lead to an address of version 4 inside of them."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class DeliveryError(LawError):
    """A delivery did not reach its receiver; the message says why."""

    code = "delivery_failed"


def require_destination(url: str, *, local: bool) -> str:
    """Return an address that deliveries may go to, as far as it can be told without looking its host up.

    Args:
        url: as a customer gave it.
        local: this machine may be named too, and http there: for trying things out.

    Raises:
        ValidationError: it is none; the message says why.
    """
    parts = _parts(url)
    if local and _is_of_this_machine(parts.hostname or ""):
        return url
    if parts.scheme != "https":
        raise _refused("must be an https address")
    if _HOST.fullmatch(parts.hostname or "") is None:
        raise _refused("must name a public host, and no number")
    return url


def post(url: str, headers: Mapping[str, str], body: bytes, *, local: bool) -> int:
    """Send a delivery and return the status of the answer; what else it says is not read.

    Raises:
        DeliveryError: nothing came in time, or the address leads where deliveries may not go.
    """
    try:
        parts = _parts(require_destination(url, local=local))
    except ValidationError as error:
        raise DeliveryError(error.message) from error
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = _Connection(parts, port, _address(parts.hostname or "", port, local=local))
    # A receiver that sends a byte now and then must not hold the delivery beyond its time.
    end = threading.Timer(TOTAL_SECONDS, connection.abort)
    end.daemon = True
    end.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, {**headers, "Connection": "close"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        said = "no answer in time" if isinstance(error, TimeoutError) else type(error).__name__
        raise DeliveryError(f"The receiver was not reached: {said}.") from error
    finally:
        end.cancel()
        connection.close()


class _Connection(http.client.HTTPConnection):
    """A connection to an address that was looked at, under the name by which it was found."""

    def __init__(self, parts: SplitResult, port: int, address: str) -> None:
        super().__init__(parts.hostname or "", port, timeout=CONNECT_SECONDS)
        self.default_port = 443 if parts.scheme == "https" else 80
        self._address = address
        self._is_secure = parts.scheme == "https"
        self._aborted = False

    def connect(self) -> None:
        """Connect to the address, and have its certificate prove the name."""
        plain = socket.create_connection((self._address, self.port), CONNECT_SECONDS)
        self.sock = plain
        if self._is_secure:
            self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
        self.sock.settimeout(TOTAL_SECONDS)
        if self._aborted:
            raise TimeoutError

    def abort(self) -> None:
        """End what is under way, from another thread."""
        self._aborted = True
        if self.sock is not None:
            try:
                self.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it has ended


def _parts(url: str) -> SplitResult:
    if len(url) > LONGEST or _VISIBLE.fullmatch(url) is None:
        raise _refused(f"must be an address of up to {LONGEST:,} characters without blanks")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refused("must be an https address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise _refused("must be an https address")
    if parts.username is not None or parts.fragment:
        raise _refused("must be an address without a user's name and without a fragment")
    return parts


def _refused(why: str) -> ValidationError:
    return ValidationError(f"Field `url` {why}.", parameter="url")


def _is_of_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(host: str, port: int, *, local: bool) -> str:
    """Return the first address of a host, all of which must be public.

    Raises:
        DeliveryError: it has none, or one that is not.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise DeliveryError("The host of the address is not known.") from None
    addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    if not addresses:
        raise DeliveryError("The host of the address is not known.")
    allowed = local and _is_of_this_machine(host)
    if not all(is_public(one) or (allowed and one.is_loopback) for one in addresses):
        raise DeliveryError("The host of the address is not a public one.")
    return str(addresses[0])


def is_public(address: Address) -> bool:
    """Return whether an address is one of the public internet, and so is one that it embeds."""
    if isinstance(address, ipaddress.IPv6Address):
        inside = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inside is None and any(address in network for network in _EMBEDDING):
            inside = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if inside is not None and not is_public(inside):
            return False
    return address.is_global and not address.is_multicast
