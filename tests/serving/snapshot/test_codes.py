"""Short codes of vectors: they propose nearly all of the nearest, and questions by them are what all give."""

from pathlib import Path

import faiss
import numpy as np
import pytest

from assets.search.codes import build_codes, code_lists
from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import PASSAGE_VECTORS, VECTOR_CODES
from serving.snapshot.code_index import CodeIndex
from serving.snapshot.codes import VectorCodes, opened_codes, select
from serving.snapshot.filters import Filters
from serving.snapshot.questions import QuestionIndex
from tests.serving.snapshot.nearest_questions import require_nearest

COUNT, DIMENSION, SUBJECTS = 6_000, 384, 40
NEAREST = 100


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    """Unit vectors of subjects, that differ most in some directions, as those of sentences do."""
    random = np.random.default_rng(5)
    spread = random.normal(size=(COUNT, DIMENSION)) * np.geomspace(1, 0.05, DIMENSION)
    spread += random.normal(size=(SUBJECTS, DIMENSION))[random.integers(0, SUBJECTS, COUNT)] / 3
    turned = spread @ np.linalg.qr(random.normal(size=(DIMENSION, DIMENSION)))[0]
    unit: np.ndarray = (turned / np.linalg.norm(turned, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.fixture(scope="module")
def queries(vectors: np.ndarray) -> np.ndarray:
    """Vectors near to some of these."""
    noise = np.random.default_rng(6).normal(0, 0.5 / DIMENSION**0.5, (40, DIMENSION))
    near = vectors[:: COUNT // 40][:40] + noise
    unit: np.ndarray = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.fixture(scope="module")
def folder(vectors: np.ndarray, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors and their codes as a snapshot has them, of which a sixth is looked at as where there are many."""
    built = tmp_path_factory.mktemp("vectors")
    np.save(built / PASSAGE_VECTORS, vectors.astype(np.float16))
    with pytest.MonkeyPatch.context() as many:
        many.setattr("assets.search.codes._LEAST_LOOKED_AT", 0)
        build_codes(vectors, built / VECTOR_CODES, lists=code_lists(COUNT))
    return built


@pytest.fixture
def codes(folder: Path) -> VectorCodes:
    return VectorCodes(folder / VECTOR_CODES)


def _nearest(vectors: np.ndarray, query: np.ndarray, among: np.ndarray, count: int = NEAREST) -> set[int]:
    rows = np.flatnonzero(among)
    return set(rows[np.argsort(-(vectors[rows] @ query))[:count]].tolist())


EVERY = np.ones(COUNT, bool)
CHOSEN = {
    "every": EVERY,
    "most": np.arange(COUNT) % 20 > 0,
    "half": np.arange(COUNT) < COUNT // 2,
    "some": np.arange(COUNT) % 10 == 3,
    "few": np.arange(COUNT) % 100 == 7,
    "none": np.zeros(COUNT, bool),
}


@pytest.mark.parametrize("chosen", CHOSEN.values(), ids=CHOSEN)
def test_nearly_all_of_the_nearest_are_proposed(codes, vectors, queries, chosen):
    found = wanted = 0
    for query in queries:
        proposed = codes.nearest(query, 5 * NEAREST, select(chosen))
        rows = proposed.rows.tolist()
        assert len(rows) == len(set(rows)) <= 5 * NEAREST
        assert chosen[rows].all()
        near = _nearest(vectors, query, chosen)
        found, wanted = found + len(near & set(rows)), wanted + len(near)
        assert proposed.is_all == (len(rows) == np.count_nonzero(chosen))
    assert found >= 0.95 * wanted


@pytest.mark.parametrize("chosen", CHOSEN.values(), ids=CHOSEN)
def test_more_are_proposed_from_all_lists(codes, vectors, queries, chosen):
    found = wanted = 0
    for query in queries:
        near = _nearest(vectors, query, chosen)
        proposed = codes.nearest(query, 5 * NEAREST, select(chosen), everywhere=True)
        found, wanted = found + len(near & set(proposed.rows.tolist())), wanted + len(near)
    assert found >= 0.995 * wanted


def test_of_few_vectors_all_lists_are_looked_at(vectors, queries, tmp_path):
    build_codes(vectors, tmp_path / VECTOR_CODES, lists=code_lists(COUNT))
    few = VectorCodes(tmp_path / VECTOR_CODES)
    for query in queries:
        rows, everywhere = few.nearest(query, 50).rows, few.nearest(query, 50, everywhere=True).rows
        assert rows.tolist() == everywhere.tolist()


def test_codes_of_an_earlier_build_are_searched_as_on_their_day(folder, queries, tmp_path, monkeypatch):
    index = faiss.read_index(str(folder / VECTOR_CODES))
    assert index.nprobe == 25, "a sixth of 150"
    index.nprobe = 1
    faiss.write_index(index, str(tmp_path / VECTOR_CODES))
    monkeypatch.setattr("serving.snapshot.codes._EARLIER_LOOKED_AT", 0)
    earlier = VectorCodes(tmp_path / VECTOR_CODES)
    for query in queries:
        _, (rows,) = index.search(query[np.newaxis], 50, params=faiss.SearchParametersIVF(nprobe=38))
        assert earlier.nearest(query, 50).rows.tolist() == rows.tolist()


def test_the_same_vectors_give_the_same_codes(vectors, tmp_path):
    for place in "ab":
        build_codes(vectors, tmp_path / place, lists=code_lists(COUNT))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_codes_of_other_vectors_are_refused(folder):
    for shape in ((COUNT - 1, DIMENSION), (COUNT, DIMENSION + 2)):
        with pytest.raises(SnapshotCorruptError, match=f"shape .{COUNT}, {DIMENSION}., not"):
            opened_codes(folder / VECTOR_CODES, shape)


def test_codes_are_open_once_as_long_as_their_file_is_the_same(folder, vectors, tmp_path):
    path = tmp_path / VECTOR_CODES
    path.write_bytes((folder / VECTOR_CODES).read_bytes())
    codes = opened_codes(path)
    assert opened_codes(path, (COUNT, DIMENSION)) is codes
    path.unlink()
    build_codes(vectors[:3_000], path, lists=20)
    assert opened_codes(path).shape == (3_000, DIMENSION)


def test_a_file_without_codes_is_refused(folder, vectors, tmp_path):
    path = tmp_path / VECTOR_CODES
    for content in (b"", b"IwPf", (folder / VECTOR_CODES).read_bytes()[:50_000]):
        path.write_bytes(content)
        with pytest.raises(SnapshotCorruptError, match="holds no codes of vectors"):
            VectorCodes(path)
    other = faiss.IndexFlatIP(DIMENSION)
    other.add(vectors)
    faiss.write_index(other, str(path))
    with pytest.raises(SnapshotCorruptError, match="IndexFlat"):
        VectorCodes(path)


def _passing(filters: Filters) -> np.ndarray:
    """Whether each of 3,000 provisions of two chunks passes filters by tags."""
    rows = np.arange(COUNT // 2)
    passing: np.ndarray = rows % 100 == 7 if filters.tag == "rare" else rows % 20 > 0
    return passing


def test_provisions_are_found_with_their_exact_cosines_under_filters(folder, vectors, queries):
    nodes = np.arange(COUNT) // 2
    index = CodeIndex(folder, nodes.astype(np.uint32), dimension=DIMENSION, passing=_passing)
    assert (len(index), index.indexed) == (COUNT, True)
    stored = vectors.astype(np.float16).astype(np.float64)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    for tag, limit in ((None, 100), ("rare", 100), (None, 1), ("rare", 5)):
        filters = Filters(tag=tag)
        passing = _passing(filters)
        for query in queries[:10]:
            cosines = stored @ query
            best = cosines.reshape(-1, 2).max(axis=1)
            hits = index.search(3 * query, filters=filters, limit=limit)
            assert len(hits) == min(limit, np.count_nonzero(passing))
            assert [hit.distance for hit in hits] == sorted(hit.distance for hit in hits)
            for hit in hits:
                assert passing[hit.node_row]
                assert hit.node_row == nodes[hit.chunk_row]
                assert hit.distance == pytest.approx(1 - cosines[hit.chunk_row], abs=1e-5)
            wanted = np.flatnonzero(passing)[np.argsort(-best[passing])[:limit]]
            assert len({hit.node_row for hit in hits} & set(wanted.tolist())) >= 0.9 * len(wanted)
    assert index.search(queries[0], filters=Filters(), limit=0) == []


def test_many_near_chunks_of_one_provision_leave_room_for_others(folder, queries):
    # The provision of the first 5,000 chunks, and one for each of the others.
    nodes = np.maximum(np.arange(COUNT), 5_000).astype(np.uint32) - 5_000
    index = CodeIndex(folder, nodes, dimension=DIMENSION, passing=lambda _: np.ones(COUNT - 5_000, bool))
    for query in queries[:5]:
        hits = index.search(query, filters=Filters(), limit=300)
        assert len(hits) == len({hit.node_row for hit in hits}) == 300


def test_codes_without_the_vectors_are_refused(folder, tmp_path):
    (tmp_path / VECTOR_CODES).write_bytes((folder / VECTOR_CODES).read_bytes())
    with pytest.raises(SnapshotCorruptError, match=PASSAGE_VECTORS):
        CodeIndex(tmp_path, np.arange(COUNT), dimension=DIMENSION, passing=lambda _: EVERY)


@pytest.mark.parametrize("least", [-1.0, 0.1, 0.3, 0.45, 0.9999])
def test_questions_by_codes_are_what_a_comparison_with_each_gives(vectors, tmp_path, least):
    rows = np.sort(np.random.default_rng(6).integers(0, 900, COUNT)).astype(np.uint32)
    np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", rows)
    build_codes(vectors, tmp_path / VECTOR_CODES, lists=1)
    passing = np.arange(900) % 3 > 0
    index = QuestionIndex(tmp_path, 900, passing=lambda _: passing, dimension=DIMENSION)
    require_nearest(index, vectors, rows, passing, least)


def test_many_near_questions_of_one_provision_leave_room_for_others(vectors, queries, tmp_path):
    # The provision of the first 5,000 questions, and one for each of the others; every second does not pass.
    rows = np.maximum(np.arange(COUNT), 5_000).astype(np.uint32) - 5_000
    np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", rows)
    build_codes(vectors, tmp_path / VECTOR_CODES, lists=1)
    passing = np.arange(COUNT - 5_000) % 2 == 0
    index = QuestionIndex(tmp_path, len(passing), passing=lambda _: passing, dimension=DIMENSION)
    for query in queries[:5]:
        found = [one.node_row for one in index.nearest(query, filters=Filters(), limit=300)]
        assert len(found) == len(set(found)) == 300
        assert passing[found].all()


def test_codes_of_other_questions_are_refused(vectors, tmp_path):
    np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", np.zeros(COUNT, np.uint32))
    build_codes(vectors[1:], tmp_path / VECTOR_CODES, lists=1)
    with pytest.raises(SnapshotCorruptError, match=f"not .{COUNT}, {DIMENSION}"):
        QuestionIndex(tmp_path, 1, passing=lambda _: np.ones(1, bool), dimension=DIMENSION)
