"""Vector search of an open snapshot: nearest chunks, reduced to their provisions. Open it after the fork.

The index only proposes chunks. What they are worth is the cosine with their vectors, whatever the index.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import lancedb
import numpy as np

from serving.contract import indexes
from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import VECTOR_TABLE
from serving.contract.records import Jurisdiction
from serving.snapshot.filters import Filters, scope_of
from serving.snapshot.passages import PassageVectors

CHUNKS_PER_NODE = 3
"""Chunks that are fetched at first for each provision that is asked for."""
PROBES = 16
"""Graphs that are searched: all of them."""
EF = 600
"""Candidates that the search of a graph keeps, at least: fewer lower the recall, more only cost time."""


class VectorHit(NamedTuple):
    """The best chunk of a provision; `distance` is cosine distance, 0 to 2."""

    chunk_row: int
    node_row: int
    distance: float


def _untagged(tag: str) -> list[int]:
    del tag
    return []


class VectorIndex:
    """The LanceDB table of a snapshot. Searches release the interpreter lock and may run in any thread.

    Args:
        folder: folder of the table.
        jurisdictions: those of the snapshot, which say what lies within which.
        dimension: dimension of the vectors.
        tagged: gives the rows of the nodes that have a tag, which the table does not know; by default none.

    Attributes:
        indexed: whether graphs are searched; otherwise every vector is compared.
        passages: the vectors themselves.
    """

    def __init__(
        self,
        folder: Path,
        *,
        jurisdictions: tuple[Jurisdiction, ...],
        dimension: int,
        tagged: Callable[[str], list[int]] = _untagged,
    ) -> None:
        self._tagged = tagged
        self._jurisdictions = jurisdictions
        self._dimension = dimension
        try:
            self._table: Any = lancedb.connect(str(folder)).open_table(VECTOR_TABLE)
        except (OSError, ValueError, RuntimeError) as error:
            raise SnapshotCorruptError(str(folder), f"is no vector index: {error}") from error
        self._rows = int(self._table.count_rows())
        self.passages = PassageVectors(folder, self._table, rows=self._rows, dimension=dimension)
        self.indexed = any(indexes.VECTOR in index.columns for index in self._table.list_indices())
        self._statuses = self._present(indexes.STATUS)
        self.search(np.full(dimension, dimension**-0.5, np.float16), filters=Filters(), limit=1)

    def __len__(self) -> int:
        return self._rows

    def search(self, vector: np.ndarray, *, filters: Filters, limit: int) -> list[VectorHit]:
        """Return the `limit` nearest provisions, nearest first, each with its best chunk.

        Args:
            vector: vector of the snapshot's dimension, of any length but zero.
            filters: applied before the search, so that a narrow one still fills the list.
            limit: most provisions, not chunks.
        """
        where = self._where(filters)
        if self._rows == 0 or limit < 1:
            return []
        fetch = limit * CHUNKS_PER_NODE
        while True:
            chunks, nodes, distances = self._nearest(vector, where, fetch)
            _, first = np.unique(nodes, return_index=True)
            if len(first) >= limit or len(nodes) < fetch:
                break
            fetch *= 2
        first.sort()
        return [
            VectorHit(int(chunks[place]), int(nodes[place]), float(distances[place]))
            for place in first[:limit]
        ]

    def _nearest(
        self, vector: np.ndarray, where: str | None, fetch: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        query = self._table.search(vector.astype(np.float16, copy=False), vector_column_name=indexes.VECTOR)
        # Lance logs a warning for each query that leaves its distance out.
        query = query.distance_type("cosine").select(["id", "node", "_distance"]).limit(fetch)
        if self.indexed:
            query = query.nprobes(PROBES).ef(max(EF, fetch))
        if where is not None:
            query = query.where(where, prefilter=True)
        found = query.to_arrow()
        chunks, nodes = (found.column(name).to_numpy() for name in ("id", "node"))
        distances = 1.0 - self.passages.similarity(vector, chunks)
        order = np.lexsort((chunks, distances))
        return chunks[order], nodes[order], distances[order]

    def _where(self, filters: Filters) -> str | None:
        parts = []
        if filters.jurisdiction is not None:
            parts.append(_one_of(indexes.JURISDICTION, scope_of(filters.jurisdiction, self._jurisdictions)))
        if filters.code_body is not None:
            parts.append(_one_of(indexes.CODE_BODY, (str(filters.code_body),)))
        if filters.level is not None:
            parts.append(_one_of(indexes.LEVEL, (filters.level,)))
        if filters.tag is not None:
            rows = self._tagged(filters.tag)
            parts.append(f"node IN ({', '.join(map(str, rows))})" if rows else "false")
        if filters.statuses and not self._statuses <= set(filters.statuses):
            parts.append(_one_of(indexes.STATUS, filters.statuses))
        return " AND ".join(parts) or None

    def _present(self, column: str) -> set[str]:
        values = self._table.search().select([column]).limit(max(self._rows, 1)).to_arrow().column(column)
        return set(values.unique().to_pylist())


def _one_of(column: str, values: tuple[str, ...]) -> str:
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})"
