"""Small zoning layers, written as a snapshot's contract has them, into a snapshot that is already published."""

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import shapely

from serving.contract.identity import node_id, zone_id
from serving.contract.layers import (
    LAYERS,
    LINK_LINKED,
    LINK_PLACEHOLDER,
    LINKED,
    PENDING,
    POINTS,
    PUBLISHED,
    ZONES,
    LayerEntry,
    Simplified,
    answer_file,
    map_file,
    points_file,
    zones_file,
)
from serving.contract.layout import GIS, MANIFEST
from serving.contract.manifest import FileEntry, Manifest, root_sha256


@dataclass(frozen=True, slots=True)
class SampleZone:
    """A zone of a small layer; without a node it is a placeholder."""

    code: str
    name: str
    geometry: shapely.Geometry
    node_id: str | None = None
    citation: str | None = None
    heading: str | None = None
    reason: str = "its heading names the district"
    overlay: bool = False


@dataclass(frozen=True, slots=True)
class SampleLayer:
    """A small layer."""

    short_code: str
    zones: Sequence[SampleZone]
    layer_date: str = "2024-05-01"
    code_date: str | None = "2026-10-31"
    stale: bool = False


WEST, SOUTH = -122.4, 37.5
"""The corner of the sample city, which is a few hundredths of a degree wide."""


def square(x: float, y: float, size: float) -> shapely.Polygon:
    """Return a square of the sample city; `x` and `y` are degrees from its corner."""
    return shapely.box(WEST + x, SOUTH + y, WEST + x + size, SOUTH + y + size)


def sample_layers() -> list[SampleLayer]:
    """Return a layer whose zones are linked, and one that is pending and stale, to go with the sample law."""
    noise, harbors = str(node_id("/sample-city/code/1")), str(node_id("/sample/code/t1"))
    court = shapely.difference(square(0, 0, 0.01), square(0.004, 0.004, 0.002))
    homes = shapely.union_all([court, square(0.02, 0, 0.01)])
    night = square(0.005, 0.005, 0.01)
    return [
        SampleLayer(
            "sample-city",
            (
                SampleZone(
                    "HN", "Harbor Noise", night, noise, "City Code § 1", "Harbor noise.", overlay=True
                ),
                SampleZone("R-1", "Homes", homes, noise, "City Code § 1", "Harbor noise"),
                SampleZone(
                    "C-1", "Commerce", square(0.01, 0, 0.01), harbors, "Sample Code tit. 1", "Harbors"
                ),
            ),
        ),
        SampleLayer(
            "sample-town",
            (
                SampleZone(
                    "R-1", "R-1", square(1, 1, 0.01), None, "Town Code § 2-1", None, "no code is held"
                ),
                SampleZone("PD 7", "PD 7", square(1.01, 1, 0.01), None, None, None, "no code is held"),
            ),
            code_date=None,
            stale=True,
        ),
    ]


def add_layers(folder: Path, layers: Sequence[SampleLayer]) -> None:
    """Write layers into the snapshot in `folder`, and make its manifest say so."""
    (folder / GIS).mkdir(exist_ok=True)
    entries = [_write(folder / GIS, layer) for layer in sorted(layers, key=lambda one: one.short_code)]
    listed = [entry.to_json() for entry in entries]
    (folder / GIS / LAYERS).write_text(json.dumps(listed), encoding="utf-8")
    manifest = Manifest.load(folder)
    kept = tuple(entry for entry in manifest.files if not entry.path.startswith(f"{GIS}/"))
    files = (*kept, *(_file(folder, path) for path in sorted((folder / GIS).iterdir())))
    whole = replace(manifest, files=files, root_sha256=root_sha256(files))
    (folder / MANIFEST).chmod(0o644)
    (folder / MANIFEST).write_bytes(whole.to_json())


