"""Zoning: the layers of a snapshot, and the zones at a point with the provisions that define them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from typing import Annotated

from serving.contract.answers import DETAIL
from serving.contract.errors import NotFoundError, SnapshotCorruptError, ValidationError
from serving.contract.layers import LayerEntry
from serving.services.jurisdictions import code_of, folded_name
from serving.snapshot.layers import Layer, Zone
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody

BOUNDARY_METRES = 1.0
"""Metres to a boundary within which a point is said to lie on it: zoning maps are no more exact than that."""
_MAP = re.compile(rb',\s*"geojson":\s*')
_NAMED = 5
"""Most layers that the message of an unknown layer names."""
_APART = 365
"""Days between map and code above which it is said in words: a city changes either within a year."""


class Reason(StrEnum):
    """The reason that no zone is at a point."""

    OUTSIDE_LAYER = "outside_layer"
    """The point lies outside the rectangle around the layer."""
    NO_ZONE = "no_zone"
    """The point lies within that rectangle, and no zone covers it: a street, water, or another government."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneHere:
    """A zone at a point.

    Attributes:
        link: `linked` where `node_id` is the provision that defines it, else `placeholder`.
        on_boundary: the point lies on the zone's boundary, within the tolerance.
        boundary_distance_meters: from the point to the zone's boundary; None if above the tolerance.
    """

    zone_id: Annotated[str, DETAIL]
    zone_code: str
    zone_name: str
    overlay: bool
    node_id: str | None
    citation: str | None
    heading: str | None
    link: str
    reason: str = ""
    on_boundary: bool
    boundary_distance_meters: Annotated[float | None, DETAIL]


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """The answer of one layer for a point.

    Attributes:
        zones: every zone that covers the point, base zones before overlays.
        reason: why there are no zones; None where there are some.
        on_boundary: the point lies on the boundary of any zone, within the tolerance.
        across_boundary: zones that do not cover it, but whose boundary it lies on within the tolerance.
        map_code_skew_days: days from the date of the map to that of the code; None where no code is held.
        stale: a newer map was refused, and this is the one before it. It says nothing of the map's age.
        note: what follows from map and code being of different times; None where they are not far apart.
    """

    short_code: str
    name: str
    status: Annotated[str, DETAIL]
    citation_quality: str
    lat: Annotated[float, DETAIL]
    lon: Annotated[float, DETAIL]
    zones: tuple[ZoneHere, ...]
    reason: Reason | None
    on_boundary: bool
    across_boundary: tuple[ZoneHere, ...]
    boundary_tolerance_meters: Annotated[float, DETAIL]
    layer_date: str
    code_date: str | None
    map_code_skew_days: int | None
    stale: bool
    note: str | None
    license: str | None
    source_url: str | None


def find_layer(snapshot: Snapshot, short_code: str) -> Layer:
    """Return the layer of a jurisdiction.

    Args:
        snapshot: holds it.
        short_code: short code or name of the jurisdiction, in letters of any case.

    Raises:
        NotFoundError: no layer is published for it; the message names the nearest.
    """
    code = code_of(snapshot.manifest, short_code) or folded_name(short_code)
    layer = snapshot.layers.find(code)
    if layer is None:
        raise NotFoundError(
            f"No zoning layer is published for {short_code}; {_others(snapshot, code)}", kind="layer"
        )
    return layer


def layer_body(snapshot: Snapshot, short_code: str) -> StoredBody:
    """Return the ready answer of a layer.

    Raises:
        NotFoundError: no layer is published for that short code.
    """
    return find_layer(snapshot, short_code).answer


def layer_geojson(answer: StoredBody) -> bytes:
    """Return the FeatureCollection in a layer's answer by itself; this copies it."""
    plain = bytes(answer.plain)
    # The map comes last. In a string before it, the marks of quotation would be escaped.
    before = _MAP.search(plain)
    if before is None:
        raise SnapshotCorruptError(answer.etag, "is no answer of a layer")
    return plain[before.end() : plain.rindex(b"}")]


