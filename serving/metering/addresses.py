"""E-mail addresses in the form in which they are stored, and network addresses in the form of limits."""

import ipaddress
import re
import unicodedata
from functools import lru_cache

from serving.contract.errors import ValidationError

_MAX_LENGTH, _MAX_LOCAL = 254, 64
_SHOWN = 60
"""Characters that a message repeats of what is no address."""
_LONGEST = 45
"""Characters of the longest IP address without a zone; texts that are longer are not remembered."""
_LOCAL = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*")
_LABEL = re.compile(r"(?!-)[^\W_]([\w-]{0,61}[^\W_])?")


def normal_email(text: str) -> str:
    """Return the address trimmed and case-folded, as it is stored and looked up.

    Raises:
        ValidationError: with `parameter="email"`: the text is not an address.
    """
    email = unicodedata.normalize("NFC", text.strip().casefold())
    local, _, domain = email.rpartition("@")
    labels = domain.split(".")
    if (
        len(email.encode(errors="replace")) > _MAX_LENGTH
        or len(local) > _MAX_LOCAL
        or _LOCAL.fullmatch(local) is None
        or len(labels) < 2
        or not all(_LABEL.fullmatch(label) for label in labels)
    ):
        given = repr(text.strip()[:_SHOWN]) if text.strip() else "An empty text"
        raise ValidationError(
            f"{given} is not an e-mail address; one looks like name@example.org.", parameter="email"
        )
    return email


def network_of(address: str) -> str:
    """Return the network that counts as one customer: an IPv4 address, or an IPv6 network of 64 bits.

    A text that is not an IP address, such as the name of a socket, is returned unchanged.
    """
    return _known_network(address) if len(address) <= _LONGEST else _network(address, of_4=32, of_6=64)


def range_of(address: str) -> str:
    """Return the range of neighbouring networks that one party usually has: 24 bits of IPv4, 48 of IPv6."""
    return _network(address, of_4=24, of_6=48)


@lru_cache(maxsize=1024)
def _known_network(address: str) -> str:
    return _network(address, of_4=32, of_6=64)


def _network(address: str, *, of_4: int, of_6: int) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.IPv6Network((int(parsed), of_6), strict=False))
        parsed = parsed.ipv4_mapped
    return str(ipaddress.IPv4Network((int(parsed), of_4), strict=False)).removesuffix("/32")
