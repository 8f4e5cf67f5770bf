"""Small maps made by hand: squares of a grid at sea, in the forms that cities publish."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import geopandas as gpd
import shapely

from assets.registry.layers import Layer, layer_entry

WEST, SOUTH, SIDE = -40.0, 30.0, 0.001
BOUNDS = [-40.1, 29.9, -39.9, 30.1]


def layer(**fields: Any) -> Layer:
    """Return an entry for maps of this module; fields replace its own."""
    own = {
        "short_code": "sample-city",
        "name": "Zoning of Sample City",
        "zone_field": "zone",
        "date": "2026-07-01",
        "bounds": BOUNDS,
        "publisher": "this project",
        "license": "Apache-2.0",
    }
    return layer_entry(own | fields)


def square(column: float, row: float, *, width: float = 1, height: float = 1) -> shapely.Polygon:
    """Return a rectangle of the grid, by default one square of it."""
    x, y = WEST + column * SIDE, SOUTH + row * SIDE
    return shapely.box(x, y, x + width * SIDE, y + height * SIDE)


def frame(
    zones: Sequence[tuple[str | None, shapely.Geometry]],
    *,
    crs: str | None = "EPSG:4326",
    field: str = "zone",
) -> gpd.GeoDataFrame:
    """Return polygons with their zone codes and parcel numbers."""
    return gpd.GeoDataFrame(
        {
            field: [code for code, _ in zones],
            "parcel": [f"{number:03d}" for number in range(len(zones))],
            "city": ["Sample City"] * len(zones),
        },
        geometry=[shape for _, shape in zones],
        crs=crs,
    )


def town() -> gpd.GeoDataFrame:
    """Return two districts of two squares each, one of them apart."""
    return frame([("R1", square(0, 0)), ("R1", square(1, 0)), ("C1", square(2, 0)), ("C1", square(5, 5))])


def write(polygons: gpd.GeoDataFrame, path: Path) -> Path:
    """Write polygons in the form that the name says."""
    drivers = {".geojson": "GeoJSON", ".gpkg": "GPKG", ".shp": "ESRI Shapefile"}
    polygons.to_file(path, driver=drivers[path.suffix])
    return path
