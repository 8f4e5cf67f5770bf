"""A copy of a map that GDAL may open: looked through, under a plain name, alone in a folder."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assets.zoning.drivers import driver_of, require_alone
from assets.zoning.geojson import look_through
from assets.zoning.geopackage import require_plain_tables
from assets.zoning.shapefile import SIBLINGS, require_whole

_NAME = "map"


@dataclass(frozen=True, slots=True)
class PlainCopy:
    """A file for GDAL.

    Attributes:
        rings: per feature, how many rings its polygons should have; empty where the form does not tell.
    """

    path: Path
    rings: Sequence[int | None] = ()


@contextmanager
def plain_copy(path: Path) -> Iterator[PlainCopy]:
    """Yield a copy of a GeoJSON file, shapefile or GeoPackage; it is removed when the block ends.

    A copy, since GDAL reads more into names than their ending, looks around in folders, and a database in
    need of recovery writes beside itself.

    Raises:
        MalformedFileError: the file is not what its name says, or holds what is not to be followed.
        BuildError: GDAL could take it for another form here.
    """
    require_alone(path)
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / f"{_NAME}{path.suffix.lower()}"
        rings: Sequence[int | None] = ()
        if driver_of(path) == "GeoJSON":
            document = look_through(path)
            rings = document.rings
            if document.cleaned is None:
                shutil.copyfile(path, copy)
            else:
                copy.write_bytes(document.cleaned)
        elif driver_of(path) == "GPKG":
            require_plain_tables(path)
            shutil.copyfile(path, copy)
        else:
            require_whole(path)
            for sibling in path.parent.iterdir():
                if sibling.stem == path.stem and sibling.suffix.lower() in SIBLINGS:
                    shutil.copyfile(sibling, copy.with_suffix(sibling.suffix.lower()))
        yield PlainCopy(copy, rings)
