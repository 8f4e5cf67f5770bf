"""Take slivers out of zones: parts and holes that no one drew on purpose, left by borders that miss."""

from dataclasses import dataclass

import numpy as np
import shapely

from assets.zoning.metres import LocalMetres
from assets.zoning.model import Geometries
from assets.zoning.repair import SLIVER_AREA, SLIVER_WIDTH


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Zones without slivers, and what was taken out."""

    geometries: Geometries
    slivers: int
    sliver_area: float
    pinholes: int


def without_slivers(geometries: Geometries, metres: LocalMetres) -> Cleaned:
    """Drop parts, and fill holes, that are slivers; a zone that is nothing else keeps what it has."""
    parts, owners = shapely.get_parts(geometries, return_index=True)
    thin = _are_slivers(parts, metres)
    whole = np.bincount(owners[~thin], minlength=len(geometries)) > 0
    dropped = thin & whole[owners]
    parts, owners, gone = parts[~dropped], owners[~dropped], parts[dropped]
    parts, pinholes = _without_pinholes(parts, metres)
    changed = np.unique(owners)
    cleaned = geometries.copy()
    ends = np.searchsorted(owners, changed, side="right")
    for zone, start, end in zip(changed, np.concatenate([[0], ends[:-1]]), ends, strict=True):
        own = parts[start:end]
        cleaned[zone] = own[0] if len(own) == 1 else shapely.multipolygons(own)
    return Cleaned(cleaned, int(dropped.sum()), float(metres.areas(gone).sum()), pinholes)


def _are_slivers(polygons: Geometries, metres: LocalMetres) -> np.ndarray:
    return np.asarray(
        (metres.areas(polygons) < SLIVER_AREA) | (metres.widths(polygons) < SLIVER_WIDTH), np.bool_
    )


def _without_pinholes(polygons: Geometries, metres: LocalMetres) -> tuple[Geometries, int]:
    holed = np.flatnonzero(shapely.get_num_interior_rings(polygons) > 0)
    filled = 0
    for place in holed:
        rings = shapely.get_rings(polygons[place])
        thin = _are_slivers(shapely.polygons(rings[1:]), metres)
        if thin.any():
            filled += int(thin.sum())
            polygons[place] = shapely.polygons(rings[0], holes=rings[1:][~thin])
    return polygons, filled
