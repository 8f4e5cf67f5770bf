"""Addresses that may be asked: those of the registry, and those that a publisher's answer may lead to."""

import ipaddress
from urllib.parse import urljoin, urlsplit

from assets.connectors.errors import FetchError


def host_of(address: str) -> str:
    """Return host and port of an address, for pacing and comparison."""
    return urlsplit(address).netloc.lower()


def followed(address: str, location: str) -> str:
    """Return where a redirect leads: from https to https anywhere public, else to the same host and scheme.

    Raises:
        FetchError: it leads to another scheme, from http to another host, into this machine or its network,
            or it carries a name and password.
    """
    try:
        target = urljoin(address, location)
        before, after = urlsplit(address), urlsplit(target)
        allowed = (
            after.scheme == before.scheme
            and after.username is None
            and (
                host_of(target) == host_of(address)
                or (after.scheme == "https" and _is_public(after.hostname))
            )
        )
    except ValueError:
        raise FetchError(f"{address} leads to {location[:200]!r}, which is no address.") from None
    if not allowed:
        raise FetchError(f"{address} leads to {target[:200]}, which is not followed: only https to https is.")
    return target


def linked(page: str, link: str) -> str:
    """Return the address of a link on a publisher's page, which must lie on the page's own host.

    Raises:
        FetchError: it leads elsewhere.
    """
    target = followed(page, link)
    if host_of(target) != host_of(page):
        raise FetchError(f"{page} links to {target[:200]}, on another host; it is not fetched.")
    return target


def _is_public(host: str | None) -> bool:
    if not host or host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return True
