"""The collector of reference cycles: paused while something is made, and back as it was."""

import gc

import pytest

from serving.contract.collection import collection_paused


def test_the_collector_is_paused_and_runs_again_after_a_failure() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="invalid literal"), collection_paused():
        assert gc.isenabled() or int("made wrong")
    assert gc.isenabled()


def test_who_had_it_paused_still_has() -> None:
    with collection_paused():
        with collection_paused():
            pass
        assert not gc.isenabled()
