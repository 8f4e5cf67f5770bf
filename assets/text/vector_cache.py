"""Vectors on disk by chunk key, in append-only segments that survive being cut off anywhere.

A segment is a sequence of records, one a batch: a header (magic, rows, dimension, digest), the keys of 32
bytes, the float16 vectors. Every run that has something to add writes a segment of its own, so runs may share
a cache and none ever changes what another wrote. A record whose digest does not match is not believed, nor is
what follows it in that segment: it is encoded again.
"""

import hashlib
import logging
import os
import secrets
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

KEY_BYTES = 32

_MAGIC = b"LVC1"
_HEADER = struct.Struct("<4sII16s")
_SUFFIX = ".vectors"
_logger = logging.getLogger(__name__)

Record = tuple[list[bytes], NDArray[np.float16]]


class VectorCache:
    """The cache in one folder. Use it as a context manager: leaving it makes what was added durable."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._segment: BinaryIO | None = None

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._segment is not None:
            self._segment.flush()
            os.fsync(self._segment.fileno())
            self._segment.close()

    def load(self, wanted: Mapping[bytes, int], vectors: NDArray[np.float16]) -> set[bytes]:
        """Put the vectors of wanted keys into their rows of `vectors` (n, dimension); return those found."""
        found = set()
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            for keys, cached in _records(path):
                if cached.shape[1] != vectors.shape[1]:
                    continue
                for row, key in enumerate(keys):
                    if key in wanted:
                        vectors[wanted[key]] = cached[row]
                        found.add(key)
        return found

    def append(self, keys: Sequence[bytes], vectors: NDArray[np.float16]) -> None:
        """Add one batch; once this returns it outlives the process."""
        if self._segment is None:
            self._segment = self._new_segment()
        rows, dimension = vectors.shape
        body = b"".join(keys) + vectors.astype("<f2").tobytes()
        self._segment.write(_HEADER.pack(_MAGIC, rows, dimension, _digest(rows, dimension, body)) + body)
        self._segment.flush()

    def _new_segment(self) -> BinaryIO:
        number = len(list(self._folder.glob(f"*{_SUFFIX}")))
        # Runs on other machines may have come to the same number.
        return (self._folder / f"{number:06d}-{secrets.token_hex(8)}{_SUFFIX}").open("xb")


def _records(path: Path) -> Iterator[Record]:
    with path.open("rb") as file:
        while header := file.read(_HEADER.size):
            record = _record(header, file)
            if record is None:
                _logger.info("%s is cut off or damaged before byte %d; the rest is left", path, file.tell())
                return
            yield record


def _record(header: bytes, file: BinaryIO) -> Record | None:
    if len(header) < _HEADER.size:
        return None
    magic, rows, dimension, digest = _HEADER.unpack(header)
    size = rows * (KEY_BYTES + 2 * dimension)
    remaining = os.fstat(file.fileno()).st_size - file.tell()
    if magic != _MAGIC or size > remaining:  # before reading: a damaged size may be gigabytes
        return None
    body = file.read(size)
    if _digest(rows, dimension, body) != digest:
        return None
    keys = [body[start : start + KEY_BYTES] for start in range(0, rows * KEY_BYTES, KEY_BYTES)]
    vectors = np.frombuffer(body, "<f2", offset=rows * KEY_BYTES).reshape(rows, dimension)
    return keys, vectors


def _digest(rows: int, dimension: int, body: bytes) -> bytes:
    return hashlib.blake2b(struct.pack("<II", rows, dimension) + body, digest_size=16).digest()
