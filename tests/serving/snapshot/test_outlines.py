"""Outlines of vectors in snapshots of earlier builds: little that is near is left out, and most of what is far."""

import numpy as np
import pytest

from serving.contract.errors import SnapshotCorruptError
from serving.snapshot.outlines import Outline
from serving.snapshot.questions import QuestionIndex
from tests.serving.snapshot.nearest_questions import require_nearest

COUNT, DIMENSION, DIRECTIONS = 5_000, 384, 64
LEFT_COSINE = 0.55
"""Highest cosine that was reckoned with between what is left of two vectors."""


def outline_of(vectors: np.ndarray, *, left_cosine: float = LEFT_COSINE) -> Outline:
    """Return the outline of a matrix of vectors as it was built."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    directions = np.ascontiguousarray(directions[:, -DIRECTIONS:])
    lines = np.empty((len(vectors), DIRECTIONS + 1), np.float32, order="F")
    lines[:, :DIRECTIONS] = vectors @ directions
    squares = np.einsum("ij,ij->i", vectors, vectors)
    squares -= np.einsum("ij,ij->i", lines[:, :DIRECTIONS], lines[:, :DIRECTIONS])
    lines[:, DIRECTIONS] = np.sqrt(np.maximum(squares, 0.0)) * left_cosine
    return Outline(directions, lines)


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    """Unit vectors that differ most in some directions, as those of sentences do."""
    random = np.random.default_rng(5)
    spread = random.normal(size=(COUNT, DIMENSION)) * np.geomspace(1, 0.05, DIMENSION)
    turned = spread @ np.linalg.qr(random.normal(size=(DIMENSION, DIMENSION)))[0]
    unit: np.ndarray = (turned / np.linalg.norm(turned, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.mark.parametrize("least", [-1.0, 0.0, 0.2, 0.4, 0.9])
def test_with_a_bound_that_always_holds_nothing_that_is_near_is_left_out(vectors, least):
    outline = outline_of(vectors, left_cosine=1.0)
    for query in vectors[::500]:
        near = np.flatnonzero(vectors.astype(np.float64) @ query >= least)
        assert set(near) <= set(outline.reaching(query, least).tolist())


@pytest.mark.parametrize("least", [0.2, 0.45, 0.6])
def test_what_is_left_out_although_it_is_near_has_much_in_common_beyond_its_outline(vectors, least):
    outline = outline_of(vectors)
    across = vectors - vectors @ outline.directions @ outline.directions.T
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    for query, left in zip(vectors[::100], across[::100], strict=True):
        reaching = outline.reaching(query, least)
        assert least < 0.45 or len(reaching) < COUNT / 10
        is_bounded = across @ left <= LEFT_COSINE
        assert set(np.flatnonzero(is_bounded & (vectors @ query >= least))) <= set(reaching.tolist())


@pytest.mark.parametrize("left_cosine", [1.0, None])
@pytest.mark.parametrize("least", [-1.0, 0.1, 0.3, 0.45, 0.9999])
def test_many_questions_give_what_a_comparison_with_each_gives(vectors, tmp_path, least, left_cosine):
    rows = np.sort(np.random.default_rng(6).integers(0, 900, COUNT)).astype(np.uint32)
    np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", rows)
    if left_cosine is not None:
        _save(tmp_path, vectors, left_cosine)
    passing = np.arange(900) % 3 > 0
    index = QuestionIndex(tmp_path, 900, passing=lambda _: passing, dimension=DIMENSION)
    require_nearest(index, vectors, rows, passing, least)


def test_outlines_of_other_vectors_are_refused(vectors, tmp_path):
    np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", np.zeros(COUNT, np.uint32))
    _save(tmp_path, vectors[1:], 1.0)
    with pytest.raises(SnapshotCorruptError, match="holds outlines of shape"):
        QuestionIndex(tmp_path, 1, passing=lambda _: np.ones(1, bool), dimension=DIMENSION)


def _save(folder, vectors, left_cosine):
    outline = outline_of(vectors, left_cosine=left_cosine)
    np.save(folder / "directions.npy", outline.directions)
    np.save(folder / "lines.npy", outline.lines)
