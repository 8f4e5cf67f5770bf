"""Members of an untrusted zip archive, read one by one and never written to disk."""

import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from assets.errors import SourceError
from assets.ingest.bounds import Admission, Limits, is_hidden, safe_path

_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others let a header ask for gigabytes of memory

DAMAGE = (zipfile.BadZipFile, EOFError, OSError, zlib.error, ValueError, OverflowError, NotImplementedError)
"""Errors that `zipfile` raises on damaged or hostile bytes."""


def zip_members(origin: Path, limits: Limits) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of the files in a `.zip`, in its own order.

    Raises:
        SourceError: it is damaged, cut off, encrypted, a compression bomb, beyond the limits, or holds links.
    """
    try:
        with zipfile.ZipFile(origin) as archive:
            wanted = _accepted(archive, origin, limits)
            for path, entry in wanted:
                yield path, _content(archive, entry)
    except DAMAGE as error:
        raise SourceError(
            f"{origin.name} cannot be read to its end: {error}. It is damaged or was cut off; fetch it again."
        ) from error


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with archive.open(entry) as member:
        # With its size given; `read()` alone unpacks all there is, whatever the entry claims.
        content = member.read(entry.file_size)
    if len(content) != entry.file_size:
        raise EOFError(f"{entry.filename} is shorter than it says")
    return content


def _accepted(archive: zipfile.ZipFile, origin: Path, limits: Limits) -> list[tuple[str, zipfile.ZipInfo]]:
    """Judge the whole directory of the archive before anything is unpacked."""
    admission = Admission(origin.name, limits)
    wanted = []
    packed = 0
    unpacked = 0
    for entry in archive.infolist():
        admission.count()
        path = safe_path(origin.name, entry.orig_filename)
        if not entry.filename:  # `zipfile` looks at its last character
            raise SourceError(f"{origin.name} holds a file without a name; pack it again.")
        if entry.is_dir() or is_hidden(path):
            continue
        _require_plain(origin.name, path, entry)
        admission.admit(path, entry.file_size)
        packed += entry.compress_size
        unpacked += entry.file_size
        wanted.append((path, entry))
    size = origin.stat().st_size
    if packed > size or unpacked > max(limits.ratio_free_bytes, limits.ratio * size):
        raise SourceError(
            f"{origin.name} ({size:,} bytes) claims to hold {unpacked:,} bytes; it is refused as a "
            "compression bomb. Unpack it yourself and give the folder."
        )
    return wanted


def _require_plain(origin: str, path: str, entry: zipfile.ZipInfo) -> None:
    if entry.flag_bits & _ENCRYPTED:
        raise SourceError(f"{origin}: {path} is encrypted; unpack it with its password and give the folder.")
    if entry.compress_type not in _METHODS:
        raise SourceError(
            f"{origin}: {path} is packed by method {entry.compress_type}; pack it again with deflate."
        )
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in {0, stat.S_IFREG}:
        raise SourceError(
            f"{origin}: {path} is a link, a device or another special file, which are not followed; "
            "pack the files themselves."
        )
