"""Connectors in the registry: the addresses at which a publisher offers new releases, and their form."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

ADDRESSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "https": ("file",),
        "git-archive": ("newest", "archive"),
        "uscode": ("page",),
        "ecfr-titles": ("titles", "title"),
        "arcgis": ("layer",),
    }
)
"""The addresses that an entry gives, by the kind of its connector."""

PLACEHOLDERS: Mapping[str, str] = MappingProxyType({"archive": "{commit}", "title": "{number}"})
"""Addresses that are templates, and the field that each of them holds."""

MEGABYTES = 4096

STALE_AFTER_DAYS = 30
"""Days that may pass between two releases unless the entry says otherwise."""

RELEASE_POINTS = frozenset({"uscode"})
"""Kinds whose releases go by the names that sources give as their release points."""


@dataclass(frozen=True, slots=True)
class ConnectorEntry:
    """The table `connector` of an entry.

    Attributes:
        kind: the connector: a key of `ADDRESSES`.
        addresses: by name, as that kind needs them.
        megabytes: the most that one file may have.
        stale_after_days: by which what is accepted may be older than the publisher's newest release before a
            check warns.
    """

    kind: str
    addresses: Mapping[str, str]
    megabytes: int = MEGABYTES
    stale_after_days: int = STALE_AFTER_DAYS

    @property
    def names_release_points(self) -> bool:
        """True where a release goes by the name that its files give as their release point."""
        return self.kind in RELEASE_POINTS

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "ConnectorEntry":
        """Return what a table of the registry says.

        Raises:
            TypeError: an address is missing, or a field is unknown.
            ValueError: the kind is unknown, or an address cannot be fetched from.
        """
        fields = dict(values)
        kind, megabytes = fields.pop("kind", None), fields.pop("megabytes", MEGABYTES)
        days = fields.pop("stale_after_days", STALE_AFTER_DAYS)
        if kind not in ADDRESSES:
            raise ValueError(f"connector has the kind {kind!r}; known: {', '.join(ADDRESSES)}")
        if set(fields) != set(ADDRESSES[kind]):
            raise TypeError(f"a connector of kind {kind} has the addresses {', '.join(ADDRESSES[kind])}")
        if type(megabytes) is not int or megabytes < 1:
            raise ValueError("connector.megabytes is a whole number above 0")
        if type(days) is not int or days < 0:
            raise ValueError("connector.stale_after_days is a whole number, 0 or above")
        for name, address in fields.items():
            _require_address(name, address)
        return cls(kind, fields, megabytes, days)


def _require_address(name: str, address: object) -> None:
    if not isinstance(address, str):
        raise TypeError(f"connector.{name} is an address")
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(parts.hostname or "")):
        raise ValueError(f"connector.{name} {address!r} does not begin with https://")
    if not parts.hostname or parts.username is not None or parts.fragment:
        raise ValueError(f"connector.{name} {address!r} is not the address of a file or page")
    field = PLACEHOLDERS.get(name)
    if field is not None and field not in address:
        raise ValueError(f"connector.{name} {address!r} lacks {field}")


def _is_loopback(host: str) -> bool:
    """Return whether a host is this machine by its number."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
