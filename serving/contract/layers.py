"""Zoning layers of a snapshot: file names under `gis/`, the list of layers, and the tables of point look-ups.

Coordinates are WGS 84 degrees, longitude first, rounded to six decimals; rings obey the right-hand
rule of RFC 7946.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

LAYERS = "layers.json"
"""`gis/layers.json`: a list of `LayerEntry.to_json()`, sorted by short code. Absent: no layers."""

PUBLISHED = "published"
"""Status of a layer that is in a snapshot. Drafts never reach one."""

LINKED, PENDING = "linked", "pending"
"""`citationQuality`: every zone cites a node of this snapshot, or some cite a placeholder."""

LINK_LINKED, LINK_PLACEHOLDER = "linked", "placeholder"
"""`link` of a zone."""


def answer_file(short_code: str) -> str:
    """Return the name of the ready answer of `/api/v1/gis/{shortCode}`; `.gz` and `.zst` lie beside it."""
    return f"{short_code}.json"


def map_file(short_code: str) -> str:
    """Return the name of the simplified FeatureCollection for maps; `.gz` and `.zst` lie beside it."""
    return f"{short_code}.map.json"


def points_file(short_code: str) -> str:
    """Return the name of the table of `POINTS`."""
    return f"{short_code}.arrow"


def zones_file(short_code: str) -> str:
    """Return the name of the table of `ZONES`."""
    return f"{short_code}.zones.arrow"


@dataclass(frozen=True, slots=True)
class Simplified:
    """The simplified rendition for maps: metres by which its lines differ at most, and its plain bytes."""

    tolerance_metres: float
    bytes: int


@dataclass(frozen=True, slots=True)
class LayerEntry:
    """One published layer.

    Attributes:
        short_code: short code of the jurisdiction, such as `ca-san-mateo`.
        name: common name of the layer.
        status: `published`.
        citation_quality: `linked` or `pending`.
        feature_count: zones, one feature each.
        layer_date: ISO date of the map.
        code_date: ISO date through which the code is current that zones are linked to; None: no code is held.
        bbox: west, south, east, north.
        simplified: the rendition for maps.
        stale: the newest build of the layer failed and this is the last good version.
        since: RFC 3339 time in UTC at which this version was built; None unless stale.
    """

    short_code: str
    name: str
    status: str
    citation_quality: str
    feature_count: int
    layer_date: str
    code_date: str | None
    bbox: tuple[float, float, float, float]
    license: str
    source_url: str | None
    simplified: Simplified
    stale: bool = False
    since: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the entry as it stands in `layers.json`: names in camel case."""
        return {
            "shortCode": self.short_code,
            "name": self.name,
            "status": self.status,
            "citationQuality": self.citation_quality,
            "featureCount": self.feature_count,
            "layerDate": self.layer_date,
            "codeDate": self.code_date,
            "bbox": list(self.bbox),
            "license": self.license,
            "sourceUrl": self.source_url,
            "simplified": asdict(self.simplified),
            "stale": self.stale,
            "since": self.since,
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "LayerEntry":
        """Return the entry that `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: a field is missing or misnamed.
        """
        west, south, east, north = raw["bbox"]
        return cls(
            short_code=raw["shortCode"],
            name=raw["name"],
            status=raw["status"],
            citation_quality=raw["citationQuality"],
            feature_count=raw["featureCount"],
            layer_date=raw["layerDate"],
            code_date=raw["codeDate"],
            bbox=(west, south, east, north),
            license=raw["license"],
            source_url=raw["sourceUrl"],
            simplified=Simplified(**raw["simplified"]),
            stale=raw["stale"],
            since=raw["since"],
        )


ZONES = pa.schema(
    [
        pa.field("zone_id", pa.string(), nullable=False),  # UUID string, `id` of the feature
        pa.field("zone_code", pa.string(), nullable=False),
        pa.field("zone_name", pa.string(), nullable=False),  # the code itself where there is no name
        pa.field("node_id", pa.string()),  # UUID string; null on a placeholder
        pa.field("citation", pa.string()),  # null where nothing names a provision
        pa.field("heading", pa.string()),
        pa.field("link", pa.string(), nullable=False),  # linked, placeholder
        pa.field("reason", pa.string(), nullable=False),  # the evidence of a link, or why there is none
        pa.field("overlay", pa.bool_(), nullable=False),  # lies over base zones on purpose
    ]
)
"""Columns of `gis/{shortCode}.zones.arrow`: a row for each zone, in the order of the answer, in one record
batch."""

POINTS = pa.schema(
    [
        pa.field("zone", pa.int32(), nullable=False),  # row of the zones table
        pa.field("geometry", pa.large_binary(), nullable=False),  # WKB of one polygon, little endian
    ]
)
"""Columns of `gis/{shortCode}.arrow`: a row for each polygon, with the parts of multipolygons in rows of
their own, in one record batch."""
