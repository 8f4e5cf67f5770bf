"""Citations in texts, read in one process and in several."""

import pytest

from assets.citations import text_citations
from assets.citations.text_citations import Passage, read_citations
from assets.registry import Citing
from serving.contract.citations import CitingContext

HOME = CitingContext("us-usc", "17", "107", implicit_title=True)


def test_readings_in_processes_are_those_of_one(citing: Citing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_citations, "_BATCH", 7)
    passages = [
        Passage(f"See section {number}; also 42 U.S.C. § {number}.", HOME, "us-usc") for number in range(50)
    ]
    here = list(read_citations(passages, citing))
    # Some are read before there are enough to start processes.
    monkeypatch.setattr(text_citations, "IN_PROCESS", sum(len(passage.text) for passage in passages[:20]))
    there = list(read_citations(passages, citing))
    assert here == there
    assert [len(read) for read in here] == [2] * 50
    assert all([entry.implicit for entry in read] == [True, False] for read in here)
