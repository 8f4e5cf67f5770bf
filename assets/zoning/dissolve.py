"""Join the polygons of each zone into one geometry, with coordinates that stand as they are published."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import shapely

from assets.zoning.model import Geometries
from assets.zoning.repair import polygonal

GRID = 1e-6
"""Degrees that coordinates are rounded to: 0.11 m."""


def join(geometries: Geometries, groups: Sequence[np.ndarray]) -> Geometries:
    """Return the union of each group of polygons, on all cores: GEOS lets go of the interpreter's lock."""
    joined = np.empty(len(groups), object)
    with ThreadPoolExecutor() as pool:
        for place, union in enumerate(pool.map(lambda rows: _union(geometries[rows]), groups)):
            joined[place] = union
    return polygonal(joined)


def _union(polygons: Geometries) -> shapely.Geometry:
    return polygons[0] if len(polygons) == 1 else shapely.union_all(polygons)


def rounded(geometries: Geometries, grid: float = GRID) -> Geometries:
    """Return polygons on a grid of degrees, valid there too, wound by the right-hand rule.

    Rounding each coordinate alone would make borders cross that nearly touch; GEOS snaps and cleans up.
    """
    snapped = polygonal(shapely.set_precision(geometries, grid))
    # Without the precision model, which would be written into nothing and slows what follows.
    free = shapely.from_wkb(shapely.to_wkb(snapped))
    wound = np.asarray(shapely.orient_polygons(free, exterior_cw=False), object)
    single = shapely.get_num_geometries(wound) == 1
    wound[single] = shapely.get_geometry(wound[single], 0)
    return wound
