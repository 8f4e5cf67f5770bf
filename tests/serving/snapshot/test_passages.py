"""Vectors of passages: read as they are stored, whatever the format."""

from pathlib import Path

import numpy as np

from serving.contract.layout import PASSAGE_VECTORS
from serving.snapshot.passages import PassageVectors


def test_every_stored_number_is_read_to_the_bit(tmp_path: Path) -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)].reshape(-1, 1)
    # Beside each number a one: the direction of such a vector is the number.
    stored = np.concatenate([finite, np.ones_like(finite)], axis=1)
    np.save(tmp_path / PASSAGE_VECTORS, stored)
    passages = PassageVectors(tmp_path, lambda _: None, rows=len(stored), dimension=2)
    read = passages.read(np.arange(len(stored))).units()
    exact = stored.astype(np.float64)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    assert np.abs(read - exact).max() < 1e-6
    assert np.array_equal(np.signbit(read), np.signbit(exact))
