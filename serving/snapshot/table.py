"""Memory-mapped Arrow tables, read through their raw buffers: a value costs a slice, not an Arrow scalar."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa

from serving.contract.errors import DamagedFileError, SnapshotCorruptError
from serving.contract.identity import content_etag

_MOST_NARROW = 1 << 16
"""Distinct values that 16 bits can number."""


CHECKED_EVERY = 64
"""Number of times that an answer is returned until it is compared with its hash again, which then adds less
than a hundredth to the work. To compare a body of 2 KB each time would cost 1.5 of 25 to 45 microseconds."""


@dataclass(frozen=True, slots=True)
class StoredBody:
    """A ready answer. `etag` is a digest of `plain`; a compressed form is None where it does not pay."""

    etag: str
    plain: bytes | memoryview
    gzip: bytes | memoryview | None
    zstd: bytes | memoryview | None


class Strings:
    """A column of strings or byte strings, read without an Arrow object for each value."""

    __slots__ = ("_data", "_offsets", "_valid")

    def __init__(self, column: pa.Array) -> None:
        validity, offsets, data = column.buffers()
        wide = pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type)
        self._offsets = memoryview(offsets).cast("B").cast("q" if wide else "i")
        self._data = memoryview(data).cast("B") if data is not None else memoryview(b"")
        self._valid = memoryview(validity).cast("B") if validity is not None and column.null_count else None

    def view(self, row: int) -> memoryview:
        """Return the bytes of a value, without a copy."""
        return self._data[self._offsets[row] : self._offsets[row + 1]]

    def copy(self, row: int) -> bytes:
        """Return the bytes of a value, copied: a memory view knows no order."""
        return self._data[self._offsets[row] : self._offsets[row + 1]].tobytes()

    def run(self, first: int, last: int) -> memoryview:
        """Return the bytes of the values of rows [first, last), one after the other, without a copy."""
        return self._data[self._offsets[first] : self._offsets[last]]

    def optional(self, row: int) -> memoryview | None:
        """Return the bytes of a value, or None where it is null."""
        if self._valid is not None and not self._valid[row >> 3] >> (row & 7) & 1:
            return None
        return self.view(row)

    def spread(self, values: int) -> tuple[np.ndarray, np.ndarray]:
        """Return where each of the first values begins, and the bytes of them all, mapped."""
        offsets = np.asarray(self._offsets)[: values + 1]
        return offsets[:-1], np.asarray(self._data)[: int(offsets[-1])]

    def sizes(self, values: int) -> np.ndarray:
        """Return the bytes of each of the first values."""
        sizes: np.ndarray = np.diff(np.asarray(self._offsets)[: values + 1])
        return sizes

    def text(self, row: int) -> str:
        """Return a value as a string."""
        # Not by `view`: search reads a hundred of these for a page, and the call is half the cost.
        return str(self._data[self._offsets[row] : self._offsets[row + 1]], "utf-8")


class Repeated:
    """A column of few distinct strings, each decoded once, when the table is opened: 2 or 4 bytes a row."""

    __slots__ = ("_codes", "_values")

    def __init__(self, column: pa.Array) -> None:
        encoded = column.dictionary_encode()
        self._values: list[str] = encoded.dictionary.to_pylist()
        narrow = len(self._values) <= _MOST_NARROW
        codes = encoded.indices.cast(pa.uint16() if narrow else pa.uint32())
        self._codes = integers(codes, "H" if narrow else "I")

    @property
    def values(self) -> list[str]:
        """The distinct values."""
        return self._values

    def text(self, row: int) -> str:
        """Return a value as a string."""
        return self._values[self._codes[row]]

    def distinct(self, rows: np.ndarray) -> tuple[list[str], np.ndarray]:
        """Return the distinct values in some rows, and the place of each row's among them."""
        codes, places = np.unique(np.asarray(self._codes)[rows], return_inverse=True)
        return [self._values[code] for code in codes.tolist()], places

    def chosen(self, is_chosen: Callable[[str], bool]) -> np.ndarray:
        """Return, for each row, whether its value is chosen."""
        chosen = np.array([is_chosen(value) for value in self._values], bool)
        flags: np.ndarray = chosen[np.asarray(self._codes)]
        return flags


