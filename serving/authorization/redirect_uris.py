"""Redirect URIs of clients: which may be registered, which match, and how an answer is put on one.

A registered URI is met exactly, but for the port of a loopback address, which an app on the holder's own
machine chooses anew each time (RFC 8252, section 7.3).
"""

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlencode, urlsplit

from serving.contract.loopback import is_loopback

LONGEST = 512
APP_SCHEMES = frozenset({"cursor", "vscode", "vscode-insiders", "windsurf"})
"""Schemes without a dot that well-known desktop agents have for themselves. Any other scheme of an app has
the dot of a reversed domain name (RFC 8252, section 7.1): so none that a system acts upon can be named."""
_FORM = re.compile(r"[a-z][a-z0-9+.-]*:[A-Za-z0-9._~:/?\[\]@!$&()*+,;=%-]+")
_HOST = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:]+\]")


def is_acceptable(uri: str) -> bool:
    """Return whether a client may register the URI: HTTPS, loopback HTTP, or a scheme of the app's own."""
    if len(uri) > LONGEST or _FORM.fullmatch(uri) is None:
        return False
    parts = _split(uri)
    if parts is None or parts.username is not None or parts.password is not None:
        return False
    if parts.scheme in ("http", "https"):
        host = parts.hostname or ""
        if _HOST.fullmatch(_authority(parts)) is None:
            return False
        return parts.scheme == "https" or is_loopback(host)
    return "." in parts.scheme or parts.scheme in APP_SCHEMES


def is_match(uri: str, registered: str) -> bool:
    """Return whether a URI is the registered one; the ports of loopback addresses may differ."""
    if uri == registered:
        return True
    return is_acceptable(uri) and _without_loopback_port(uri) == _without_loopback_port(registered)


def destination(uri: str) -> str | None:
    """Return the host to which an answer on the URI goes; None where it stays on the holder's machine."""
    parts = urlsplit(uri)
    if parts.scheme != "https" or is_loopback(parts.hostname or ""):
        return None
    return parts.netloc


def policy_source(uri: str) -> str:
    """Return the URI's origin as a source of a Content-Security-Policy."""
    parts = urlsplit(uri)
    # The grammar of a policy has no IPv6 addresses, and schemes of apps have no origins.
    if parts.scheme not in ("http", "https") or "[" in parts.netloc:
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc}"


def with_answer(uri: str, parameters: Mapping[str, str]) -> str:
    """Return the URI with the parameters of an answer added; what it has already stays as it is."""
    separator = "" if uri.endswith(("?", "&")) else "&" if "?" in uri else "?"
    return f"{uri}{separator}{urlencode(parameters)}"


def _without_loopback_port(uri: str) -> tuple[str, ...] | str:
    parts = urlsplit(uri)
    if parts.scheme == "http" and is_loopback(parts.hostname or ""):
        return (_authority(parts), parts.path, parts.query)
    return uri


def _authority(parts: SplitResult) -> str:
    """Return the host as the URI spells it, without the port."""
    return re.sub(r":[0-9]*$", "", parts.netloc) if not parts.netloc.endswith("]") else parts.netloc


def _split(uri: str) -> SplitResult | None:
    try:
        parts = urlsplit(uri)
        # It is read only here, and may be no number.
        _ = parts.port
    except ValueError:
        return None
    return parts
