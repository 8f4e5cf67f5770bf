"""Digests of provisions, by which editions are compared; those of unchanged answers are kept."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serving.comparison.digest_table import DigestColumns, read_digests, write_digests
from serving.comparison.provision import Digests, digests
from serving.contract.answers import NodeBody


class DigestWriter:
    """Collects the digests of provisions by position.

    Args:
        provisions: their number.
        before: folder of the response store of an earlier build.
        rows: rows of its provisions by the entity tags of their answers; where it is empty, nothing is kept.
    """

    def __init__(self, provisions: int, before: Path | None, rows: Mapping[str, int]) -> None:
        self._values = np.empty((provisions, len(Digests._fields)), np.uint64)
        self._rows = rows
        self._before: NDArray[np.uint64] | None = None
        if before is not None and rows:
            known = read_digests(before, len(rows))
            self._before = np.stack([known[name] for name in Digests._fields], axis=1)

    def add(self, position: int, answer: NodeBody, etag: str) -> None:
        """Add the provision at a position, by its answer and the answer's entity tag."""
        row = self._rows.get(etag)
        if row is None or self._before is None:
            self._values[position] = digests(answer)
        else:
            self._values[position] = self._before[row]

    def write(self, path: Path, order: NDArray[np.int64]) -> None:
        """Write the table, in an order of positions."""
        columns: DigestColumns = dict(zip(Digests._fields, self._values[order].T, strict=True))
        write_digests(path, columns)
