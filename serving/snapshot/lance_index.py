"""Vector search of an open snapshot by its table in LanceDB. Open it after the fork.

So are few vectors searched, each of which is compared, and those of snapshots that earlier versions built.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from math import ceil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from serving.contract import indexes
from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import VECTOR_TABLE
from serving.contract.records import Jurisdiction
from serving.snapshot.filters import Filters, scope_of
from serving.snapshot.lance import LanceTable
from serving.snapshot.passages import PassageVectors
from serving.snapshot.vector import (
    CHUNKS_PER_NODE,
    Measured,
    VectorHit,
    VectorIndex,
    measure,
)

_GRAPHS = 16
"""Graphs that are searched: all of them."""
_EF = 500
"""Candidates that the search of a graph keeps, at least: fewer lower the recall, more only cost time. All of
them are fetched."""
_LISTS = 4
"""Lists of short codes of which one is searched, the nearest ones."""
_CODED = 1_000
"""Chunks that are fetched of what short codes propose, at least: they tell less of the order."""
LEAST_SHARE = 0.7
"""Share of the chunks that pass the filters from which a graph is first asked without a condition, and those
that do not pass are left out: with one, every chunk that it comes to is looked up."""

_REMEMBERED = 8
"""Filters whose share is remembered."""
_ID, _NODE, _ROW_ID = "id", "node", "_rowid"
_OFFSET_BITS = 32
"""Bits of a row's id that are its place in its fragment of the table; those above number the fragment."""
_OFFSETS = (1 << _OFFSET_BITS) - 1


class Reach(NamedTuple):
    """Part of an index that a search looks at.

    Attributes:
        probes: graphs or lists that are searched; None where every vector is compared.
        chunks: chunks that it proposes, unless more are asked for; a graph keeps as many candidates.
    """

    probes: int | None
    chunks: int


def reach_of(kind: str | None, rows: int) -> Reach:
    """Return the reach of an index of a kind over so many vectors; None: there is no index."""
    if kind is None:
        return Reach(None, 0)
    if kind == indexes.CODES:
        return Reach(ceil(indexes.lists_of_codes(rows) / _LISTS), _CODED)
    return Reach(_GRAPHS, _EF)


