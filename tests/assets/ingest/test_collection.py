"""The pause of the cycle collector while a reader makes records."""

import gc
from collections.abc import Iterator

import pytest

from assets.ingest.collection import pausing_collection


@pausing_collection
def running(count: int) -> Iterator[bool]:
    for _ in range(count):
        yield gc.isenabled()


def test_the_collector_pauses_in_the_reader_and_works_where_its_records_are_used() -> None:
    outside = [gc.isenabled() for inside in running(3) if not inside]
    assert outside == [True, True, True]
    assert gc.isenabled()


def test_it_works_again_after_a_reader_that_fails() -> None:
    @pausing_collection
    def failing() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        list(failing())
    assert gc.isenabled()
