"""Records of zoning layers and of the zones at a point."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class GisLayer:
    """The zoning layer of a place. Cite from it only where `citation_quality` is `linked`."""

    short_code: str
    status: str
    citation_quality: str
    feature_count: int
    geojson: Mapping[str, Any]
    name: str | None
    layer_date: str | None
    code_date: str | None
    bbox: tuple[float, ...]
    license: str | None
    source_url: str | None
    meta: Meta


@dataclass(frozen=True, slots=True)
class ZoneAtPoint:
    """A zone that holds a point. `link` is `linked` where `node_id` defines it, else `placeholder`."""

    zone_id: str
    zone_code: str
    zone_name: str | None
    overlay: bool | None
    node_id: str | None
    citation: str | None
    heading: str | None
    link: str
    reason: str | None
    on_boundary: bool


@dataclass(frozen=True, slots=True)
class Location:
    """The zones at a point; `reason`: why there is none, `note`: map and code are far apart in time."""

    short_code: str
    lat: float
    lon: float
    zones: tuple[ZoneAtPoint, ...]
    reason: str | None
    on_boundary: bool
    across_boundary: tuple[ZoneAtPoint, ...]
    status: str | None
    citation_quality: str | None
    layer_date: str | None
    code_date: str | None
    map_code_skew_days: int | None
    stale: bool | None
    note: str | None
    meta: Meta
