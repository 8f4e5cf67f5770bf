"""Look at a shapefile's own lengths: GDAL reads one that was cut off without a word, as a smaller layer."""

import struct
from pathlib import Path

from assets.errors import MalformedFileError

SIBLINGS = (".shp", ".dbf", ".shx", ".prj", ".cpg")
"""The files of a shapefile that are read, by their endings in lower case."""

_HEADER = 100
_MAGIC = 9994
_POLYGONS = (5, 15, 25)


def require_whole(path: Path) -> None:
    """Require that a `.shp` is as long as it says, has its `.dbf` and `.shx`, and that they count alike.

    Raises:
        MalformedFileError: one is missing, cut off, of another kind, or they disagree.
    """
    head = _head(path, _HEADER)
    if struct.unpack(">i", head[:4])[0] != _MAGIC:
        raise MalformedFileError(path.name, "is no shapefile")
    said = 2 * struct.unpack(">i", head[24:28])[0]
    _require_length(path, said)
    shape = struct.unpack("<i", head[32:36])[0]
    if shape not in _POLYGONS:
        raise MalformedFileError(path.name, f"holds shapes of type {shape}, not polygons")
    index, table = _sibling(path, ".shx"), _sibling(path, ".dbf")
    _require_length(index, 2 * struct.unpack(">i", _head(index, _HEADER)[24:28])[0])
    shapes = (index.stat().st_size - _HEADER) // 8
    rows, first, width = struct.unpack("<xxxxIHH", _head(table, 12))
    if table.stat().st_size < first + rows * width:
        raise MalformedFileError(table.name, f"says it holds {rows:,} rows and was cut off before their end")
    if rows != shapes:
        raise MalformedFileError(path.name, f"has {shapes:,} shapes and {rows:,} rows of attributes")


def _head(path: Path, size: int) -> bytes:
    with path.open("rb") as stream:
        head = stream.read(size)
    if len(head) < size:
        raise MalformedFileError(path.name, f"is {len(head)} bytes long: too short to be part of a shapefile")
    return head


def _require_length(path: Path, said: int) -> None:
    size = path.stat().st_size
    if size < said:
        raise MalformedFileError(path.name, f"says it has {said:,} bytes and has {size:,}: it was cut off")


def _sibling(path: Path, suffix: str) -> Path:
    for sibling in path.parent.iterdir():
        if sibling.stem == path.stem and sibling.suffix.lower() == suffix:
            return sibling
    raise MalformedFileError(path.name, f"has no {suffix} beside it")
