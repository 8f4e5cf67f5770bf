"""Outlines of vectors: nothing that is near is left out, and most of what is far is."""

import numpy as np
import pytest

from serving.contract.errors import SnapshotCorruptError
from serving.snapshot.filters import Filters
from serving.snapshot.outlines import outline_of
from serving.snapshot.questions import QuestionIndex

COUNT, DIMENSION = 5_000, 384


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    """Unit vectors that differ most in some directions, as those of sentences do."""
    random = np.random.default_rng(5)
    spread = random.normal(size=(COUNT, DIMENSION)) * np.geomspace(1, 0.05, DIMENSION)
    turned = spread @ np.linalg.qr(random.normal(size=(DIMENSION, DIMENSION)))[0]
    unit: np.ndarray = (turned / np.linalg.norm(turned, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.mark.parametrize("least", [-1.0, 0.0, 0.2, 0.4, 0.9])
def test_nothing_that_is_near_is_left_out(vectors, least):
    outline = outline_of(vectors)
    for query in vectors[::500]:
        near = np.flatnonzero(vectors.astype(np.float64) @ query >= least)
        assert set(near) <= set(outline.reaching(query, least).tolist())


def test_most_of_what_is_far_is_left_out(vectors):
    outline = outline_of(vectors)
    assert all(len(outline.reaching(query, 0.45)) < COUNT / 10 for query in vectors[::500])


@pytest.mark.parametrize("are_built", [True, False])
@pytest.mark.parametrize("least", [-1.0, 0.1, 0.3, 0.45, 0.9999])
def test_many_questions_give_what_a_comparison_with_each_gives(vectors, tmp_path, least, are_built):
    rows = np.sort(np.random.default_rng(6).integers(0, 900, COUNT)).astype(np.uint32)
    np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", rows)
    if are_built:
        _save(tmp_path, vectors)
    passing = np.arange(900) % 3 > 0
    index = QuestionIndex(tmp_path, 900, passing=lambda _: passing, dimension=DIMENSION)
    for query in vectors[::700]:
        best = np.full(900, -2.0)
        np.maximum.at(best, rows, vectors.astype(np.float64) @ query)
        wanted = [row for row in np.argsort(-best) if passing[row] and best[row] >= least][:50]
        found = index.nearest(query, filters=Filters(), limit=50, least=least)
        assert [one.node_row for one in found] == wanted
        assert [one.cosine for one in found] == pytest.approx(best[wanted], abs=1e-5)


def test_outlines_of_other_vectors_are_refused(vectors, tmp_path):
    np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", np.zeros(COUNT, np.uint32))
    _save(tmp_path, vectors[1:])
    with pytest.raises(SnapshotCorruptError, match="holds outlines of shape"):
        QuestionIndex(tmp_path, 1, passing=lambda _: np.ones(1, bool), dimension=DIMENSION)


def _save(folder, vectors):
    outline = outline_of(vectors)
    np.save(folder / "directions.npy", outline.directions)
    np.save(folder / "lines.npy", outline.lines)
