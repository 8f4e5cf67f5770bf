"""The rendition of a layer for maps: lines simplified until it is small enough to load on a phone."""

from dataclasses import dataclass

import numpy as np
import shapely

from assets.zoning.dissolve import rounded
from assets.zoning.metres import LocalMetres
from assets.zoning.model import Geometries
from assets.zoning.repair import polygonal

TOLERANCES = (1.0, 3.0, 8.0)
"""Metres that a simplified line may lie off, tried in this order; beyond them blocks lose their shape."""

MOST_COORDINATES = 60_000
"""Coordinates that well over a megabyte of GeoJSON holds."""

GRID = 1e-5
"""Degrees that a map's coordinates are rounded to: 1.1 m."""


@dataclass(frozen=True, slots=True)
class Rendition:
    """Zones for a map: valid, rounded, each with at least a part of its land."""

    geometries: Geometries
    tolerance_metres: float


def simplified(geometries: Geometries, metres: LocalMetres) -> Rendition:
    """Return the finest rendition of zones that is small enough, or the coarsest there is."""
    parts, owners = shapely.get_parts(geometries, return_index=True)
    areas = metres.areas(parts)
    largest = np.zeros(len(geometries))
    np.maximum.at(largest, owners, areas)
    for tolerance in TOLERANCES:
        seen = (areas >= tolerance**2) | (areas == largest[owners])
        lines = shapely.simplify(parts[seen], tolerance / metres.mean, preserve_topology=True)
        if shapely.get_num_coordinates(lines).sum() <= MOST_COORDINATES:
            break
    drawn = shapely.multipolygons(lines, indices=owners[seen], out=np.empty(len(geometries), object))
    crossing = ~shapely.is_valid(drawn)
    # Parts that were apart may cross now. All wind alike: a buffer of nothing is their union, and fast.
    drawn[crossing] = polygonal(shapely.buffer(drawn[crossing], 0))
    fine = rounded(drawn, GRID)
    return Rendition(np.where(shapely.is_empty(fine), geometries, fine), tolerance)
