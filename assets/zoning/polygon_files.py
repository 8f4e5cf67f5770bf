"""Read the polygons of a file in any form and CRS into WGS 84, or say which file fails and why."""

import warnings
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyarrow as pa
import pyogrio
import shapely
from pyogrio.errors import DataLayerError, DataSourceError
from pyproj import CRS
from pyproj.exceptions import CRSError, ProjError

from assets.errors import MalformedFileError
from assets.registry import Layer
from assets.zoning.crs import require_in_use, require_own
from assets.zoning.model import Geometries, Polygons
from assets.zoning.plain_copy import PlainCopy, plain_copy

_DAMAGE = (DataSourceError, DataLayerError, ValueError, RuntimeError, OSError, pa.ArrowException)
"""Errors that GDAL, and the readers of its answers, raise on damaged or hostile bytes."""

WGS84 = "EPSG:4326"
_POLYGONAL = (3, 6)
_MARGIN = 1e-6
_EXACT = 2**53
"""Larger floats are no counts: ArcGIS writes -1.8e308 where it has no number, too much for an int in JSON."""


def read_polygons(path: Path, layer: Layer, *, zone_field: str | None = None) -> Polygons:
    """Read a layer's polygons as they were drawn, in WGS 84 with longitude first.

    Args:
        path: GeoJSON, shapefile with its siblings, or GeoPackage.
        layer: says the zone's fields, the CRS where the file does not, and the bounds.
        zone_field: field with the zone code, if it is another than the layer's.

    Raises:
        MalformedFileError: the file cannot be read whole, is empty, has no such field, says no CRS or a wrong
            one, or lies outside the layer's bounds; the message names the file and the cause.
    """
    if path.stat().st_size == 0:
        raise MalformedFileError(path.name, "is empty: it has no bytes")
    with plain_copy(path) as copy:
        drawn = _read(copy, path)
        damaged = _damaged(drawn, copy)
    declared = _declared(drawn, path, layer)
    frame = _in_wgs84(declared, path)
    name = _field(frame, zone_field or layer.zone_field, path)
    geometries: Geometries = np.asarray(frame.geometry.array, object)
    _require_polygons(geometries, path)
    boxes = shapely.bounds(geometries)
    boxes = boxes[~np.isnan(boxes).any(axis=1)]
    _require_within(boxes, layer, path)
    require_in_use(boxes, declared.crs, path)
    attributes = {
        str(column): [_plain(value) for value in frame[column].tolist()]
        for column in frame.columns
        if column != frame.geometry.name
    }
    names = layer.name_field if layer.name_field and zone_field is None else None
    return Polygons(
        geometries=geometries,
        codes=_texts(attributes[name]),
        names=_texts(attributes[_field(frame, names, path)]) if names else [""] * len(frame),
        attributes=attributes,
        damaged=damaged,
    )


def _read(copy: PlainCopy, path: Path) -> gpd.GeoDataFrame:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            layers = pyogrio.list_layers(copy.path)
            if len(layers) != 1:
                listed = ", ".join(str(name) for name, _ in layers) or "none"
                raise MalformedFileError(path.name, f"holds {len(layers)} layers ({listed}), not one")
            expected = pyogrio.read_info(copy.path, force_feature_count=True)["features"]
            # What is no polygon at all becomes none, and is counted.
            frame = pyogrio.read_dataframe(copy.path, use_arrow=True, on_invalid="fix")
        except _DAMAGE as error:
            reason = f"cannot be read: {_first_line(error, copy.path, path)}"
            raise MalformedFileError(path.name, reason) from error
    if not isinstance(frame, gpd.GeoDataFrame):
        raise MalformedFileError(path.name, "holds no geometries")
    if len(frame) == 0:
        raise MalformedFileError(path.name, "is empty: it holds no polygons")
    if len(frame) != expected:
        raise MalformedFileError(path.name, f"gives {len(frame):,} polygons where it says {expected:,}")
    broken = [str(entry.message) for entry in said if issubclass(entry.category, RuntimeWarning)]
    if any("corrupt" in message or "error" in message.lower() for message in broken):
        raise MalformedFileError(path.name, f"is damaged: {broken[0]}")
    return frame


def _first_line(error: BaseException, copy: Path, path: Path) -> str:
    """Return what GDAL says, of the file by its own name."""
    return str(error).strip().partition("\n")[0].replace(str(copy), path.name)


