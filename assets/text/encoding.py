"""Engines that encode batches of passages: the seam between a table of chunks and the processors for it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float16]


class Batch(NamedTuple):
    """Passages that are encoded together, and the rows that their vectors are for."""

    rows: NDArray[np.int64]
    passages: list[str]


class Encoded(NamedTuple):
    """Vectors of one batch, float16 (n, dimension), and the rows that they are for."""

    rows: NDArray[np.int64]
    vectors: Vectors


class EncodingEngine(Protocol):
    """Encodes passages. A vector depends on its passage and the encoder alone, whatever the engine."""

    @property
    def batch(self) -> int:
        """Passages that it takes at once: what is encoded again if the run is killed meanwhile."""
        ...

    def encoded(self, encoder: Path, batches: Iterable[Batch]) -> Iterator[Encoded]:
        """Yield the vectors of each batch once, in the order in which they are finished.

        Args:
            encoder: folder of the encoder.
            batches: longest passages first.
        """
        ...
