"""Columns of bytes that are written in one order and read in another without being held in memory."""

import mmap
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


class Spool:
    """A growing column of byte strings or nulls, kept in a file of its own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO = path.open("wb")
        self._ends = array("q")
        self._nulls: list[int] = []

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, value: bytes | None) -> None:
        """Add one value."""
        if value is None:
            self._nulls.append(len(self._ends))
        else:
            self._file.write(value)
        self._ends.append(self._file.tell())

    def arranged(self, order: Iterable[int], kind: pa.DataType) -> pa.Array:
        """Return the values in `order` as an Arrow array of a large type, mapped from a second file."""
        self._file.close()
        ends = np.frombuffer(self._ends, np.int64)
        starts = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
        places = np.fromiter(order, np.int64)
        arranged = self._path.with_suffix(".arranged")
        self._copy(arranged, starts[places].tolist(), ends[places].tolist())
        self._path.unlink()
        offsets = np.concatenate([[0], np.cumsum(ends[places] - starts[places])]).astype(np.int64)
        data = pa.memory_map(str(arranged)).read_buffer() if offsets[-1] else pa.py_buffer(b"")
        buffers = [self._validity(places), pa.py_buffer(offsets), data]
        return pa.Array.from_buffers(kind, len(places), buffers)

    def _copy(self, target: Path, starts: list[int], ends: list[int]) -> None:
        with target.open("wb") as out:
            if self._path.stat().st_size == 0:
                return
            with self._path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                for start, end in zip(starts, ends, strict=True):
                    out.write(data[start:end])

    def _validity(self, places: NDArray[np.int64]) -> pa.Buffer | None:
        if not self._nulls:
            return None
        valid = np.ones(len(self._ends), bool)
        valid[self._nulls] = False
        return pa.py_buffer(np.packbits(valid[places], bitorder="little"))
