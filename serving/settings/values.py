"""Values of settings: each parser returns one, or raises ValueError with what is accepted."""

import ipaddress
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from serving.contract.loopback import is_loopback

SQLITE = "sqlite:///"
GEOCODERS = ("census", "nominatim")
"""Kinds of geocoders, by how they are asked and answer."""
LOG_LEVELS = ("debug", "info", "warning", "error")
_ADDRESS = re.compile(r"(?:[A-Za-z0-9.\-]+|\[[0-9A-Fa-f:]+\]):[0-9]{1,5}")


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return the parser of a whole number within bounds."""

    def parse(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", value) or not low <= int(value) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(value)

    return parse


def seconds(low: float, high: float) -> Callable[[str], float]:
    """Return the parser of a number of seconds within bounds."""

    def parse(value: str) -> float:
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", value) or not low <= float(value) <= high:
            raise ValueError(f"a number of seconds from {low:g} to {high:g}")
        return float(value)

    return parse


def hours(value: str) -> float:
    """Parse a number of hours, at most a year."""
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?", value) or float(value) > 8760:
        raise ValueError("a number of hours from 0 to 8760")
    return float(value)


def folder(value: str) -> Path:
    """Parse the path of a folder, which need not be there."""
    if not value or "\0" in value:
        raise ValueError("a folder")
    if "://" in value:  # the pipeline takes URLs there
        raise ValueError("a folder of this machine: pull what a URL has by `lawctl mirror pull`")
    return Path(value)


def optional_folder(value: str) -> Path | None:
    """Parse the path of a folder; None where none is given."""
    return folder(value) if value else None


def optional_file(value: str) -> Path | None:
    """Parse the path of a file; None where none is given."""
    if "\0" in value:
        raise ValueError("a file")
    return Path(value) if value else None


def host(value: str) -> str:
    """Parse a host name or IP address to listen on."""
    if not re.fullmatch(r"[A-Za-z0-9.:\-]+", value):
        raise ValueError("a host name or an IP address without brackets")
    return value


def base_url(value: str) -> str | None:
    """Parse the address of the service, without a slash at its end; None where none is given."""
    if not value:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("an http or https address without query and fragment")
    return value.rstrip("/")


def geocoder(value: str) -> str | None:
    """Parse the kind of a geocoder and the base of its address; None where none is given."""
    if not value:
        return None
    kind, _, base = value.partition(":")
    if kind not in GEOCODERS or not _is_private_way(base):
        raise ValueError(
            f"{' or '.join(f'{one}:https://host' for one in GEOCODERS)}, with http for this machine alone, "
            "without user, query and fragment"
        )
    return value.rstrip("/")


def _is_private_way(base: str) -> bool:
    """Return whether nobody between reads what is sent to an address, and it has no part that is not sent."""
    if not re.fullmatch(r"[!-~]+", base) or re.search(r"[?#@]", base):
        return False
    try:
        parts = urlsplit(base)
        host, port = parts.hostname, parts.port
    except ValueError:
        return False
    if not host or port == 0:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))


def database_url(value: str) -> str:
    """Parse the address of a database, in the long name of its scheme."""
    # Many hosts hand out the short name of the scheme.
    url = re.sub(r"^postgres://", "postgresql://", value)
    file = url.removeprefix(SQLITE) if url.startswith(SQLITE) else None
    if file in ("", ":memory:") or (file is None and not re.match(r"postgresql://.", url)):
        raise ValueError("sqlite:///path/to/file or postgresql://user:password@host/database")
    return url


def durability(value: str) -> str:
    """Parse the name of what SQLite flushes."""
    if value.lower() not in ("normal", "full"):
        raise ValueError("normal or full")
    return value.lower()


def smtp_url(value: str) -> str | None:
    """Parse the address of a mail server; None where none is given."""
    if not value:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError("smtp://user:password@host:port, or smtps:// where TLS comes first")
    return value


def mail_address(value: str) -> str | None:
    """Parse a mail address; None where none is given."""
    if value and not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", value):
        raise ValueError("a mail address such as law@example.org")
    return value or None


def contact(value: str) -> str | None:
    """Parse the address of a contact; None where none is given."""
    if value and not re.fullmatch(r"(mailto:[^@\s<>]+@|https://)[^@\s<>]+", value):
        raise ValueError("mailto:security@example.org, or an https:// address")
    return value or None


def host_and_port(value: str) -> str | None:
    """Parse a host with a port; None where none is given."""
    port = value.rpartition(":")[2]
    if value and not (_ADDRESS.fullmatch(value) and 1 <= int(port) <= 65535):
        raise ValueError("host:port such as 127.0.0.1:9100 or [::1]:9100")
    return value or None


def optional_text(value: str) -> str | None:
    """Return the text; None where it is empty."""
    return value or None


def networks(value: str) -> tuple[str, ...]:
    """Parse a list of addresses and networks."""
    addresses = tuple(part.strip() for part in value.split(",") if part.strip())
    try:
        for address in addresses:
            if address != "*":
                ipaddress.ip_network(address)
    except ValueError:
        raise ValueError("IP addresses or networks such as 10.0.0.0/8, separated by commas, or *") from None
    return addresses


def host_names(value: str) -> tuple[str, ...]:
    """Parse a list of host names."""
    hosts = tuple(part.strip() for part in value.split(",") if part.strip())
    if not all(host == "*" or re.fullmatch(r"[A-Za-z0-9.\-]+|[0-9A-Fa-f:]+", host) for host in hosts):
        raise ValueError("host names without ports, separated by commas, or *")
    return hosts


def origins(value: str) -> tuple[str, ...]:
    """Parse a list of origins of web pages."""
    found = tuple(part.strip() for part in value.split(",") if part.strip())
    if not all(origin == "*" or re.fullmatch(r"https?://[^\s/?#]+", origin) for origin in found):
        raise ValueError("origins such as https://app.example.org, separated by commas, or *")
    return found


def switch(value: str) -> str:
    """Parse a switch."""
    if value.lower() not in ("on", "off"):
        raise ValueError("on or off")
    return value.lower()


def webhook_hosts(value: str) -> str:
    """Parse the name of the hosts that watches may deliver to."""
    if value not in ("public", "local"):
        raise ValueError("public or local")
    return value


def log_level(value: str) -> str:
    """Parse the name of a severity."""
    if value.lower() not in LOG_LEVELS:
        raise ValueError(f"one of {', '.join(LOG_LEVELS)}")
    return value.lower()