def _file(folder: Path, path: Path) -> FileEntry:
    body = path.read_bytes()
    name = path.relative_to(folder).as_posix()
    return FileEntry(name, len(body), hashlib.sha256(body).hexdigest(), None, rooted=True)


def _write(folder: Path, layer: SampleLayer) -> LayerEntry:
    code = layer.short_code
    features = [_feature(code, zone, full=True) for zone in layer.zones]
    simple = {
        "type": "FeatureCollection",
        "features": [_feature(code, zone, full=False) for zone in layer.zones],
    }
    map_bytes = json.dumps(simple).encode()
    west, south, east, north = shapely.total_bounds([zone.geometry for zone in layer.zones]).tolist()
    entry = LayerEntry(
        short_code=code,
        name=f"Zoning of {code}",
        status=PUBLISHED,
        citation_quality=LINKED if all(zone.node_id for zone in layer.zones) else PENDING,
        feature_count=len(features),
        layer_date=layer.layer_date,
        code_date=layer.code_date,
        bbox=(west, south, east, north),
        license="CC0-1.0",
        source_url="https://maps.example/zoning",
        simplified=Simplified(tolerance_metres=5.0, bytes=len(map_bytes)),
        stale=layer.stale,
        since="2026-11-01T00:00:00Z" if layer.stale else None,
    )
    answer: dict[str, Any] = entry.to_json()
    del answer["simplified"]
    answer["notZones"] = [{"value": "unknown", "polygons": 2, "reason": "the map's makers could not tell"}]
    answer["districtsWithoutZones"] = []
    answer["geojson"] = {"type": "FeatureCollection", "features": features}
    for name, body in ((answer_file(code), json.dumps(answer).encode()), (map_file(code), map_bytes)):
        (folder / name).write_bytes(body)
        (folder / f"{name}.gz").write_bytes(gzip.compress(body, mtime=0))
    write_points(folder / points_file(code), [zone.geometry for zone in layer.zones])
    rows = [_row(code, zone) for zone in layer.zones]
    write_table(folder / zones_file(code), pa.RecordBatch.from_pylist(rows, schema=ZONES))
    return entry


def write_points(path: Path, geometries: Sequence[shapely.Geometry]) -> None:
    """Write the table of point look-ups; a zone is a place in `geometries`."""
    parts, zones = shapely.get_parts(geometries, return_index=True)
    columns = [zones.astype("int32"), shapely.to_wkb(parts, byte_order=1)]
    write_table(path, pa.record_batch([pa.array(column) for column in columns], names=POINTS.names))


def write_table(path: Path, batch: pa.RecordBatch) -> None:
    """Write one record batch."""
    schema = POINTS if batch.schema.names == POINTS.names else ZONES
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, schema) as writer:
        writer.write_batch(batch.cast(schema))


def _row(short_code: str, zone: SampleZone) -> dict[str, Any]:
    return {
        "zone_id": str(zone_id(short_code, zone.code)),
        "zone_code": zone.code,
        "zone_name": zone.name,
        "node_id": zone.node_id,
        "citation": zone.citation,
        "heading": zone.heading,
        "link": LINK_LINKED if zone.node_id else LINK_PLACEHOLDER,
        "reason": zone.reason,
        "overlay": zone.overlay,
    }


def _feature(short_code: str, zone: SampleZone, *, full: bool) -> Mapping[str, Any]:
    row = _row(short_code, zone)
    properties = {
        "zoneCode": row["zone_code"],
        "zoneName": row["zone_name"],
        "nodeId": row["node_id"],
        "citation": row["citation"],
        "heading": row["heading"],
        "link": row["link"],
        "reason": row["reason"],
        "overlay": row["overlay"],
    }
    if full:
        properties["attributes"] = {"ZONE": zone.code}
    geometry = shapely.geometry.mapping(shapely.orient_polygons(zone.geometry))
    feature = {"type": "Feature", "geometry": geometry, "properties": properties}
    return {"id": row["zone_id"], **feature} if full else feature
