"""Terms of each provision in their order, mapped: how often and where the words of a query stand in it."""

from bisect import bisect_left
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import TERM_BOUNDS, TERM_SEQUENCES, TERM_VOCABULARY
from serving.snapshot.table import Strings

GAP = 0
"""Number that stands after each value of a provision, so that no run of terms goes on into the next. Terms
are numbered from 1."""
START, HEADING_END, CITATION_END, END, LENGTH = range(5)
"""Columns of the bounds of a provision: where its sequence begins, where its heading and then its citation
end in it, where it ends itself, and the number of its terms without gaps."""
_REMEMBERED = 4_096


class Sequences(NamedTuple):
    """The sequences of some provisions, one after the other.

    Attributes:
        terms: numbers of terms and gaps: heading, citation, headings above it and text of each provision.
        starts: where each provision begins in them.
        bounds: of each provision, a row of the file of bounds.
    """

    terms: np.ndarray
    starts: np.ndarray
    bounds: np.ndarray


class TermTable:
    """The terms of a snapshot. May be read from any thread.

    Args:
        folder: folder of the three files.

    Attributes:
        vocabulary_size: number of distinct terms.
        mean_length: terms of a provision in the mean.

    Raises:
        SnapshotCorruptError: a file is missing, or is not of the kind that it should be.
    """

    def __init__(self, folder: Path) -> None:
        try:
            # As plain arrays: a slice of a mapped one takes ten times as long.
            self._sequences = np.asarray(np.load(folder / TERM_SEQUENCES, mmap_mode="r"))
            self._bounds = np.asarray(np.load(folder / TERM_BOUNDS, mmap_mode="r"))
            with pa.memory_map(str(folder / TERM_VOCABULARY)) as source:
                column = pa.ipc.open_file(source).get_batch(0).column(0)
        except (OSError, ValueError) as error:
            raise SnapshotCorruptError(str(folder), f"holds no terms: {error}") from error
        whole = self._sequences.ndim == 1 and self._sequences.dtype == np.uint32
        whole &= self._bounds.ndim == 2 and self._bounds.shape[1] == LENGTH + 1
        if not whole or self._bounds[:, END].max(initial=0) > len(self._sequences):
            raise SnapshotCorruptError(
                str(folder),
                f"holds terms of shape {self._sequences.shape} and bounds of shape {self._bounds.shape}",
            )
        self.vocabulary_size = len(column)
        self._vocabulary = Strings(column)
        self.mean_length = float(self._bounds[:, LENGTH].mean()) if len(self) else 0.0
        self.number = lru_cache(_REMEMBERED)(self._number)

    def __len__(self) -> int:
        return len(self._bounds)

    def _number(self, term: str) -> int:
        """Return the number of a term; 0, which none has, for one that no provision holds."""
        wanted = term.encode("utf-8", "replace")
        place = bisect_left(range(self.vocabulary_size), wanted, key=self._vocabulary.copy)
        if place < self.vocabulary_size and self._vocabulary.copy(place) == wanted:
            return place + 1
        return 0

    def read(self, rows: np.ndarray) -> Sequences:
        """Return the sequences of provisions, at least one."""
        bounds = self._bounds[rows]
        spans = zip(bounds[:, START].tolist(), bounds[:, END].tolist(), strict=True)
        parts = [self._sequences[first:last] for first, last in spans]
        sizes = bounds[:, END] - bounds[:, START]
        return Sequences(np.concatenate(parts), np.cumsum(sizes) - sizes, bounds)