def locate(snapshot: Snapshot, short_code: str, *, latitude: float, longitude: float) -> Location:
    """Return the zones of a layer that cover a point, never zones that are only near.

    Args:
        snapshot: holds the layer.
        short_code: short code or name of the jurisdiction, in letters of any case.
        latitude: degrees, WGS 84, from -90 to 90.
        longitude: degrees, WGS 84, from -180 to 180.

    Raises:
        NotFoundError: no layer is published for that short code.
        ValidationError: the point lies outside the layer, but inside it with latitude and longitude swapped.
    """
    layer = find_layer(snapshot, short_code)
    entry = layer.entry
    index = snapshot.layers.points(layer)
    hits = index.find(longitude=longitude, latitude=latitude, within_metres=BOUNDARY_METRES)
    here = [(hit.covers, _zone(layer.zone(hit.zone), hit.metres)) for hit in hits]
    # Rows are in the order of the layer's features, and sorting keeps it among equals.
    here.sort(key=lambda one: one[1].overlay)
    zones = tuple(zone for covers, zone in here if covers)
    across = tuple(zone for covers, zone in here if not covers)
    inside = _within(entry, latitude, longitude)
    if not (zones or across or inside) and _within(entry, longitude, latitude):
        raise ValidationError(
            f"Parameters `lat` and `lon` seem swapped: lat={latitude:g}, lon={longitude:g} lies outside "
            f"of {entry.short_code}, and lat={longitude:g}, lon={latitude:g} within it.",
            parameter="lat",
        )
    reason = None if zones else Reason.NO_ZONE if inside else Reason.OUTSIDE_LAYER
    return Location(
        short_code=entry.short_code,
        name=entry.name,
        status=entry.status,
        citation_quality=entry.citation_quality,
        lat=latitude,
        lon=longitude,
        zones=zones,
        reason=reason,
        on_boundary=bool(across) or _any_boundary(zones),
        across_boundary=across,
        boundary_tolerance_meters=BOUNDARY_METRES,
        layer_date=entry.layer_date,
        code_date=entry.code_date,
        map_code_skew_days=_skew(entry),
        stale=entry.stale,
        note=time_note(entry),
        license=entry.license,
        source_url=entry.source_url,
    )


def layers_around(snapshot: Snapshot, *, latitude: float, longitude: float) -> tuple[LayerEntry, ...]:
    """Return the layers in whose rectangle a point lies; whether a zone covers it is for `locate` to say."""
    entries = (layer.entry for layer in snapshot.layers)
    return tuple(entry for entry in entries if _within(entry, latitude, longitude))


def time_note(entry: LayerEntry) -> str | None:
    """Return what follows from map and code being of different times; None where they are not far apart."""
    days = _skew(entry)
    if days is None or abs(days) <= _APART:
        return None
    dates = f"The map is of {entry.layer_date} and the code is current through {entry.code_date}"
    if days < 0:
        return f"{dates}: zones that were made or renamed since are not in the code that is held."
    return f"{dates}: land that was rezoned since has its former zone here. Ask the city for its present map."


def _zone(zone: Zone, metres: float | None) -> ZoneHere:
    return ZoneHere(
        **zone._asdict(),
        on_boundary=metres is not None,
        boundary_distance_meters=None if metres is None else round(metres, 2),
    )


def _any_boundary(zones: Iterable[ZoneHere]) -> bool:
    return any(here.on_boundary for here in zones)


def _within(entry: LayerEntry, latitude: float, longitude: float) -> bool:
    west, south, east, north = entry.bbox
    return south <= latitude <= north and west <= longitude <= east


def _skew(entry: LayerEntry) -> int | None:
    if entry.code_date is None:
        return None
    return (date.fromisoformat(entry.code_date) - date.fromisoformat(entry.layer_date)).days


def _others(snapshot: Snapshot, short_code: str) -> str:
    known = sorted(layer.entry.short_code for layer in snapshot.layers)
    if not known:
        return f"snapshot {snapshot.id} holds none."
    near = get_close_matches(short_code, known, n=_NAMED, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    more = f" and {len(known) - _NAMED} more; coverage lists them" if len(known) > _NAMED else ""
    return f"there are {', '.join(known[:_NAMED])}{more}."
