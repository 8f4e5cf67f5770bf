"""The cache of vectors: what was added is found, what was damaged is not believed."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from assets.text.vector_cache import VectorCache

DIMENSION = 3


def batch(first: int, count: int) -> tuple[list[bytes], NDArray[np.float16]]:
    numbers = range(first, first + count)
    keys = [hashlib.sha256(str(number).encode()).digest() for number in numbers]
    return keys, np.array([[number] * DIMENSION for number in numbers], np.float16)


def numbers_found(folder: Path, count: int = 20) -> set[int]:
    keys, expected = batch(0, count)
    vectors = np.full((count, DIMENSION), np.nan, np.float16)
    with VectorCache(folder) as cache:
        found = cache.load({key: row for row, key in enumerate(keys)}, vectors)
    rows = {row for row, key in enumerate(keys) if key in found}
    assert all(np.array_equal(vectors[row], expected[row]) for row in rows)
    assert all(np.isnan(vectors[row]).all() for row in set(range(count)) - rows)
    return rows


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Return a cache of three batches in one segment."""
    folder = tmp_path / "cache"
    with VectorCache(folder) as cache:
        for first in (0, 5, 10):
            cache.append(*batch(first, 5))
    return folder


def segment(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_new_cache_holds_nothing_and_writes_nothing(tmp_path: Path) -> None:
    assert numbers_found(tmp_path / "cache") == set()
    assert list((tmp_path / "cache").iterdir()) == []


def test_vectors_come_back_into_the_rows_that_want_them(filled: Path) -> None:
    assert numbers_found(filled) == set(range(15))


def test_later_runs_add_segments_of_their_own(filled: Path) -> None:
    before = segment(filled).read_bytes()
    with VectorCache(filled) as first, VectorCache(filled) as second:
        first.append(*batch(15, 2))
        second.append(*batch(17, 3))
    assert numbers_found(filled) == set(range(20))
    assert sorted(path.name[:7] for path in filled.iterdir()) == [f"00000{n}-" for n in range(3)]
    assert min(filled.iterdir()).read_bytes() == before


def test_batch_is_found_before_the_cache_is_closed(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "cache") as cache:
        cache.append(*batch(0, 5))
        assert numbers_found(tmp_path / "cache") == set(range(5))


def test_torn_tail_is_dropped_wherever_it_is_torn(filled: Path) -> None:
    path = segment(filled)
    whole = path.read_bytes()
    record = len(whole) // 3
    for length in range(2 * record, len(whole)):
        path.write_bytes(whole[:length])
        assert numbers_found(filled) == set(range(10))


def test_run_after_a_torn_tail_adds_what_was_lost(filled: Path) -> None:
    path = segment(filled)
    path.write_bytes(path.read_bytes()[:-1])
    with VectorCache(filled) as cache:
        cache.append(*batch(10, 5))
    assert numbers_found(filled) == set(range(15))


def test_flipped_bit_anywhere_is_not_believed(filled: Path) -> None:
    path = segment(filled)
    whole = path.read_bytes()
    record = len(whole) // 3
    for position in range(record, 2 * record):
        damaged = bytearray(whole)
        damaged[position] ^= 1
        path.write_bytes(damaged)
        assert numbers_found(filled) == set(range(5))


def test_vectors_of_another_dimension_are_passed_over(filled: Path) -> None:
    keys, _ = batch(15, 5)
    with VectorCache(filled) as cache:
        cache.append(keys, np.zeros((5, DIMENSION + 1), np.float16))
    assert numbers_found(filled) == set(range(15))
