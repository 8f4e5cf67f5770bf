"""Summaries of what a trial read."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from assets.ingest.report import ProvisionsReport, UnitReport, UnitStatus
from assets.registry import load_registry
from pipelines.reading_summary import reading_summary

BODY = load_registry(Path("datasets/registry").absolute()).code_body("tn-code")


def test_what_an_entry_leaves_out_is_told(tmp_path: Path) -> None:
    read = ProvisionsReport(True, (), None, None, "0" * 64, 3, 2, ())
    outlines = pa.chunked_array([pa.array([[1], [], [2, 3]], pa.list_(pa.int64()))])
    whole = reading_summary(BODY, read, outlines)
    assert whole[1] == "tn-code: 2 provisions have parts with designations, such as (a)."
    assert not any("citing" in line for line in whole)
    bare = reading_summary(replace(BODY, citing={}), read, outlines[:0])
    assert bare[1].startswith("tn-code: 0 provisions")
    assert f"no `citing`: the code is cited as {BODY.short_name!r} alone" in bare[2]


def test_titles_that_are_missing_are_not_read() -> None:
    units = [
        UnitReport("t1", "Title 1", UnitStatus.READ, provisions=3, sections=2),
        UnitReport("t2", "Title 2", UnitStatus.KEPT, provisions=3, sections=2),
        UnitReport("t3", "Title 3", UnitStatus.MISSING, provisions=0, sections=0),
    ]
    read = ProvisionsReport(False, (), None, None, "0" * 64, 6, 4, tuple(units))
    outlines = pa.chunked_array([pa.array([[1]], pa.list_(pa.int64()))])
    told = "tn-code: 6 provisions are read, 4 of them sections, of 2 titles"
    assert reading_summary(BODY, read, outlines)[0] == f"{told}, without 1 that is missing."
    whole = replace(read, units=tuple(units[:2]))
    assert reading_summary(BODY, whole, outlines)[0] == f"{told}."
