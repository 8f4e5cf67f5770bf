"""Compare a layer with a second file of the same map, such as the parcels that it was dissolved from."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely

from assets.registry import Layer
from assets.zoning.build import SortedOut
from assets.zoning.dissolve import join
from assets.zoning.metres import LocalMetres
from assets.zoning.polygon_files import read_polygons
from assets.zoning.repair import repair
from assets.zoning.zones_table import BuiltZones


@dataclass(frozen=True, slots=True)
class Compared:
    """One zone in both files, areas in square metres; 0 where it is in one only."""

    code: str
    area: float
    other_area: float
    difference: float

    @property
    def share(self) -> float:
        """Land in one file only, by the larger of both."""
        return self.difference / max(self.area, self.other_area, 1e-9)


def compare(zones: BuiltZones, path: Path, layer: Layer) -> list[Compared]:
    """Compare built zones with the polygons of a second file, zone by zone.

    Raises:
        MalformedFileError: the second file cannot be used.
    """
    if layer.compare is None:
        return []
    metres = LocalMetres.around(layer.bounds)
    polygons = read_polygons(path, layer, zone_field=layer.compare.zone_field)
    sorted_out = SortedOut(polygons, layer)
    repaired = repair(polygons.geometries[sorted_out.rows], sorted_out.codes, metres)
    codes = np.array([sorted_out.codes[row] for row in repaired.rows])
    others = sorted(set(codes.tolist()))
    joined = dict(
        zip(
            others, join(repaired.geometries, [np.flatnonzero(codes == code) for code in others]), strict=True
        )
    )
    own = dict(zip(zones.codes, zones.geometries, strict=True))
    return [_compared(code, own.get(code), joined.get(code), metres) for code in sorted({*own, *joined})]


def _compared(
    code: str, own: shapely.Geometry | None, other: shapely.Geometry | None, metres: LocalMetres
) -> Compared:
    empty = shapely.MultiPolygon()
    pair: Sequence[shapely.Geometry] = (own or empty, other or empty)
    differing = shapely.symmetric_difference(*pair)
    first, second, difference = metres.areas(np.array([*pair, differing], object))
    return Compared(code, float(first), float(second), float(difference))
