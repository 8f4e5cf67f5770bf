"""Edges read from texts of titles 11 and 17 and of D.C. title 29, drawn at random and judged by a person.

Drawn on 2026-11-21 with seed 20261121: 200 of the 1,511 of title 17 and D.C. title 29, and 100 of the 1,422 of
title 11; with seed 777, after the rules had been made, 60 of the 2,410 of titles 35 and 44 and D.C. titles 16 and
47, all right, and one that was wrong among 60 of titles 15, 26, 29 and 42. `context` shows the cited words in double
brackets. What was wrong is kept as it was judged.
"""

import csv
from pathlib import Path

import pytest

from assets.citations.text_citations import Passage, read_citations
from assets.registry import Registry, load_citing
from serving.contract.citations import CitingContext
from tests.assets.citations.real import SOURCES, read_real
from tests.conftest import CHECKOUT

PRECISION = 0.98
with (Path(__file__).parent / "reference_sample.tsv").open(encoding="utf-8", newline="") as _file:
    SAMPLE = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_sample_is_as_precise_as_it_must_be() -> None:
    assert len(SAMPLE) >= 200
    assert {row["verdict"] for row in SAMPLE} <= {"right", "wrong"}
    assert sum(row["verdict"] == "right" for row in SAMPLE) / len(SAMPLE) >= PRECISION
    for title in ("/us/usc/t11/", "/us/usc/t17/", "/dc/code/29-"):
        assert sum(row["identifier"].startswith(title) for row in SAMPLE) >= 50


@pytest.mark.real
@pytest.mark.parametrize("source", SOURCES)
def test_what_was_right_is_still_read_and_what_was_wrong_is_not(source: str, registry: Registry) -> None:
    rows = [row for row in SAMPLE if row["source"] == source]
    provisions = read_real(source, [row["file"] for row in rows])
    key = SOURCES[source][0]
    citing = load_citing(CHECKOUT / "datasets" / "citations", registry, ["us-usc", "dc-code"])
    passages = []
    for row in rows:
        title = row["identifier"].split("/")[3].removeprefix("t") if key == "us-usc" else None
        provision = provisions[row["identifier"]]
        home = CitingContext(key, title, provision.num or "", implicit_title=title is not None)
        passages.append(Passage(provision.text, home, key))
    for row, read in zip(rows, read_citations(passages, citing), strict=True):
        found = {
            (str(entry.citation.start), str(entry.citation.end), entry.citation.canonical.casefold())
            for entry in read
        }
        edge = (row["start"], row["end"], row["citation"].casefold())
        assert (edge in found) == (row["verdict"] == "right"), row["context"]
