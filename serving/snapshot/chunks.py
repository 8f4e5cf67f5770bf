"""Chunks of a snapshot: the span of a provision that each vector stands for."""

from pathlib import Path

import numpy as np

from serving.contract.records import SNAPSHOT_CHUNKS
from serving.snapshot.table import integers, map_table


class ChunkTable:
    """`chunks.arrow`. A row's number is the chunk's id in the vector index."""

    __slots__ = ("_byte_end", "_byte_start", "_end", "_node", "_start")

    def __init__(self, path: Path) -> None:
        batch = map_table(path, SNAPSHOT_CHUNKS)
        self._node = integers(batch.column("node"), "I")
        self._start = integers(batch.column("start"), "I")
        self._end = integers(batch.column("end"), "I")
        self._byte_start = integers(batch.column("byte_start"), "I")
        self._byte_end = integers(batch.column("byte_end"), "I")

    def __len__(self) -> int:
        return len(self._node)

    def node(self, chunk_row: int) -> int:
        """Return the row of the node to which the chunk belongs."""
        return int(self._node[chunk_row])

    def nodes(self) -> np.ndarray:
        """Return the row of the node of each chunk, mapped: (n,) uint32."""
        return np.asarray(self._node)

    def span(self, chunk_row: int) -> tuple[int, int, int, int]:
        """Return (start, end, byte_start, byte_end) of the chunk in its provision's text, half open."""
        return (
            self._start[chunk_row],
            self._end[chunk_row],
            self._byte_start[chunk_row],
            self._byte_end[chunk_row],
        )