def _damaged(frame: gpd.GeoDataFrame, copy: PlainCopy) -> frozenset[int]:
    """Return the rows with fewer rings than the file draws: GDAL leaves out what it cannot read."""
    if not copy.rings:
        return frozenset()
    parts, owners = shapely.get_parts(np.asarray(frame.geometry.array, object), return_index=True)
    read = np.zeros(len(frame), np.int64)
    np.add.at(read, owners, shapely.get_num_interior_rings(parts) + ~shapely.is_empty(parts))
    return frozenset(row for row, rings in enumerate(copy.rings) if rings is not None and read[row] < rings)


def _declared(frame: gpd.GeoDataFrame, path: Path, layer: Layer) -> gpd.GeoDataFrame:
    """Return the polygons with the CRS that the entry gives, else the file."""
    if layer.crs is not None:
        try:
            frame = frame.set_crs(CRS.from_user_input(layer.crs), allow_override=True)
        except CRSError as error:
            raise MalformedFileError(path.name, f"is said to be in {layer.crs!r}: {error}") from error
    if frame.crs is None:
        raise MalformedFileError(
            path.name, "does not say what its coordinates are in, and the entry gives no `crs`"
        )
    require_own(frame.crs, path)
    if frame.crs.is_geographic:
        _require_degrees(frame, path)
    return frame


def _in_wgs84(frame: gpd.GeoDataFrame, path: Path) -> gpd.GeoDataFrame:
    if frame.crs == CRS.from_user_input(WGS84):
        return frame
    try:
        return frame.to_crs(WGS84)
    except ProjError as error:
        raise MalformedFileError(
            path.name, f"cannot be brought from {frame.crs.name} to WGS 84: {error}"
        ) from error


def _require_degrees(frame: gpd.GeoDataFrame, path: Path) -> None:
    west, south, east, north = (float(value) for value in frame.total_bounds)
    if max(abs(west), abs(east)) > 360 or max(abs(south), abs(north)) > 360:
        raise MalformedFileError(
            path.name,
            f"says that its coordinates are degrees ({frame.crs.name}), and they reach "
            f"{max(east, north, -west, -south):,.6g}: its CRS is wrong; set `crs` in the entry",
        )


def _field(frame: gpd.GeoDataFrame, name: str, path: Path) -> str:
    if name in frame.columns and name != frame.geometry.name:
        return name
    found = ", ".join(str(column) for column in frame.columns if column != frame.geometry.name)
    raise MalformedFileError(path.name, f"has no field {name!r}; it has {found or 'none'}")


def _require_polygons(geometries: Geometries, path: Path) -> None:
    drawn = geometries[~(shapely.is_missing(geometries) | shapely.is_empty(geometries))]
    if len(drawn) == 0:
        raise MalformedFileError(path.name, "is empty: none of its geometries has an extent")
    other = ~np.isin(shapely.get_type_id(drawn), _POLYGONAL)
    if other.any():
        kind = drawn[other][0].geom_type
        raise MalformedFileError(path.name, f"holds {int(other.sum()):,} shapes such as {kind}, not polygons")


def _require_within(boxes: np.ndarray, layer: Layer, path: Path) -> None:
    if not np.isfinite(boxes).all():
        raise MalformedFileError(
            path.name, "holds coordinates that are no numbers in WGS 84: its CRS is wrong"
        )
    outside = ~_inside(boxes, layer.bounds)
    if not outside.any():
        return
    west, south, east, north = layer.bounds
    place = ", ".join(f"{value:.4f}" for value in boxes[outside][0])
    limits = f"the bounds {west}, {south}, {east}, {north} of {layer.short_code}"
    if outside.all() and _inside(boxes[:, [1, 0, 3, 2]], layer.bounds).all():
        raise MalformedFileError(
            path.name, f"has its axes swapped: with latitude first it lies within {limits}"
        )
    if outside.all():
        raise MalformedFileError(
            path.name,
            f"lies outside {limits} (its first polygon at {place}): its CRS, or its place, is wrong",
        )
    raise MalformedFileError(
        path.name, f"has {int(outside.sum()):,} of {len(boxes):,} polygons outside {limits}, such as {place}"
    )


def _inside(boxes: np.ndarray, bounds: tuple[float, float, float, float]) -> np.ndarray:
    low, high = np.array(bounds[:2]) - _MARGIN, np.array(bounds[2:]) + _MARGIN
    return np.asarray((boxes[:, :2] >= low).all(axis=1) & (boxes[:, 2:] <= high).all(axis=1))


def _texts(values: list[object]) -> list[str]:
    return ["" if value is None else " ".join(str(value).split()) for value in values]


def _plain(value: object) -> object:
    """Return a value as JSON can hold it."""
    if value is None or value != value or str(value) == "NaT":
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _EXACT else value
    return value if isinstance(value, (str, int, bool)) else str(value)
