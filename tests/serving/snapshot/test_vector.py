"""Semantic search: nearest provisions under the same filters as keyword search."""

import gc
import weakref
from concurrent.futures import Future
from pathlib import Path
from uuid import UUID

import lancedb
import numpy as np
import pyarrow as pa
import pytest
from lancedb.index import HnswSq

from serving.contract import indexes
from serving.contract.errors import SnapshotCorruptError
from serving.contract.identity import code_body_id
from serving.contract.records import Jurisdiction
from serving.snapshot.filters import Filters, scope_of
from serving.snapshot.store import Snapshot
from serving.snapshot.vector import VectorIndex

IN_FORCE = Filters()


def _citations(snapshot: Snapshot, query: str, filters: Filters = IN_FORCE, limit: int = 100) -> list[str]:
    vector = snapshot.encoder.encode_query(query)
    hits = snapshot.vectors.search(vector, filters=filters, limit=limit)
    assert [hit.distance for hit in hits] == sorted(hit.distance for hit in hits)
    for hit in hits:
        assert snapshot.chunks.node(hit.chunk_row) == hit.node_row
    return [snapshot.nodes.citation(hit.node_row) for hit in hits]


def test_what_is_meant_comes_first(snapshot: Snapshot) -> None:
    assert _citations(snapshot, "getting my money back when I move out of a rented flat")[0] in {
        "1 Sample Code § 102",
        "1 Sample Code § 101",
    }
    assert _citations(snapshot, "canine permits")[0] == "1 Sample Code § 104"


def test_each_provision_stands_once_with_its_best_chunk(snapshot: Snapshot) -> None:
    found = _citations(snapshot, "dogs")
    assert len(found) == len(set(found)) == 7
    assert len(_citations(snapshot, "dogs", limit=2)) == 2, "although one provision has many chunks"


def test_a_state_includes_its_city(snapshot: Snapshot) -> None:
    assert len(_citations(snapshot, "permit", Filters(jurisdiction="sample"))) == 7
    city = _citations(snapshot, "permit", Filters(jurisdiction="sample-city"))
    assert set(city) == {"Sample City Code § 29-801.02", "Sample City Code § 29-102"}
    assert _citations(snapshot, "permit", Filters(jurisdiction="va")) == []


def test_code_body_and_status_are_filters(snapshot: Snapshot) -> None:
    assert len(_citations(snapshot, "permit", Filters(code_body=code_body_id("sample-code")))) == 5
    assert _citations(snapshot, "permit", Filters(code_body=UUID(int=3))) == []
    assert _citations(snapshot, "permit", Filters(statuses=("repealed",))) == []
    assert len(_citations(snapshot, "permit", Filters(statuses=()))) == 7


def test_a_filter_from_outside_cannot_end_its_quotes(snapshot: Snapshot) -> None:
    assert _citations(snapshot, "permit", Filters(jurisdiction="' OR 1=1 OR '")) == []


def test_nothing_asked_for_is_nothing_found(snapshot: Snapshot) -> None:
    assert snapshot.vectors.search(np.ones(384, np.float32), filters=Filters(), limit=0) == []


def test_a_folder_that_is_no_index_is_refused(snapshot: Snapshot) -> None:
    with pytest.raises(SnapshotCorruptError, match="is no vector index"):
        VectorIndex(snapshot.folder / "static", jurisdictions=(), dimension=384)


def _table(folder: Path, *parts: list[int]) -> VectorIndex:
    """Return an index of chunks whose vectors point each its own way, written in parts."""
    schema = indexes.vector_schema(8)
    table = lancedb.connect(str(folder)).create_table("chunks", schema=schema)
    for part in parts:
        vectors = [[float(chunk == place) for place in range(8)] for chunk in part]
        columns = (part, [chunk + 100 for chunk in part], *[["in_force"] * len(part)] * 4, vectors)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        table.add(pa.Table.from_arrays(arrays, schema=schema))
    return VectorIndex(folder, jurisdictions=(), dimension=8)


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


def test_a_search_under_way_ends_before_it_is_left(snapshot: Snapshot) -> None:
    vector = snapshot.encoder.encode_query("dogs")
    with (
        pytest.raises(ZeroDivisionError),
        snapshot.vectors.begin(vector, filters=IN_FORCE, limit=5) as search,
    ):
        raise ZeroDivisionError
    assert search.result() == snapshot.vectors.search(vector, filters=IN_FORCE, limit=5)


def test_an_index_that_was_searched_leaves_memory_with_its_last_reference(tmp_path: Path) -> None:
    index = _table(tmp_path, [0, 1, 2], [3, 4])
    index.search(np.eye(8, dtype=np.float32)[1], filters=Filters(), limit=2)
    with index.begin(np.eye(8, dtype=np.float32)[2], filters=Filters(), limit=2) as search:
        search.result()
    alive = weakref.ref(index)
    gc.collect()
    gc.disable()
    try:
        del index, search
        assert alive() is None, "only the collector would free it"
    finally:
        gc.enable()


def test_a_scope_is_closed_under_parts() -> None:
    places = (
        Jurisdiction("il-chicago", "Chicago", "municipal", "il-cook"),
        Jurisdiction("il-cook", "Cook County", "county", "il"),
        Jurisdiction("il", "Illinois", "state", None),
        Jurisdiction("us", "United States", "federal", None),
    )
    assert scope_of("il", places) == ("il", "il-chicago", "il-cook")
    assert scope_of("us", places) == ("us",)


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
        self.index = VectorIndex(folder, jurisdictions=(), dimension=8, passing=self.passing)

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

        def noted(vector: np.ndarray, where: str | None, chunks: int) -> Future[pa.Table]:
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
