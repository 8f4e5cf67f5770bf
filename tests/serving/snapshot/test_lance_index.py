"""Vectors in a table of LanceDB: few of them, and those of snapshots of earlier builds with an index."""

import gc
import weakref
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
import pytest
from lancedb.index import HnswSq

from serving.contract import indexes
from serving.contract.errors import SnapshotCorruptError
from serving.snapshot.filters import Filters
from serving.snapshot.lance_index import LanceIndex
from serving.snapshot.store import Snapshot


def test_a_folder_that_is_no_index_is_refused(snapshot: Snapshot) -> None:
    with pytest.raises(SnapshotCorruptError, match="is no vector index"):
        LanceIndex(snapshot.folder / "static", jurisdictions=(), dimension=384)


def _table(folder: Path, *parts: list[int]) -> LanceIndex:
    """Return an index of chunks whose vectors point each its own way, written in parts."""
    schema = indexes.vector_schema(8)
    table = lancedb.connect(str(folder)).create_table("chunks", schema=schema)
    for part in parts:
        vectors = [[float(chunk == place) for place in range(8)] for chunk in part]
        columns = (part, [chunk + 100 for chunk in part], *[["in_force"] * len(part)] * 4, vectors)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        table.add(pa.Table.from_arrays(arrays, schema=schema))
    return LanceIndex(folder, jurisdictions=(), dimension=8)


def test_a_table_in_several_fragments_gives_its_chunks(tmp_path: Path) -> None:
    index = _table(tmp_path, [0, 1, 2], [3, 4], [5, 6, 7])
    for chunk in range(8):
        (hit,) = index.search(np.eye(8, dtype=np.float32)[chunk], filters=Filters(), limit=1)
        assert (hit.chunk_row, hit.node_row) == (chunk, chunk + 100)
        assert hit.distance == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("parts", [([0, 2, 1],), ([0, 1], [1, 2])])
def test_a_table_in_another_order_is_refused(tmp_path: Path, parts: tuple[list[int], ...]) -> None:
    with pytest.raises(SnapshotCorruptError, match="order"):
        _table(tmp_path, *parts)


def test_an_index_that_was_searched_leaves_memory_with_its_last_reference(tmp_path: Path) -> None:
    index = _table(tmp_path, [0, 1, 2], [3, 4])
    index.search(np.eye(8, dtype=np.float32)[1], filters=Filters(), limit=2)
    alive = weakref.ref(index)
    gc.collect()
    gc.disable()
    try:
        del index
        assert alive() is None, "only the collector would free it"
    finally:
        gc.enable()


class _Graph:
    """Chunks around three points, each its own provision, behind a graph.

    One in ten around the first two points is repealed, and every one around the third.
    """

    def __init__(self, folder: Path) -> None:
        random = np.random.default_rng(17)
        points = np.repeat(np.eye(3, 8), AROUND, axis=0) + random.normal(0, 0.15, (ROWS, 8))
        self.vectors = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float16)
        self.repealed = (np.arange(ROWS) % 10 == 0) | (np.arange(ROWS) >= AROUND[0] + AROUND[1])
        statuses = np.where(self.repealed, "repealed", "in_force").tolist()
        rows = list(range(ROWS))
        columns = (rows, rows, *[["us"] * ROWS] * 2, statuses, ["section"] * ROWS, list(self.vectors))
        schema = indexes.vector_schema(8)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        table = lancedb.connect(str(folder)).create_table(
            "chunks", pa.Table.from_arrays(arrays, schema=schema)
        )
        table.create_index(indexes.VECTOR, config=HnswSq(distance_type="cosine", num_partitions=1))
        self.index = LanceIndex(folder, jurisdictions=(), dimension=8, passing=self.passing)

    def passing(self, filters: Filters) -> np.ndarray:
        """As a snapshot's provisions tell."""
        passing = np.ones(ROWS, bool)
        if filters.statuses:
            passing &= ~self.repealed if "in_force" in filters.statuses else self.repealed
        if filters.tag is not None:
            passing &= np.arange(ROWS) % 100 == 3
        return passing

    def conditions(
        self, monkeypatch: pytest.MonkeyPatch, point: int, filters: Filters, limit: int
    ) -> list[bool]:
        """Compare a search with every vector; return whether each question to the graph had a condition."""
        asked, propose = [], self.index.propose

        def noted(vector: np.ndarray, where: str | None, chunks: int) -> pa.Table:
            asked.append(where is not None)
            return propose(vector, where, chunks)

        monkeypatch.setattr(self.index, "propose", noted)
        query = np.eye(3, 8)[point] + 0.1
        cosines = self.vectors.astype(np.float64) @ (query / np.linalg.norm(query))
        nearest = [row for row in np.argsort(-cosines) if self.passing(filters)[row]][:limit]
        hits = self.index.search(query, filters=filters, limit=limit)
        assert len({hit.chunk_row for hit in hits} & set(nearest)) >= 0.95 * len(nearest)
        assert len(hits) == len(nearest)
        return asked


AROUND = (4_000, 4_000, 1_500)
ROWS = sum(AROUND)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> _Graph:
    return _Graph(tmp_path_factory.mktemp("graph"))


@pytest.mark.parametrize("point", [0, 1])
def test_wide_filters_pick_from_what_the_graph_gives_without_a_condition(
    graph: _Graph, point: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert graph.conditions(monkeypatch, point, Filters(), 100) == [False]


def test_wide_filters_that_the_nearest_do_not_pass_become_a_condition(
    graph: _Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert graph.conditions(monkeypatch, 2, Filters(), 100) == [False, True]


def test_narrow_filters_are_a_condition(graph: _Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    assert graph.conditions(monkeypatch, 1, Filters(tag="fees"), 15) == [True]


def test_no_filter_is_no_condition(graph: _Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    assert graph.conditions(monkeypatch, 2, Filters(statuses=()), 100) == [False]