class LanceIndex(VectorIndex):
    """The LanceDB table of a snapshot.

    Args:
        folder: folder of the table.
        jurisdictions: those of the snapshot, which say what lies within which.
        dimension: dimension of the vectors.
        passing: tells for each provision whether it passes filters; by default the table's own columns alone
            tell, which know no tags.

    Attributes:
        reach: the part of its index that a search looks at.
    """

    def __init__(
        self,
        folder: Path,
        *,
        jurisdictions: tuple[Jurisdiction, ...],
        dimension: int,
        passing: Callable[[Filters], np.ndarray] | None = None,
    ) -> None:
        self._passing = passing
        self._jurisdictions = jurisdictions
        try:
            self._table = LanceTable(folder, VECTOR_TABLE)
            columns = self._table.read([_ID, _NODE, indexes.STATUS]).combine_chunks()
            kind = self._table.indexed().get(indexes.VECTOR)
        except (OSError, ValueError, RuntimeError) as error:
            raise SnapshotCorruptError(str(folder), f"is no vector index: {error}") from error
        self._rows = int(columns.num_rows)
        self.indexed, self.reach = kind is not None, reach_of(kind, self._rows)
        self._statuses = frozenset(columns.column(indexes.STATUS).unique().to_pylist())
        chunks = columns.column(_ID).to_numpy().astype(np.int64)
        self._firsts = _firsts(columns.column(_ROW_ID).to_numpy(), chunks, folder)
        self._nodes = np.empty(self._rows, np.uint32)
        self._nodes[chunks] = columns.column(_NODE).to_numpy()
        counts = np.bincount(self._nodes).astype(np.float32)
        self._picked = lru_cache(_REMEMBERED)(partial(_picked, passing, counts)) if passing else None
        self.passages = PassageVectors(
            folder,
            partial(self._table.take, columns=[_ID, indexes.VECTOR]),
            rows=self._rows,
            dimension=dimension,
        )
        self.search(np.full(dimension, dimension**-0.5, np.float16), filters=Filters(), limit=1)

    def __len__(self) -> int:
        return self._rows

    def search(self, vector: np.ndarray, *, filters: Filters, limit: int) -> list[VectorHit]:
        """Return the nearest provisions, as of any index."""
        if limit < 1 or self._rows == 0:
            return []
        where, fetched = self._where(filters), max(limit * CHUNKS_PER_NODE, self.reach.chunks)
        if where is not None and self._picked is not None and self.indexed:
            picked = self._picked(filters)
            if picked.share >= LEAST_SHARE:
                found = self._nearest(vector, None, ceil(fetched / picked.share))
                hits = found.where(picked.passing[found.nodes]).best(limit)
                if len(hits) >= limit:
                    return hits
                # Few of the nearest pass: the index is asked for those alone.
        while True:
            found = self._nearest(vector, where, fetched)
            hits = found.best(limit)
            if len(hits) >= limit or len(found.nodes) < fetched:
                return hits
            fetched *= 2

    def _nearest(self, vector: np.ndarray, where: str | None, chunks: int) -> Measured:
        """Return so many chunks that may be the nearest, in the order of their exact cosine distances."""
        row_ids = self.propose(vector, where, chunks).column(_ROW_ID).to_numpy().astype(np.int64)
        rows = self._firsts[row_ids >> _OFFSET_BITS] + (row_ids & _OFFSETS)
        return measure(self.passages, self._nodes, vector, rows)

    def propose(self, vector: np.ndarray, where: str | None, chunks: int) -> pa.Table:
        """Return the ids of so many rows that may be the nearest.

        Args:
            vector: likewise.
            where: condition on the columns of the table.
            chunks: most chunks.
        """
        return self._table.nearest(
            vector.astype(np.float16, copy=False),
            column=indexes.VECTOR,
            limit=chunks,
            where=where,
            probes=self.reach.probes,
            ef=max(self.reach.chunks, chunks),
        )

    def _where(self, filters: Filters) -> str | None:
        parts = []
        if filters.jurisdiction is not None:
            parts.append(_one_of(indexes.JURISDICTION, scope_of(filters.jurisdiction, self._jurisdictions)))
        if filters.code_body is not None:
            parts.append(_one_of(indexes.CODE_BODY, (str(filters.code_body),)))
        if filters.level is not None:
            parts.append(_one_of(indexes.LEVEL, (filters.level,)))
        if filters.tag is not None:
            tagged = ", ".join(map(str, self._tagged(filters.tag)))
            parts.append(f"node IN ({tagged})" if tagged else "false")
        if filters.statuses and not self._statuses <= set(filters.statuses):
            parts.append(_one_of(indexes.STATUS, filters.statuses))
        return " AND ".join(parts) or None

    def _tagged(self, tag: str) -> list[int]:
        if self._passing is None:
            return []
        rows: list[int] = np.flatnonzero(self._passing(Filters(tag=tag, statuses=()))).tolist()
        return rows


class Picked(NamedTuple):
    """Provisions that pass the filters, by their rows, and their share of all chunks."""

    passing: np.ndarray
    share: float


def _picked(passing: Callable[[Filters], np.ndarray], counts: np.ndarray, filters: Filters) -> Picked:
    passed = passing(filters)
    return Picked(passed, float(counts @ passed[: len(counts)]) / float(counts.sum(dtype=np.float64)))


def _one_of(column: str, values: tuple[str, ...]) -> str:
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})"


def _firsts(row_ids: np.ndarray, chunks: np.ndarray, folder: Path) -> np.ndarray:
    """Return the chunk in the first row of each fragment of the table.

    Raises:
        SnapshotCorruptError: chunks do not stand in their order in it.
    """
    fragments = row_ids.astype(np.int64) >> _OFFSET_BITS
    offsets = row_ids.astype(np.int64) & _OFFSETS
    firsts = np.zeros(int(fragments.max(initial=-1)) + 1, np.int64)
    firsts[fragments] = chunks - offsets
    # Chunks are numbered without gaps: to count them takes a hundredth of the time of finding distinct ones.
    once = len(chunks) == 0 or (chunks.max() < len(chunks) and np.bincount(chunks).max() == 1)
    if not once or not np.array_equal(firsts[fragments] + offsets, chunks):
        raise SnapshotCorruptError(str(folder), "holds its chunks in another order than they were read in")
    return firsts
