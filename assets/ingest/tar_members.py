"""Members of an untrusted tar archive, plain or compressed, read as a stream and never written to disk."""

import gzip
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Self

from assets.errors import SourceError
from assets.ingest.bounds import Admission, Limits, is_hidden, safe_path
from assets.ingest.streams import BoundedStream, Readable, XzStream

_READ_AHEAD = 256 * 1024

_DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError, ValueError, OverflowError)
"""Errors that `tarfile` and the decoders raise on damaged or hostile bytes."""


_EndOfArchive: type[Exception] = vars(tarfile)["EOFHeaderError"]  # known to Python, not to its type stubs


class _Header(tarfile.TarInfo):
    """A header whose damage is an error: `tarfile` takes it for the end once it has read one member."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(archive)
        except _EndOfArchive:
            raise
        except tarfile.HeaderError as error:
            raise EOFError(f"{error} where a file should begin") from None
        except RecursionError:
            raise EOFError("headers of headers without end") from None


class _Archive(tarfile.TarFile):
    """Gives a name to the list of headers that `tarfile` keeps."""

    members: list[tarfile.TarInfo]


def tar_members(origin: Path, limits: Limits) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of the files in a `.tar`, `.tar.gz`, `.tgz` or `.tar.xz`, in its own order.

    Raises:
        SourceError: it is damaged, cut off, a compression bomb, beyond the limits, or holds links or devices.
    """
    with origin.open("rb") as raw:
        stream = BoundedStream(_decoded(origin, raw), raw, origin.name, limits)
        try:
            with _Archive.open(fileobj=stream, mode="r|", bufsize=_READ_AHEAD, tarinfo=_Header) as archive:
                yield from _files(archive, stream, origin.name, limits)
        except _DAMAGE as error:
            raise SourceError(
                f"{origin.name} cannot be read to its end: {error}. "
                "It is damaged or was cut off; fetch it again."
            ) from error


def _decoded(origin: Path, raw: BinaryIO) -> Readable:
    if origin.name.lower().endswith(".xz"):
        return XzStream(raw)
    if origin.name.lower().endswith("gz"):
        return gzip.GzipFile(fileobj=raw)
    return raw


def _files(
    archive: _Archive, stream: BoundedStream, origin: str, limits: Limits
) -> Iterator[tuple[str, bytes]]:
    admission = Admission(origin, limits)
    while (member := archive.next()) is not None:
        archive.members = []  # the list is of no use in a stream, and two million headers are gigabytes
        admission.count()
        path = safe_path(origin, member.name)
        if member.isdir() or is_hidden(path):
            admission.admit(path, member.size)
            stream.allow(member.size)
            continue
        if not member.isreg() or member.issparse():
            raise SourceError(
                f"{origin}: {path} is a link, a device or another special file, which are not followed; "
                "pack the files themselves."
            )
        admission.admit(path, member.size)
        stream.allow(member.size)
        content = archive.extractfile(member)
        if content is not None:
            yield path, content.read()
