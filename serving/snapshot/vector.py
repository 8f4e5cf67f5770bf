"""Vector search of an open snapshot: nearest chunks, reduced to their provisions. Open it after the fork.

The index only proposes chunks. What they are worth is the cosine with their vectors, whatever the index.
"""

from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import lru_cache, partial
from math import ceil, inf
from pathlib import Path
from time import perf_counter
from types import TracebackType
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

CHUNKS_PER_NODE = 3
"""Chunks that are fetched at first for each provision that is asked for, at least."""
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
        return Reach(ceil(indexes.code_lists(rows) / _LISTS), _CODED)
    return Reach(_GRAPHS, _EF)


class VectorHit(NamedTuple):
    """The best chunk of a provision; `distance` is cosine distance, 0 to 2."""

    chunk_row: int
    node_row: int
    distance: float


class VectorIndex:
    """The LanceDB table of a snapshot. Searches release the interpreter lock and may run in any thread.

    Args:
        folder: folder of the table.
        jurisdictions: those of the snapshot, which say what lies within which.
        dimension: dimension of the vectors.
        passing: tells for each provision whether it passes filters; by default the table's own columns alone
            tell, which know no tags.

    Attributes:
        indexed: whether an index is searched; otherwise every vector is compared.
        reach: the part of it that a search looks at.
        passages: the vectors themselves.
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
        self._dimension = dimension
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
        """Return the `limit` nearest provisions, nearest first, each with its best chunk.

        Args:
            vector: vector of the snapshot's dimension, of any length but zero.
            filters: applied before the search, so that a narrow one still fills the list.
            limit: most provisions, not chunks.
        """
        with self.begin(vector, filters=filters, limit=limit) as search:
            return search.result()

    def begin(self, vector: np.ndarray, *, filters: Filters, limit: int) -> "VectorSearch":
        """Begin a search as `search` does, beside the thread that asks for it."""
        if limit < 1 or self._rows == 0:
            return VectorSearch(self, vector, None, limit=0)
        where = self._where(filters)
        if where is None or self._picked is None or not self.indexed:
            return VectorSearch(self, vector, where, limit=limit)
        picked = self._picked(filters)
        if picked.share < LEAST_SHARE:
            return VectorSearch(self, vector, where, limit=limit)
        return VectorSearch(self, vector, where, picked, limit=limit)

    def propose(self, vector: np.ndarray, where: str | None, chunks: int) -> Future[pa.Table]:
        """Ask the index for so many chunks that may be the nearest, for `measure`.

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

    def measure(self, vector: np.ndarray, proposed: pa.Table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the proposed chunks, nearest first, with their provisions and cosine distances."""
        row_ids = proposed.column(_ROW_ID).to_numpy().astype(np.int64)
        chunks = self._firsts[row_ids >> _OFFSET_BITS] + (row_ids & _OFFSETS)
        distances = 1.0 - self.passages.similarity(vector, chunks)
        order = np.lexsort((chunks, distances))
        return chunks[order], self._nodes[chunks[order]], distances[order]

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


class VectorSearch:
    """A search under way, as a context manager: when it is left, nothing reads the index any more.

    Args:
        index: the index that is searched.
        vector: vector of the query.
        where: condition on the columns of the table.
        picked: the provisions for which it holds, where the index is first asked without it.
        limit: most provisions; 0 for an empty result.

    Attributes:
        seconds: time until the index had answered, and for measuring what it proposed; known with the result.
    """

    def __init__(
        self,
        index: VectorIndex,
        vector: np.ndarray,
        where: str | None,
        picked: Picked | None = None,
        *,
        limit: int,
    ) -> None:
        self._index = index
        self._vector = vector
        self._where = where
        self._picked = picked
        self._limit = limit
        self._fetched = max(limit * CHUNKS_PER_NODE, index.reach.chunks)
        self.seconds = 0.0
        self._proposed = self._propose() if limit else None

    def __enter__(self) -> "VectorSearch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._proposed is not None:
            wait((self._proposed,))

    def result(self) -> list[VectorHit]:
        """Wait for the result, and return it."""
        while self._proposed is not None:
            proposed, measuring_since = self._proposed.result(), perf_counter()
            chunks, nodes, distances = self._index.measure(self._vector, proposed)
            picked = self._picked
            if picked is not None:
                passed = picked.passing[nodes]
                chunks, nodes, distances = chunks[passed], nodes[passed], distances[passed]
            _, first = np.unique(nodes, return_index=True)
            answered_at = min(self._answer.at, measuring_since)
            self.seconds += answered_at - self._asked_at + perf_counter() - measuring_since
            if len(first) >= self._limit or (picked is None and len(nodes) < self._fetched):
                first.sort()
                return [
                    VectorHit(int(chunks[place]), int(nodes[place]), float(distances[place]))
                    for place in first[: self._limit]
                ]
            # Where few of the nearest pass, the index is asked for those alone.
            self._picked = None
            self._fetched *= 1 if picked else 2
            self._proposed = self._propose()
        return []

    def _propose(self) -> Future[pa.Table]:
        self._asked_at, self._answer = perf_counter(), _Instant()
        where, chunks = self._where, self._fetched
        if self._picked is not None:
            where, chunks = None, ceil(chunks / self._picked.share)
        proposed = self._index.propose(self._vector, where, chunks)
        # The thread that asks may come for the answer later than it is there.
        proposed.add_done_callback(self._answer.note)
        return proposed


class _Instant:
    """The instant of an answer. It knows no search: the answer holds it, and the search the answer.

    In such a ring an index that is closed would stay in memory until the collector comes by.
    """

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = inf

    def note(self, _: Future[pa.Table]) -> None:
        """Note that it is now."""
        self.at = perf_counter()


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
