"""Short codes of vectors: they tell which of many vectors may be the nearest to another.

A code has four bits for each two dimensions (product quantisation), and the registers of a processor compare
dozens of codes at a time, which FAISS does. Codes stand in lists, with those of vectors that are near to each
other. A server reads those of the snapshot in service before it forks, so that its workers share them.
"""

from math import ceil
from pathlib import Path
from typing import NamedTuple
from weakref import WeakValueDictionary

import faiss
import numpy as np

from serving.contract.errors import SnapshotCorruptError

_EARLIER_SHARE, _EARLIER_LOOKED_AT = 1 / 4, 50_000
"""Share of the lists that a search of an earlier build's snapshot looks at, at least, and vectors that they
hold together: its file does not say so, and it is searched as on its day."""


class Selected(NamedTuple):
    """Vectors among which a search looks, by the bits of their rows, the first in the lowest bit of a byte.

    Attributes:
        bits: one bit for each vector.
        share: share of the vectors that are among them.
    """

    bits: np.ndarray
    share: float


def select(chosen: np.ndarray) -> Selected | None:
    """Return the vectors for which `chosen` holds; None where it holds for all."""
    count = np.count_nonzero(chosen)
    if count == len(chosen):
        return None
    return Selected(np.packbits(chosen, bitorder="little"), count / len(chosen))


class Proposed(NamedTuple):
    """Rows of vectors that may be the nearest, in no order to rely on.

    Attributes:
        rows: distinct rows.
        is_all: there are no others among those that were asked for.
    """

    rows: np.ndarray
    is_all: bool


class VectorCodes:
    """The codes of a snapshot's vectors. Searches run in any thread, and let go of the interpreter lock.

    Args:
        path: the file, as `assets.search.codes` writes it.

    Attributes:
        shape: number of the vectors, and their dimension.

    Raises:
        SnapshotCorruptError: it holds no codes.
    """

    def __init__(self, path: Path) -> None:
        try:
            index = faiss.read_index(str(path))
        except RuntimeError as error:
            raise SnapshotCorruptError(str(path), f"holds no codes of vectors: {error}") from error
        if not isinstance(index, faiss.IndexIVFPQFastScan):
            raise SnapshotCorruptError(str(path), f"holds no codes of vectors: {type(index).__name__}")
        self._index = index
        self.shape = int(index.ntotal), int(index.d)
        self._share = index.nprobe / index.nlist
        if index.nprobe == 1:
            self._share = max(_EARLIER_SHARE, min(1.0, _EARLIER_LOOKED_AT / max(len(self), 1)))

    def __len__(self) -> int:
        return self.shape[0]

    def nearest(
        self, direction: np.ndarray, count: int, selected: Selected | None = None, *, everywhere: bool = False
    ) -> Proposed:
        """Return the vectors that may be the nearest, at most `count`.

        Args:
            direction: (dimension,) float32 of unit length.
            count: most rows.
            selected: the vectors among which it looks; without it, all.
            everywhere: look at all lists, not only at those whose vectors are the nearest in the mean.
        """
        # What few pass is sought in more lists: the nearest that pass lie further away.
        share = 1.0 if everywhere else self._share / max(self._share, selected.share if selected else 1.0)
        probes = ceil(self._index.nlist * share)
        if selected is None:
            parameters = faiss.SearchParametersIVF(nprobe=probes)
        else:
            selector = faiss.IDSelectorBitmap(selected.bits)
            parameters = faiss.SearchParametersIVF(nprobe=probes, sel=selector)
        # The number is each thread's own: more would only wait for each other beside other searches.
        faiss.omp_set_num_threads(1)
        _, (rows,) = self._index.search(direction[np.newaxis], count, params=parameters)
        found = rows[rows >= 0]
        return Proposed(found, is_all=probes == self._index.nlist and len(found) < count)


_opened: WeakValueDictionary[tuple[Path, int, int], VectorCodes] = WeakValueDictionary()


def opened_codes(path: Path, shape: tuple[int, int] | None = None) -> VectorCodes:
    """Return the codes in a file; those that are open, also since before a fork, if they are of it.

    Args:
        path: the file.
        shape: number of the vectors and their dimension; None: whatever they are.

    Raises:
        SnapshotCorruptError: it holds no codes, or not of so many vectors.
    """
    status = path.stat()
    key = path.resolve(), status.st_ino, status.st_mtime_ns
    codes = _opened.get(key)
    if codes is None:
        codes = _opened[key] = VectorCodes(path)
    if shape not in (None, codes.shape):
        raise SnapshotCorruptError(str(path), f"holds codes of vectors of shape {codes.shape}, not {shape}")
    return codes