class Bodies:
    """The four columns of ready answers that `nodes.arrow` and `browse.arrow` share.

    An answer is compared with its hash when it is first returned, and then once in `CHECKED_EVERY` times.
    """

    __slots__ = ("_etag", "_given", "_gzip", "_path", "_plain", "_zstd")

    def __init__(self, path: Path, batch: pa.RecordBatch) -> None:
        self._path = path
        self._given = bytearray(len(batch))
        self._plain = Strings(batch.column("body"))
        self._gzip = Strings(batch.column("gzip"))
        self._zstd = Strings(batch.column("zstd"))
        self._etag = Strings(batch.column("etag"))

    def get(self, row: int) -> StoredBody:
        """Return the ready answer in a row.

        Raises:
            DamagedFileError: it differs from what was published.
        """
        try:
            body = StoredBody(
                self._etag.text(row),
                self._plain.view(row),
                self._gzip.optional(row),
                self._zstd.optional(row),
            )
        except UnicodeDecodeError:
            raise self._damaged(row) from None
        given = self._given[row]
        if not given and not _is_whole(body):
            raise self._damaged(row)
        self._given[row] = (given + 1) % CHECKED_EVERY
        return body

    def plain(self, row: int) -> memoryview:
        """Return the ready answer in a row as it is before compression, compared with its hash.

        Raises:
            DamagedFileError: it differs from what was published.
        """
        plain = self._plain.view(row)
        if content_etag(plain) != self.etag(row):
            raise self._damaged(row)
        return plain

    def etag(self, row: int) -> str:
        """Return the entity tag of the ready answer in a row.

        Raises:
            DamagedFileError: it is none.
        """
        try:
            return self._etag.text(row)
        except UnicodeDecodeError:
            raise self._damaged(row) from None

    def size(self, row: int) -> int:
        """Return the bytes of the ready answer in a row, uncompressed."""
        return len(self._plain.view(row))

    def _damaged(self, row: int) -> DamagedFileError:
        return DamagedFileError(str(self._path), f"holds another answer in row {row} than was published")


def _is_whole(body: StoredBody) -> bool:
    """Return whether a body matches its entity tag, in all its encodings."""
    plain = body.plain
    if content_etag(plain) != body.etag:
        return False
    try:
        if body.gzip is not None:
            unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
            if unzip.decompress(body.gzip, len(plain) + 1) != plain or not unzip.eof:
                return False
        return body.zstd is None or pa.decompress(body.zstd, len(plain), "zstd", asbytes=True) == plain
    except (zlib.error, OSError, pa.ArrowException):
        return False


def map_table(path: Path, schema: pa.Schema) -> pa.RecordBatch:
    """Map an Arrow file of one record batch.

    Raises:
        SnapshotCorruptError: it is missing, has no valid footer, or is not of `schema`.
    """
    try:
        with pa.ipc.open_file(pa.memory_map(str(path))) as reader:
            if not reader.schema.equals(schema):
                raise SnapshotCorruptError(str(path), "has other columns than this server reads")
            if reader.num_record_batches != 1:
                raise SnapshotCorruptError(
                    str(path), f"has {reader.num_record_batches} record batches instead of 1"
                )
            return reader.get_batch(0)
    except FileNotFoundError:
        raise SnapshotCorruptError(str(path), "is missing") from None
    except pa.ArrowInvalid as error:
        raise SnapshotCorruptError(str(path), f"is no Arrow file: {error}") from error


def integers(column: pa.Array, code: Literal["B", "H", "I", "Q"]) -> memoryview:
    """Return a column without nulls as a memory view of machine integers of the `struct` code `code`."""
    buffer = column.buffers()[1]
    if buffer is None or len(column) == 0:
        return memoryview(b"").cast(code)
    return memoryview(buffer).cast("B").cast(code)[column.offset : column.offset + len(column)]
