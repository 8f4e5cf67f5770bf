"""Coordinate systems of maps: whether the one that a map declares is its own and can be believed."""

import re
from pathlib import Path

import numpy as np
from pyproj import CRS

from assets.errors import MalformedFileError

_FILES = re.compile(r"nadgrids|geoidgrids|\bgrids=|PARAMETERFILE", re.IGNORECASE)
"""Parameters of a CRS definition that lead PROJ to open a file of grid shifts."""

_MARGIN = 1.0
"""Degrees by which a map may reach beyond where its CRS is meant for, as cities at a border do."""


def require_own(crs: CRS, path: Path) -> None:
    """Require a CRS that is defined by itself, without files of shifts.

    Raises:
        MalformedFileError: its definition names a file.
    """
    if _FILES.search(crs.to_wkt()):
        raise MalformedFileError(path.name, f"names a CRS that leads to another file ({crs.name})")


def require_in_use(boxes: np.ndarray, crs: CRS, path: Path) -> None:
    """Require that a map lies where its CRS is meant to be used; one without such an area is believed.

    Args:
        boxes: west, south, east, north of each polygon, in WGS 84.
        crs: what the map is declared to be in.
        path: of the map.

    Raises:
        MalformedFileError: a polygon lies elsewhere: the CRS is another than the file says.
    """
    area = crs.area_of_use
    if area is None or area.west > area.east:  # over the date line: its longitudes begin anew
        return
    outside = (boxes[:, 0] < area.west - _MARGIN) | (boxes[:, 1] < area.south - _MARGIN)
    outside |= (boxes[:, 2] > area.east + _MARGIN) | (boxes[:, 3] > area.north + _MARGIN)
    if outside.any():
        place = ", ".join(f"{value:.4f}" for value in boxes[outside][0])
        raise MalformedFileError(
            path.name,
            f"lies at {place}, and the CRS that it declares ({crs.name}) is for another place "
            f"({area.name or area.bounds}): its CRS is wrong; set `crs` in the entry",
        )
