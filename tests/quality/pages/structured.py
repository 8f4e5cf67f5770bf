"""Properties of the schema.org types that a provision's description uses, and the values that each may hold.

Of `Legislation` and its parents `CreativeWork` and `Thing`, `LegislationObject`, `Organization` and `AdministrativeArea`;
compared with the type definitions of the npm package `schema-dts` 2.1.0 on 23 November 2026. A property that is not
listed here is none that pages give.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any
from urllib.parse import urlsplit

CONTEXT = "https://schema.org"
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_FORCE = {f"{CONTEXT}/{status}" for status in ("InForce", "NotInForce", "PartiallyInForce")}


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _url(value: Any) -> bool:
    return _text(value) and bool(urlsplit(value).scheme in ("http", "https") and urlsplit(value).netloc)


def _day(value: Any) -> bool:
    try:
        return _text(value) and bool(date.fromisoformat(value))
    except ValueError:
        return False


_PLACE = {"name": _text}
_ORGANIZATION = {"name": _text, "url": _url}
_OBJECT = {
    "encodingFormat": lambda value: _text(value) and bool(_MEDIA_TYPE.fullmatch(value)),
    "contentUrl": _url,
}
_LEGISLATION: dict[str, Any] = {
    "name": _text,
    "url": _url,
    "legislationIdentifier": _text,
    "legislationType": _text,
    "legislationJurisdiction": ("AdministrativeArea", _PLACE),
    "legislationLegalForce": _FORCE.__contains__,
    "legislationDateVersion": _day,
    "inLanguage": lambda value: _text(value) and bool(_LANGUAGE.fullmatch(value)),
    "publisher": ("Organization", _ORGANIZATION),
    "encoding": ("LegislationObject", _OBJECT),
    "isBasedOn": _url,
}
_LEGISLATION["isPartOf"] = ("Legislation", _LEGISLATION)
REQUIRED = ("name", "url", "legislationIdentifier", "legislationJurisdiction", "isPartOf", "publisher")


def misshapen(data: Any) -> Iterator[str]:
    """Yield the properties of a provision's description that are not as schema.org has them, or are missing."""
    if data.get("@context") != CONTEXT or not _url(data.get("@id")):
        yield "@context or @id"
    yield from (name for name in REQUIRED if name not in data)
    own = {name: value for name, value in data.items() if name not in ("@context", "@id")}
    yield from _misshapen(own, "Legislation", _LEGISLATION)


def _misshapen(value: Any, kind: str, shape: dict[str, Any]) -> Iterator[str]:
    if not isinstance(value, dict) or value.get("@type") != kind:
        yield f"{kind}: @type"
        return
    for name, given in value.items():
        if name == "@type":
            continue
        wanted = shape.get(name)
        for one in given if isinstance(given, list) else [given]:
            if isinstance(wanted, tuple):
                yield from _misshapen(one, *wanted)
            elif wanted is None or not wanted(one):
                yield f"{kind}: {name}"
