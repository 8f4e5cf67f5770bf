"""Addresses that deliveries may go to, and the request that brings one there.

An address is given by a customer. It is https, its host resolves to public addresses alone, the connection
goes to the address that was looked at, redirects are not followed, proxies of the environment are not used,
and neither the answer nor the time is unbounded.
"""

import ipaddress
import re
import socket
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from serving.contract.errors import LawError, ValidationError
from serving.contract.loopback import is_loopback
from serving.outgoing.exchanges import Bounds, Request, UnreachedError, exchange

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
    if local and is_loopback(parts.hostname or ""):
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
    address = _address(parts.hostname or "", port, local=local)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    bounds = Bounds(connect_seconds=CONNECT_SECONDS, total_seconds=TOTAL_SECONDS)
    try:
        return exchange(parts, address, Request("POST", target, headers, body), bounds).status
    except UnreachedError as error:
        raise DeliveryError(f"The receiver was not reached: {error.message}.") from error


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
    allowed = local and is_loopback(host)
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
