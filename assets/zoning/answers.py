"""Ready answers of layers: the snapshot's `gis/` folder, zones linked to the law that the snapshot holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import shapely

from assets.compression import make_ready
from assets.registry import Layer
from assets.selection.accepted_layers import AcceptedLayer
from assets.zoning.link_rule import names_code
from assets.zoning.links import Basis, Link, Links, link_zones
from assets.zoning.model import Geometries
from assets.zoning.ordinance import Ordinance
from assets.zoning.report import LayerReport
from assets.zoning.sections import OfficialSections
from assets.zoning.zones_table import BuiltZones, read_zones
from serving.contract.identity import zone_id
from serving.contract.layers import (
    LAYERS,
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


@dataclass(frozen=True, slots=True)
class LinkedLayer:
    """A layer with the links of its zones.

    Attributes:
        has_ordinance: the code that the zones are of is held.
        code_date: ISO date through which that code is current; None: it is not held, or does not say.
    """

    accepted: AcceptedLayer
    report: LayerReport
    zones: BuiltZones
    links: Links
    has_ordinance: bool
    code_date: str | None


def link_layer(accepted: AcceptedLayer, ordinance: Ordinance | None, code_date: str | None) -> LinkedLayer:
    """Link the zones of a layer to the code that they are published with; None: it is not held."""
    zones = read_zones(accepted.folder)
    sections = OfficialSections.of_layer(accepted.folder)
    return LinkedLayer(
        accepted=accepted,
        report=LayerReport.load(accepted.folder),
        zones=zones,
        links=link_zones(zones.codes, accepted.layer, ordinance, sections),
        has_ordinance=ordinance is not None,
        code_date=code_date,
    )


def write_layers(layers: Sequence[LinkedLayer], destination: Path) -> tuple[LayerEntry, ...]:
    """Write all files of `gis/` into the empty folder `destination`; return the list of layers."""
    entries = [_write_layer(layer, destination) for layer in layers]
    entries.sort(key=lambda entry: entry.short_code)
    listed = [entry.to_json() for entry in entries]
    (destination / LAYERS).write_bytes(orjson.dumps(listed, option=orjson.OPT_INDENT_2) + b"\n")
    return tuple(entries)


def _write_layer(linked: LinkedLayer, folder: Path) -> LayerEntry:
    accepted, report, zones, links = linked.accepted, linked.report, linked.zones, linked.links
    layer = accepted.layer
    features = list(_features(layer, zones, links.links))
    map_bytes = _collection(features, zones.simplified, for_maps=True)
    entry = LayerEntry(
        short_code=layer.short_code,
        name=layer.name,
        status=PUBLISHED,
        citation_quality=links.citation_quality,
        feature_count=len(features),
        layer_date=report.date,
        code_date=linked.code_date,
        bbox=report.bbox,
        license=layer.license,
        source_url=layer.source_url,
        simplified=Simplified(report.tolerance_metres, len(map_bytes)),
        stale=accepted.failure is not None,
        since=report.built_at if accepted.failure is not None else None,
    )
    answer = _answer(entry, report, links, _collection(features, zones.geometries))
    make_ready(answer).write(folder / answer_file(layer.short_code))
    make_ready(map_bytes).write(folder / map_file(layer.short_code))
    _write_tables(folder, layer, features, zones.geometries)
    return entry


def _answer(entry: LayerEntry, report: LayerReport, links: Links, geojson: bytes) -> bytes:
    """Return the answer of the layer's endpoint: what is small first, the map last."""
    known = entry.to_json()
    head = {name: known[name] for name in _ANSWERED} | {
        "notZones": [
            {"value": value.value, "polygons": value.polygons, "reason": value.reason}
            for value in report.not_zones
        ],
        "districtsWithoutZones": [
            {
                "code": district.code,
                "nodeId": district.node.node_id,
                "citation": district.node.citation,
                "heading": district.node.heading,
            }
            for district in links.unused
        ],
    }
    return orjson.dumps(head)[:-1] + b',"geojson":' + geojson + b"}"


_ANSWERED = (
    "shortCode",
    "name",
    "status",
    "citationQuality",
    "featureCount",
    "layerDate",
    "codeDate",
    "bbox",
    "license",
    "sourceUrl",
    "stale",
    "since",
)


def _features(layer: Layer, zones: BuiltZones, links: Sequence[Link]) -> Iterator[dict[str, Any]]:
    for zone, link in zip(zones.zones, links, strict=True):
        yield {
            "id": str(zone_id(layer.short_code, zone.code)),
            "zoneCode": zone.code,
            "zoneName": zone_name(zone.name, zone.code, link),
            "nodeId": None if link.node is None else link.node.node_id,
            "citation": link.citation,
            "heading": link.heading,
            "link": link.state,
            "reason": link.reason,
            "overlay": layer.is_overlay(zone.code),
            "attributes": zone.attributes,
        }


def zone_name(name: str, code: str, link: Link) -> str:
    """Return the zone's name: the map's; where it has none, the law's, and else its code.

    The law names it in the heading of its provision, or of its official section. A section that sets a
    district out in its text is headed by something else: there the words before the code are its name.
    """
    if name != code or not link.heading:
        return name
    if link.basis is Basis.TEXT and link.node is not None and not link.node.is_container:
        before, _, after = link.quote.partition("(")
        words = before.strip().removeprefix("The ").removeprefix("the ")
        return words if words and names_code(after.partition(")")[0], code) else name
    return link.heading.rstrip(". ")


def _collection(
    features: Sequence[dict[str, Any]], geometries: Geometries, *, for_maps: bool = False
) -> bytes:
    """Return a FeatureCollection; that for maps goes without the source's own attributes."""
    without = {"id", "attributes"} if for_maps else {"id"}
    written = [
        b'{"type":"Feature","id":"%s","properties":%s,"geometry":%s}'
        % (
            feature["id"].encode(),
            orjson.dumps({name: value for name, value in feature.items() if name not in without}),
            geometry.encode(),
        )
        for feature, geometry in zip(features, shapely.to_geojson(geometries), strict=True)
    ]
    return b'{"type":"FeatureCollection","features":[' + b",".join(written) + b"]}"


def _write_tables(folder: Path, layer: Layer, features: Sequence[dict[str, Any]], full: Geometries) -> None:
    names = {
        "zone_id": "id",
        "zone_code": "zoneCode",
        "zone_name": "zoneName",
        "node_id": "nodeId",
        "citation": "citation",
        "heading": "heading",
        "link": "link",
        "reason": "reason",
        "overlay": "overlay",
    }
    columns = {column: [feature[name] for feature in features] for column, name in names.items()}
    _write_table(folder / zones_file(layer.short_code), pa.table(columns, schema=ZONES))
    parts, owners = shapely.get_parts(full, return_index=True)
    points = {"zone": owners.astype(np.int32), "geometry": shapely.to_wkb(parts, byte_order=1)}
    _write_table(folder / points_file(layer.short_code), pa.table(points, schema=POINTS))


def _write_table(path: Path, table: pa.Table) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks(), max_chunksize=max(table.num_rows, 1))
