"""The one driver of GDAL that opens each form of map, and an environment in which no other can.

GDAL picks a driver by a file's content among dozens, and some of them follow what they read: a VRT names
other files, a WFS document an address. A driver cannot be asked for; those not to be used are skipped when
GDAL starts, which takes a process of its own.
"""

from pathlib import Path

import pyogrio

from assets.errors import BuildError, MalformedFileError

DRIVERS = {".geojson": "GeoJSON", ".json": "GeoJSON", ".gpkg": "GPKG", ".shp": "ESRI Shapefile"}
"""By the ending of a name, in lower case."""


def driver_of(path: Path) -> str:
    """Return the driver for a file of polygons.

    Raises:
        MalformedFileError: its name has no ending of a form that is read.
    """
    try:
        return DRIVERS[path.suffix.lower()]
    except KeyError:
        raise MalformedFileError(path.name, f"is none of {', '.join(DRIVERS)}, unpacked") from None


def surroundings(path: Path) -> dict[str, str]:
    """Return the environment of a process that reads this file: one driver, no plug-ins, no network."""
    return {
        "GDAL_SKIP": ",".join(sorted(set(pyogrio.list_drivers()) - {driver_of(path)})),
        "GDAL_DRIVER_PATH": "disable",
        "GDAL_CONFIG_FILE": "",
        "CPL_VSIL_CURL_ALLOWED_FILENAME": "none",
        "OGR_SQLITE_ALLOW_EXTERNAL_ACCESS": "NO",
        "PROJ_NETWORK": "OFF",
    }


def require_alone(path: Path) -> None:
    """Require that GDAL knows no driver here but that of the file's form.

    Raises:
        BuildError: this process was not started in such surroundings.
    """
    others = set(pyogrio.list_drivers()) - {driver_of(path)}
    if others:
        raise BuildError(
            f"{path.name} is not opened where GDAL may take it for {min(others)} or another form: "
            "read maps in the confined process of `assets.zoning.confined`."
        )
