"""`zones.parquet` of a built layer: zones with both renditions of their geometry."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

from assets.zoning.model import Geometries, Zone

_FILE = "zones.parquet"
_SCHEMA = pa.schema(
    [
        pa.field("code", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("polygons", pa.int64(), nullable=False),  # of the source
        pa.field("attributes", pa.string(), nullable=False),  # JSON object
        pa.field("geometry", pa.large_binary(), nullable=False),  # WKB, degrees
        pa.field("simplified", pa.large_binary(), nullable=False),  # WKB, degrees
    ]
)


@dataclass(frozen=True, slots=True)
class BuiltZones:
    """The zones of a built layer, in the order of their codes."""

    zones: tuple[Zone, ...]
    geometries: Geometries
    simplified: Geometries

    @property
    def codes(self) -> list[str]:
        """Their codes."""
        return [zone.code for zone in self.zones]


def write_zones(folder: Path, zones: Sequence[Zone], simplified: Geometries) -> None:
    """Write zones, and their rendition for maps, into `folder`."""
    table = pa.table(
        {
            "code": [zone.code for zone in zones],
            "name": [zone.name for zone in zones],
            "polygons": [zone.polygons for zone in zones],
            "attributes": [orjson.dumps(zone.attributes).decode() for zone in zones],
            "geometry": shapely.to_wkb([zone.geometry for zone in zones]),
            "simplified": shapely.to_wkb(simplified),
        },
        schema=_SCHEMA,
    )
    pq.write_table(table, folder / _FILE, compression="zstd", use_dictionary=False)


def read_zones(folder: Path) -> BuiltZones:
    """Read what `write_zones` wrote."""
    columns = pq.read_table(folder / _FILE, schema=_SCHEMA).to_pydict()
    geometries = shapely.from_wkb(columns["geometry"])
    zones = tuple(
        Zone(code, name, geometry, polygons, orjson.loads(attributes))
        for code, name, geometry, polygons, attributes in zip(
            columns["code"],
            columns["name"],
            geometries,
            columns["polygons"],
            columns["attributes"],
            strict=True,
        )
    )
    return BuiltZones(zones, geometries, shapely.from_wkb(columns["simplified"]))
