"""The file of prepared pages: the page of each provision of one snapshot, by rows, as clients take it.

A head that says what the pages follow from, a record of fixed width for each, and the pages. It is read and
not mapped: to read beyond the end of a mapped file that was cut short kills the process.
"""

import hashlib
import json
import os
import struct
import weakref
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import pyarrow as pa

from serving.api.encodings import IDENTITY, compress
from serving.contract.errors import LawError
from serving.contract.manifest import Manifest
from serving.snapshot.durable import sync_file

SUFFIX = ".pages"
_MAGIC = b"prepared pages 1\n"
_LENGTH = struct.Struct("<I")
_HEAD_BYTES = 1 << 16
"""Most bytes of a head; it names four pages of the operator at most."""
_RECORD = struct.Struct("<QI3I3I")
"""Beginning of a page; its bytes when plain, and in zstd, gzip and LZ4, which lie in this order; CRC-32s."""
_OF_RECORD = struct.Struct("<QI")
"""Row of a page and its bytes when plain, which its checksums cover first."""
_LZ4 = "lz4_raw"
"""For clients that take nothing packed: unpacked in a tenth of the time of zstd."""
_BATCH = 256
"""Pages that are held in memory before they are written."""


class DamagedPagesError(LawError):
    """A file of prepared pages is not what was written."""

    code = "pages_damaged"

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")


@dataclass(frozen=True, slots=True)
class Edition:
    """All that a provision's page follows from: pages of another edition are other pages.

    Attributes:
        snapshot: id of the snapshot.
        manifest: SHA-256 of its manifest, which names every file by its hash.
        release: digest of the server's own files.
        public_url: address of the service.
        links: paths and words of the links to the operator's own pages.
        pages: provisions of the snapshot.
    """

    snapshot: str
    manifest: str
    release: str
    public_url: str
    links: tuple[tuple[str, str], ...]
    pages: int

    @classmethod
    def of(
        cls, manifest: Manifest, *, release: str, public_url: str, links: Iterable[tuple[str, str]]
    ) -> "Edition":
        """Return the edition of a snapshot's pages."""
        digest = hashlib.sha256(manifest.to_json()).hexdigest()
        return cls(manifest.id, digest, release, public_url, tuple(links), manifest.counts["nodes"])

    @property
    def file_name(self) -> str:
        """Name of the file of its pages."""
        return f"{self.snapshot}-{hashlib.sha256(self._head()).hexdigest()[:16]}{SUFFIX}"

    def head(self) -> bytes:
        """Return the bytes with which its file begins."""
        told = self._head()
        return _MAGIC + _LENGTH.pack(len(told)) + told

    def _head(self) -> bytes:
        return json.dumps(asdict(self), sort_keys=True).encode()


