"""Signs of form that a file is whole: lengths that a server declares may be wrong, or missing."""

import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from assets.connectors.errors import FetchError

_BLOCK = 1024 * 1024
_TAIL = 256
_MOST_UNPACKED = 64 * 1024**3
_DAMAGE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile)


def require_whole(path: Path, name: str) -> None:
    """Look at the end of a file, by the form that its name tells.

    Raises:
        FetchError: it is not the file that its name promises, or only its beginning.
    """
    for suffix, is_whole in _FORMS.items():
        if name.lower().endswith(suffix):
            try:
                whole = is_whole(path)
            except _DAMAGE:
                whole = False
            if not whole:
                raise FetchError(f"What came as {name} is no whole {suffix} file; it is not kept.")
            return


def _zip(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        return bool(archive.infolist())


def _gzip(path: Path) -> bool:
    unpacked = 0
    with gzip.open(path) as stream:
        while block := stream.read(_BLOCK):
            unpacked += len(block)
            if unpacked > _MOST_UNPACKED:
                return False
    return unpacked > 0


def _xz(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-2, 2)
        return file.read() == b"YZ"


def _ends_with(end: bytes) -> Callable[[Path], bool]:
    def ends(path: Path) -> bool:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - _TAIL, 0))
            return file.read().rstrip(b"\0 \t\r\n").endswith(end)

    return ends


_FORMS: Mapping[str, Callable[[Path], bool]] = {
    ".zip": _zip,
    ".gz": _gzip,
    ".tgz": _gzip,
    ".xz": _xz,
    ".xml": _ends_with(b">"),
    ".html": _ends_with(b">"),
    ".geojson": _ends_with(b"}"),
    ".json": _ends_with(b"}"),
}
