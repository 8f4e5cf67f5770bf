"""Requests that are accepted: checks of a head, before the application sees it."""

import re
from collections.abc import Iterable

import httptools

from serving.contract.errors import OverloadedError
from serving.process.protocol.connections import RETRY_AFTER_SECONDS
from serving.process.protocol.refusals import MalformedRequestError

OPEN_TO_ALL = (b"/health", b"/ready", b"/metrics")
"""Paths that are answered even on connections beyond the limit."""

_VERSIONS = ("1.1", "1.0")
_HOST = re.compile(rb"(?:\[[0-9A-Za-z.:~_%-]*\]|[0-9A-Za-z._~!$&'()*+,;=%-]*)(?::[0-9]*)?")
"""Value of `Host` (RFC 3986, 3.2.2): a name or an address, and a port, or nothing."""


def is_usual(parser: httptools.HttpRequestParser, *, has_body: bool) -> bool:
    """Return whether a request is HTTP/1.1 and does not ask for another protocol.

    Args:
        parser: that read its head.
        has_body: whether a body follows.

    Raises:
        MalformedRequestError: 400: it is in another version, or asks for what cannot be.
    """
    version, upgrades = parser.get_http_version(), parser.should_upgrade()
    if version not in _VERSIONS:
        raise MalformedRequestError("This server speaks HTTP/1.1 and HTTP/1.0.")
    if upgrades and parser.get_method() == b"CONNECT":
        raise MalformedRequestError("This server is no proxy.")
    if upgrades and has_body:
        raise MalformedRequestError("A request with a body cannot ask for another protocol.")
    return version == "1.1" and not upgrades


def require_host(version: str, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Check that a request names one host, as RFC 9112 (3.2) has it: what stands in front may go by another.

    Args:
        version: of HTTP; 1.0 had no `Host`.
        headers: pairs of a name in lower case and a value.

    Raises:
        MalformedRequestError: 400: it names none, several, or what is no host.
    """
    hosts = [value for name, value in headers if name == b"host"]
    if len(hosts) > 1 or (not hosts and version != "1.0"):
        raise MalformedRequestError("A request has the header `Host` once.")
    if hosts and _HOST.fullmatch(hosts[0].strip()) is None:
        raise MalformedRequestError("The header `Host` is a name or an address, with a port or none.")


def require_open_to_all(url: bytes) -> None:
    """Check an address that is asked for on a connection beyond the limit.

    Raises:
        OverloadedError: 503: there is no room for it.
    """
    if url.partition(b"?")[0] not in OPEN_TO_ALL:
        raise OverloadedError(
            "The server has as many connections, in all or from this address, as it takes on. Try again.",
            retry_after_seconds=RETRY_AFTER_SECONDS,
        )