class PageFile:
    """The open file of an edition's pages, which is closed with the last reference to it.

    Args:
        path: the file.
        edition: edition whose pages it must hold.

    Raises:
        DamagedPagesError: it is of another edition, or cut short.
        OSError: it is missing or cannot be read.
    """

    __slots__ = ("__weakref__", "_bytes", "_descriptor", "_pages", "_path", "_records")

    def __init__(self, path: Path, edition: Edition) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._descriptor)
        head = edition.head()
        self._bytes = os.fstat(self._descriptor).st_size
        self._records, self._pages = len(head), edition.pages
        if os.pread(self._descriptor, len(head), 0) != head:
            raise DamagedPagesError(path, "begins otherwise than its name says")
        end = self._records + self._pages * _RECORD.size
        if self._pages:
            begin, _, zstd, gzip, lz4, *_ = self._record(self._pages - 1)
            end = begin + zstd + gzip + lz4
        if end != self._bytes:
            raise DamagedPagesError(path, f"has {self._bytes:,} bytes instead of {end:,}")

    def __len__(self) -> int:
        return self._pages

    def page(self, row: int, encoding: str) -> bytes:
        """Return the page of the provision in a row, in gzip, zstd or plain, compared with its checksum.

        Raises:
            DamagedPagesError: it is not what was written.
        """
        begin, plain, zstd, gzip, lz4, zstd_sum, gzip_sum, lz4_sum = self._record(row)
        if encoding == "zstd":
            length, total = zstd, zstd_sum
        elif encoding == "gzip":
            begin, length, total = begin + zstd, gzip, gzip_sum
        else:
            begin, length, total = begin + zstd + gzip, lz4, lz4_sum
        packed = self._read(begin, length)
        if _checksum(row, plain, packed) != total:
            raise DamagedPagesError(self._path, f"holds another page in row {row} than was written")
        if encoding != IDENTITY:
            return packed
        unpacked: bytes = pa.decompress(packed, plain, _LZ4, asbytes=True)
        return unpacked

    def require_whole(self) -> None:
        """Compare every page with its checksum.

        Raises:
            DamagedPagesError: one is not what was written.
        """
        for row in range(self._pages):
            for encoding in ("zstd", "gzip", IDENTITY):
                self.page(row, encoding)

    def _record(self, row: int) -> tuple[int, ...]:
        return _RECORD.unpack(self._read(self._records + row * _RECORD.size, _RECORD.size))

    def _read(self, begin: int, length: int) -> bytes:
        try:
            # First, since as much memory is taken as is asked for.
            read = os.pread(self._descriptor, length, begin) if begin + length <= self._bytes else b""
        except OSError as error:
            raise DamagedPagesError(self._path, f"cannot be read: {error.strerror}") from error
        if len(read) != length:
            raise DamagedPagesError(self._path, "is cut short")
        return read


def write_pages(path: Path, edition: Edition, pages: Iterable[bytes]) -> int:
    """Write the file of an edition's pages, which is there in whole or not at all, and return its bytes.

    Args:
        path: the file, which is replaced.
        edition: what the pages follow from.
        pages: the page of each provision, by rows; a few hundred are held in memory.
    """
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("wb") as stream:
            stream.write(edition.head())
            record, row = stream.tell(), 0
            end = record + edition.pages * _RECORD.size
            given = iter(pages)
            while batch := list(islice(given, _BATCH)):
                records, packed, begin = bytearray(), bytearray(), end
                for page in batch:
                    forms = _packed(page)
                    sums = (_checksum(row, len(page), one) for one in forms)
                    records += _RECORD.pack(begin + len(packed), len(page), *map(len, forms), *sums)
                    packed += b"".join(forms)
                    row += 1
                stream.seek(record)
                record += stream.write(records)
                stream.seek(begin)
                end = begin + stream.write(packed)
            if row != edition.pages:
                raise ValueError(f"{row} pages for {edition.pages} provisions")
            stream.flush()
            os.fsync(stream.fileno())
        beside.chmod(0o644)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    sync_file(path.parent)
    return end


def edition_in(path: Path) -> Edition | None:
    """Return the edition that a file says its pages are of; None where it says none."""
    with path.open("rb") as stream:
        begin = stream.read(_HEAD_BYTES)
    try:
        (length,) = _LENGTH.unpack_from(begin, len(_MAGIC))
        told = json.loads(begin.removeprefix(_MAGIC)[_LENGTH.size :][:length])
        links = tuple((path, words) for path, words in told.pop("links"))
        return Edition(**told, links=links)
    except (struct.error, ValueError, TypeError, KeyError, AttributeError):
        return None


def _packed(page: bytes) -> tuple[bytes, bytes, bytes]:
    """Return a page in zstd, gzip and LZ4."""
    return compress(page, "zstd"), compress(page, "gzip"), pa.compress(page, codec=_LZ4, asbytes=True)


def _checksum(row: int, plain: int, packed: bytes) -> int:
    return zlib.crc32(packed, zlib.crc32(_OF_RECORD.pack(row, plain)))
