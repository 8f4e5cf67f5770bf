"""Build a layer: from the pinned polygons to its zones and a report of what was met on the way."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import shapely

from assets.errors import MalformedFileError
from assets.registry import Layer
from assets.zoning.dissolve import join, rounded
from assets.zoning.metres import LocalMetres
from assets.zoning.model import Polygons, Zone
from assets.zoning.polygon_files import read_polygons
from assets.zoning.repair import Repaired, Repairs, repair
from assets.zoning.report import LayerReport, LeftOut, Respelled
from assets.zoning.sections import keep_sections
from assets.zoning.simplify import simplified
from assets.zoning.slivers import Cleaned, without_slivers
from assets.zoning.sources import LayerSource
from assets.zoning.zones_table import write_zones

_LABELLED = 3


def build_layer(pinned: Path, layer: Layer, destination: Path, *, built_at: datetime) -> LayerReport:
    """Build the zones of a pinned layer into the empty folder `destination`.

    Args:
        pinned: folder that `pin_layer` filled.
        layer: the registry's entry.
        destination: takes `zones.parquet` and `report.json`.
        built_at: with its time zone.

    Raises:
        MalformedFileError: the file cannot be used; the message names it and says why.
        SourceError: nothing is pinned.
    """
    source = LayerSource.load(pinned)
    polygons = read_polygons(pinned / source.polygons, layer)
    metres = LocalMetres.around(layer.bounds)
    sorted_out = SortedOut(polygons, layer)
    repaired = repair(polygons.geometries[sorted_out.rows], sorted_out.codes, metres)
    damaged = [row for row in sorted_out.rows.tolist() if row in polygons.damaged]
    empty = [row for row in sorted_out.rows[repaired.empty].tolist() if row not in polygons.damaged]
    codes = [sorted_out.codes[row] for row in repaired.rows]
    if not codes:
        raise MalformedFileError(source.file, "holds no polygon with a zone code")
    wanted = sorted(set(codes))
    groups = _groups(codes, wanted)
    cleaned = without_slivers(join(repaired.geometries, groups), metres)
    with ThreadPoolExecutor(1) as beside:
        rendition = beside.submit(simplified, cleaned.geometries, metres)
        drawn = rounded(cleaned.geometries)
        for_maps = rendition.result()
    origins = [sorted_out.rows[repaired.rows[group]] for group in groups]
    counted = Counter(sorted_out.codes)
    zones = [
        Zone(
            code=code,
            name=_common([polygons.names[row] for row in rows]) or code,
            geometry=geometry,
            polygons=counted[code],
            attributes=_attributes(polygons, rows),
        )
        for code, geometry, rows in zip(wanted, drawn, origins, strict=True)
    ]
    write_zones(destination, zones, for_maps.geometries)
    west, south, east, north = (round(float(value), 6) for value in shapely.total_bounds(drawn))
    report = LayerReport(
        short_code=layer.short_code,
        file=source.file,
        date=source.date,
        built_at=built_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        source_sha256=source.sha256,
        zones=len(zones),
        unlabelled=sorted_out.unlabelled,
        not_zones=sorted_out.not_zones,
        spellings=sorted_out.spellings,
        repairs=_repairs(
            polygons, repaired, cleaned, sorted_out, empty=len(empty), damaged=len(damaged)
        ).as_dict(),
        area=float(metres.areas(drawn).sum()),
        bbox=(west, south, east, north),
        tolerance_metres=for_maps.tolerance_metres,
        damaged=_labels(polygons, damaged),
        empty=_labels(polygons, empty),
        release=source.release,
        release_date=source.release_date,
    )
    keep_sections(pinned, source, layer, destination)
    report.save(destination)
    return report


class SortedOut:
    """Polygons sorted into zones, by what the registry says of the values of the zone field.

    Attributes:
        rows: of the polygons that are of a zone.
        codes: zone code of each of those.
        unlabelled: polygons without a code, which nothing says are no zone.
    """

    def __init__(self, polygons: Polygons, layer: Layer) -> None:
        reasons = {value.value: value.reason for value in layer.not_zones}
        spelled = {alias.code: alias.same_as for alias in layer.aliases if alias.same_as is not None}
        counted = Counter(polygons.codes)
        rows = [row for row, code in enumerate(polygons.codes) if code and code not in reasons]
        self.rows = np.array(rows, np.int64)
        self.codes = [spelled.get(polygons.codes[row], polygons.codes[row]) for row in rows]
        self.unlabelled = 0 if "" in reasons else self._unlabelled(polygons)
        self.not_zones = tuple(
            LeftOut(value, counted[value], reason) for value, reason in reasons.items() if counted[value]
        )
        self.spellings = tuple(
            Respelled(value, zone, counted[value]) for value, zone in spelled.items() if counted[value]
        )

    @staticmethod
    def _unlabelled(polygons: Polygons) -> int:
        without = np.array([not code for code in polygons.codes], bool)
        drawn = ~(shapely.is_missing(polygons.geometries) | shapely.is_empty(polygons.geometries))
        return int((without & drawn).sum())


def _groups(codes: list[str], wanted: list[str]) -> list[np.ndarray]:
    place = {code: number for number, code in enumerate(wanted)}
    numbers = np.array([place[code] for code in codes])
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.searchsorted(numbers[order], np.arange(1, len(wanted))))


def _common(values: list[str]) -> str:
    found = {value for value in values if value}
    return found.pop() if len(found) == 1 else ""


def _attributes(polygons: Polygons, rows: np.ndarray) -> dict[str, object]:
    """Return the source's own fields as far as all polygons of a zone agree."""
    shared = {}
    for name, column in polygons.attributes.items():
        values = {column[row] for row in rows}
        if len(values) == 1 and None not in values:
            shared[name] = values.pop()
    return shared


def _labels(polygons: Polygons, rows: Sequence[int]) -> tuple[str, ...]:
    """Return the first of some rows as a person finds them in the file."""
    return tuple(f"polygon {row + 1} (zone {polygons.codes[row]})" for row in rows[:_LABELLED])


def _repairs(
    polygons: Polygons,
    repaired: Repaired,
    cleaned: Cleaned,
    sorted_out: SortedOut,
    *,
    empty: int,
    damaged: int,
) -> Repairs:
    return Repairs(
        polygons=len(polygons),
        left_out=len(polygons) - len(sorted_out.rows),
        empty=empty,
        damaged=damaged,
        invalid=repaired.invalid,
        lost_area=round(repaired.lost_area, 1),
        duplicates=repaired.duplicates,
        contested=repaired.contested,
        slivers=cleaned.slivers,
        sliver_area=round(cleaned.sliver_area, 1),
        pinholes=cleaned.pinholes,
    )
