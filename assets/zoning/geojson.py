"""Look through a GeoJSON document before GDAL does: strictly, and without what it names outside itself."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never

from pyproj import CRS
from pyproj.exceptions import CRSError

from assets.errors import MalformedFileError

_NAMED_CRS = re.compile(
    r"(?:urn:(?:x-)?ogc:def:crs:|https?://(?:www\.)?opengis\.net/def/crs/)?"
    r"(?P<register>EPSG|OGC|ESRI|IGNF)[:/](?:[\w.]*[:/])?(?P<code>\w+)",
    re.IGNORECASE,
)
"""The names by which registers list a CRS: anything else, GDAL might look for in a file or at an address."""


@dataclass(frozen=True, slots=True)
class Document:
    """Findings in a GeoJSON document.

    Attributes:
        rings: how many each feature's geometry has, of its parts together; None: it has no polygon to count.
        cleaned: the document without what is not to be followed; None: it may be read as it is.
    """

    rings: Sequence[int | None]
    cleaned: bytes | None


class _RefusalError(ValueError):
    """Raised inside the parser, where the file's name is not known."""


def look_through(path: Path) -> Document:
    """Parse a document, drop every `crs` that is a link, and count the rings of each feature.

    A link in the place of a CRS is dropped, as RFC 7946 would have it; a name must be that of a register.

    Raises:
        MalformedFileError: it is no FeatureCollection in UTF-8, is nested too deeply, holds a member twice or
            a number that is none, or names a CRS that no register knows.
    """
    holders: list[dict[str, Any]] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1)
            raise _RefusalError(f"an object has the member {twice[:40]!r} twice")
        if isinstance(found.get("crs"), dict):
            holders.append(found)
        return found

    try:
        text = path.read_bytes().decode("utf-8-sig")
        document = json.loads(text, object_pairs_hook=members, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        reason = f"byte {error.start:,} is not UTF-8"
        raise MalformedFileError(path.name, f"cannot be read: {reason}") from None
    except RecursionError:
        raise MalformedFileError(path.name, "cannot be read: it is nested too deeply") from None
    except ValueError as error:
        raise MalformedFileError(path.name, f"cannot be read: {error}") from None
    features = document.get("features") if isinstance(document, dict) else None
    if not isinstance(features, list) or document.get("type") != "FeatureCollection":
        kind = document.get("type") if isinstance(document, dict) else None
        raise MalformedFileError(
            path.name, f"cannot be read: it is no FeatureCollection (its type is {str(kind)[:40]!r})"
        )
    changed = _settle_crs(document, holders, path)
    return Document(
        rings=[_rings(feature) for feature in features],
        cleaned=json.dumps(document).encode() if changed else None,
    )


def _no_number(name: str) -> Never:
    raise _RefusalError(f"{name} is no number of JSON")


def _settle_crs(document: dict[str, Any], holders: list[dict[str, Any]], path: Path) -> bool:
    """Leave the document's own CRS alone where a register names it; return whether anything was changed."""
    changed = False
    for holder in holders:
        crs = holder["crs"]
        name = crs.get("type") == "name" and isinstance(crs.get("properties"), dict)
        if holder is document and name:
            registered = _registered(crs["properties"].get("name"), path)
            plain = {"type": "name", "properties": {"name": registered}}
            changed |= crs != plain
            holder["crs"] = plain
        else:
            del holder["crs"]
            changed = True
    return changed


def _registered(name: object, path: Path) -> str:
    match = _NAMED_CRS.fullmatch(name) if isinstance(name, str) else None
    if match is not None:
        registered = f"{match['register'].upper()}:{match['code']}"
        try:
            CRS.from_user_input(registered)
        except CRSError:
            pass
        else:
            return str(name) if registered != str(name) and str(name).startswith("urn:") else registered
    raise MalformedFileError(path.name, f"names a CRS that no register knows: {str(name)[:80]!r}")


def _rings(feature: object) -> int | None:
    """Return the number of rings that a feature's polygons should have."""
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    if not isinstance(geometry, dict):
        return None
    coordinates = geometry.get("coordinates")
    if geometry.get("type") == "Polygon":
        return len(coordinates) if isinstance(coordinates, list) else 1
    if geometry.get("type") == "MultiPolygon":
        if not isinstance(coordinates, list):
            return 1
        return sum(len(part) if isinstance(part, list) else 1 for part in coordinates)
    return None
