"""Repair polygons and count what was done: invalid, empty and double ones, slivers."""

from dataclasses import asdict, dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from assets.zoning.metres import LocalMetres
from assets.zoning.model import Geometries

SLIVER_WIDTH = 0.1
SLIVER_AREA = 1.0
"""A part narrower than this on average (metres), or smaller (square metres), is an artefact of drawing."""

_POLYGON, _MULTIPOLYGON, _COLLECTION = 3, 6, 7


@dataclass(frozen=True, slots=True)
class Repairs:
    """Counts of the faults that were found in a file and put right.

    Attributes:
        polygons: in the file.
        left_out: of values that are no zones, or without one.
        empty: without geometry or extent: left out.
        damaged: drawn in the file in a way that could not be read whole: left out, or without a part.
        invalid: self-crossing or the like: made valid.
        lost_area: square metres that making valid changed, in all.
        duplicates: of the very shape and zone of another: left out.
        contested: of the very shape of another, of another zone: kept.
        slivers: parts of polygons too narrow or small to be drawn on purpose: left out.
        sliver_area: square metres of them.
        pinholes: holes of that kind between joined polygons: filled.
    """

    polygons: int
    left_out: int
    empty: int
    damaged: int
    invalid: int
    lost_area: float
    duplicates: int
    contested: int
    slivers: int
    sliver_area: float
    pinholes: int

    def as_dict(self) -> dict[str, float]:
        """Return the counts by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Repaired:
    """Valid polygons, in the file's order.

    Attributes:
        rows: of what was given, one a polygon kept.
        empty: rows of those without geometry or extent, from the first or once made valid.
    """

    geometries: Geometries
    rows: NDArray[np.int64]
    empty: NDArray[np.int64]
    invalid: int
    lost_area: float
    duplicates: int
    contested: int


def repair(geometries: Geometries, codes: list[str], metres: LocalMetres) -> Repaired:
    """Make every polygon valid and drop what is empty or double.

    Args:
        geometries: as they were drawn.
        codes: zone of each.
        metres: for areas.
    """
    absent = shapely.is_missing(geometries) | shapely.is_empty(geometries)
    rows = np.flatnonzero(~absent)
    kept = shapely.force_2d(geometries[rows])
    broken = np.flatnonzero(~shapely.is_valid(kept))
    mended = polygonal(shapely.make_valid(kept[broken], method="structure", keep_collapsed=False))
    lost = float(np.abs(metres.areas(mended) - metres.areas(kept[broken])).sum())
    kept[broken] = mended
    left = ~shapely.is_empty(kept)
    empty = np.sort(np.concatenate([np.flatnonzero(absent), rows[~left]]))
    rows, kept = rows[left], kept[left]
    first, contested = _firsts(kept, [codes[row] for row in rows])
    return Repaired(
        geometries=kept[first],
        rows=rows[first],
        empty=empty,
        invalid=len(broken),
        lost_area=lost,
        duplicates=len(kept) - len(first),
        contested=contested,
    )


def _firsts(geometries: Geometries, codes: list[str]) -> tuple[list[int], int]:
    """Return the places of the first of each shape and zone, and how many share a shape across zones."""
    shapes = shapely.to_wkb(shapely.normalize(geometries))
    seen: set[tuple[bytes, str]] = set()
    zones: dict[bytes, str] = {}
    first, contested = [], 0
    for place, key in enumerate(zip(shapes, codes, strict=True)):
        if key in seen:
            continue
        seen.add(key)
        first.append(place)
        contested += zones.setdefault(*key) != key[1]
    return first, contested


def polygonal(geometries: Geometries) -> Geometries:
    """Return the polygons in geometries, without the lines and points that repairs leave."""
    kinds = shapely.get_type_id(geometries)
    if not (kinds == _COLLECTION).any() and np.isin(kinds, (_POLYGON, _MULTIPOLYGON)).all():
        return geometries
    flat = [_polygons_of(geometry) for geometry in geometries]
    return np.array(flat, object)


def _polygons_of(geometry: shapely.Geometry) -> shapely.Geometry:
    if shapely.get_type_id(geometry) in {_POLYGON, _MULTIPOLYGON}:
        return geometry
    parts = shapely.get_parts(shapely.get_parts(geometry))
    return shapely.union_all(parts[shapely.get_type_id(parts) == _POLYGON])
