"""A share of the hostile files, each ended by name: within a minute, without a traceback."""

import time
from pathlib import Path

import pytest

from tests.hostile.case import LARGEST, Case
from tests.hostile.corpus import corpus, share
from tests.hostile.trial import kind_of, outcome


@pytest.mark.parametrize("case", share(), ids=lambda case: case.name)
def test_a_hostile_file_ends_in_a_named_result(case: Case, tmp_path: Path) -> None:
    path = case.make(tmp_path)
    assert path.stat().st_size <= LARGEST
    began = time.monotonic()
    result = outcome(case, path)
    assert time.monotonic() - began < 60
    assert kind_of(result).startswith(("built", "refused", "check", "gap"))


def test_the_corpus_is_large_and_its_cases_have_names_of_their_own() -> None:
    names = [case.name for case in corpus()]
    assert len(set(names)) == len(names) >= 200
    assert len(share()) == 18
