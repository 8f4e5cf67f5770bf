"""Index of the polygons of one layer, which finds the zones at a point and the boundaries near it."""

import math
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import shapely

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layers import POINTS
from serving.snapshot.table import map_table

_RUN = 32
"""Edges of a ring that are checked together: only few places of a long boundary are near a point."""

Numbers = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]


class Hit(NamedTuple):
    """A zone at a point, or beside it.

    Attributes:
        zone: row of the layer's zones table.
        covers: the point lies in the zone or exactly on its boundary.
        metres: metres from the point to the zone's boundary; None if that is farther than was asked for.
    """

    zone: int
    covers: bool
    metres: float | None


class PointIndex:
    """Finds the zones at a point. May be used from any thread; one call runs at a time."""

    def __init__(self, path: Path) -> None:
        """Read the polygons.

        Args:
            path: path of a table with the columns `POINTS`.

        Raises:
            SnapshotCorruptError: it is missing, has another schema, or holds something that is not a polygon.
        """
        batch = map_table(path, POINTS)
        self._zones: Indexes = batch.column("zone").to_numpy().astype(np.int64)
        self._polygons = _polygons(batch.column("geometry"), path)
        # GEOS builds the search structure of a polygon when it is first asked, for one thread at a time.
        shapely.prepare(self._polygons)
        self._asking = threading.Lock()
        self._tree = shapely.STRtree(self._polygons)
        self._runs = _Runs(self._polygons)

    def __len__(self) -> int:
        return len(self._polygons)

    def find(self, *, longitude: float, latitude: float, within_metres: float) -> list[Hit]:
        """Return the zones that cover a point, and those whose boundary is near it, by row.

        Args:
            longitude: degrees, WGS 84.
            latitude: degrees, WGS 84.
            within_metres: distance up to which boundaries are reported.
        """
        with self._asking:
            near = self._tree.query(shapely.Point(longitude, latitude))
            inside = near[shapely.intersects_xy(self._polygons[near], longitude, latitude)]
        covering = set(self._zones[inside].tolist())
        distances: dict[int, float] = {}
        for polygon, metres in self._runs.near(longitude, latitude, within_metres):
            zone = int(self._zones[polygon])
            distances[zone] = min(metres, distances.get(zone, metres))
        return [
            Hit(zone, zone in covering, distances.get(zone)) for zone in sorted(covering | set(distances))
        ]

    def inner_point(self) -> tuple[float, float]:
        """Return the latitude and longitude of a point well inside the largest polygon, in degrees."""
        largest = self._polygons[int(np.argmax(shapely.area(self._polygons)))]
        point = shapely.point_on_surface(largest)
        return round(shapely.get_y(point), 5), round(shapely.get_x(point), 5)


class _Runs:
    """The boundaries of polygons, cut into runs of a few edges."""

    def __init__(self, polygons: npt.NDArray[np.object_]) -> None:
        rings, owners = shapely.get_rings(polygons, return_index=True)
        self._points: Numbers = shapely.get_coordinates(rings)
        counts = shapely.get_num_coordinates(rings).astype(np.int64)
        firsts = np.cumsum(counts) - counts
        edges = counts - 1
        runs = -(-edges // _RUN)
        number = np.arange(runs.sum()) - np.repeat(np.cumsum(runs) - runs, runs)
        self._start: Indexes = np.repeat(firsts, runs) + number * _RUN
        self._end: Indexes = np.minimum(self._start + _RUN, np.repeat(firsts + edges, runs))
        self._owner: Indexes = np.repeat(owners, runs)
        self._tree = shapely.STRtree(self._boxes())

    def near(self, longitude: float, latitude: float, metres: float) -> list[tuple[int, float]]:
        """Return the polygons whose boundary is so near, and its distance in metres."""
        scale = np.array(metres_per_degree(latitude))
        reach = metres / scale
        box = shapely.box(
            longitude - reach[0], latitude - reach[1], longitude + reach[0], latitude + reach[1]
        )
        found = []
        for run in self._tree.query(box).tolist():
            points = (self._points[self._start[run] : self._end[run] + 1] - (longitude, latitude)) * scale
            distance = _from_origin(points)
            if distance <= metres:
                found.append((int(self._owner[run]), distance))
        return found

    def _boxes(self) -> npt.NDArray[np.object_]:
        if not len(self._start):
            return np.array([], dtype=object)
        ends = self._points[self._end]
        # A run's own points end where the next run's begin; its last point is that one.
        low = np.minimum(np.minimum.reduceat(self._points, self._start), ends)
        high = np.maximum(np.maximum.reduceat(self._points, self._start), ends)
        boxes: npt.NDArray[np.object_] = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
        return boxes


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Return the metres in a degree of longitude and in one of latitude, at a latitude, on WGS 84."""
    angle = math.radians(latitude)
    east = 111_412.84 * math.cos(angle) - 93.5 * math.cos(3 * angle) + 0.118 * math.cos(5 * angle)
    north = 111_132.92 - 559.82 * math.cos(2 * angle) + 1.175 * math.cos(4 * angle)
    return max(east, 1.0), north


def _from_origin(points: Numbers) -> float:
    """Return the distance from the origin to the nearest point of a line through points."""
    starts, steps = points[:-1], np.diff(points, axis=0)
    lengths = np.einsum("ij,ij->i", steps, steps)
    along = -np.einsum("ij,ij->i", starts, steps) / np.where(lengths > 0, lengths, 1)
    nearest = starts + steps * np.clip(along, 0, 1)[:, None]
    return math.sqrt(float(np.einsum("ij,ij->i", nearest, nearest).min()))


def _polygons(column: pa.Array, path: Path) -> npt.NDArray[np.object_]:
    try:
        polygons: npt.NDArray[np.object_] = shapely.from_wkb(column.to_numpy(zero_copy_only=False))
    except shapely.errors.ShapelyError as error:
        raise SnapshotCorruptError(str(path), f"holds what is no geometry: {error}") from error
    if not (shapely.get_type_id(polygons) == shapely.GeometryType.POLYGON).all():
        raise SnapshotCorruptError(str(path), "holds geometries that are no polygons")
    return polygons
