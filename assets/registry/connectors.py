"""Connectors in the registry: the addresses at which a publisher offers new releases, and their form."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from serving.contract.hand_written import record_of

ADDRESSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "https": ("file",),
        "git-archive": ("newest", "archive"),
        "taf": ("authentication", "repository"),
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

SIGNED = frozenset({"taf"})
"""Kinds whose releases their publishers sign: such an entry has a table `signed_by`."""

_REPOSITORY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SignedBy:
    """The table `signed_by` of a connector: whose signatures count, and for what.

    Attributes:
        target: name of the repository with the law in the signed metadata: `NAMESPACE/REPOSITORY`.
        root: SHA-256 of a root of the metadata, in lower-case hexadecimals: its keys, and those of the roots
            that follow by their signatures, are all that is trusted.
        expired_days: days for which metadata are still taken after they have expired.
    """

    target: str
    root: str
    expired_days: int = 0

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "SignedBy":
        """Return what a table of the registry says.

        Raises:
            TypeError: a field is unknown or missing.
            ValueError: a field is not of its form.
        """
        signed = record_of(cls, values)
        if not isinstance(signed.target, str) or _REPOSITORY.fullmatch(signed.target) is None:
            raise ValueError("connector.signed_by.target is the name of a repository: NAMESPACE/REPOSITORY")
        if not isinstance(signed.root, str) or _SHA256.fullmatch(signed.root) is None:
            raise ValueError("connector.signed_by.root is a SHA-256 in 64 lower-case hexadecimals")
        _require_days("signed_by.expired_days", signed.expired_days)
        return signed


@dataclass(frozen=True, slots=True)
class ConnectorEntry:
    """The table `connector` of an entry.

    Attributes:
        kind: the connector: a key of `ADDRESSES`.
        addresses: by name, as that kind needs them.
        megabytes: the most that one file may have.
        stale_after_days: by which what is accepted may be older than the publisher's newest release before a
            check warns.
        signed_by: whose signatures count; None: the publisher signs nothing that is checked.
    """

    kind: str
    addresses: Mapping[str, str]
    megabytes: int = MEGABYTES
    stale_after_days: int = STALE_AFTER_DAYS
    signed_by: SignedBy | None = None

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
        days, signed = fields.pop("stale_after_days", STALE_AFTER_DAYS), fields.pop("signed_by", None)
        if kind not in ADDRESSES:
            raise ValueError(f"connector has the kind {kind!r}; known: {', '.join(ADDRESSES)}")
        if set(fields) != set(ADDRESSES[kind]):
            raise TypeError(f"a connector of kind {kind} has the addresses {', '.join(ADDRESSES[kind])}")
        if type(megabytes) is not int or megabytes < 1:
            raise ValueError("connector.megabytes is a whole number above 0")
        _require_days("stale_after_days", days)
        if (kind in SIGNED) != isinstance(signed, Mapping):
            raise TypeError(f"connector.signed_by is a table for {', '.join(SIGNED)}, and for no other kind")
        for name, address in fields.items():
            _require_address(name, address)
        return cls(kind, fields, megabytes, days, None if signed is None else SignedBy.from_dict(signed))


def _require_days(name: str, days: object) -> None:
    if type(days) is not int or days < 0:
        raise ValueError(f"connector.{name} is a whole number, 0 or above")


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
