"""Stored strings do not change by accident: identifiers, ids and citations of 200 provisions of real codes."""

import csv
from pathlib import Path

import pytest

from serving.contract.identity import node_id
from tests.assets.citations.real import SOURCES, read_real

with (Path(__file__).parent / "golden.tsv").open(encoding="utf-8", newline="") as _file:
    GOLDEN = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_list_covers_code_bodies_and_levels() -> None:
    assert len(GOLDEN) == 200
    assert {row["source"] for row in GOLDEN} == set(SOURCES)
    assert len({row["level"] for row in GOLDEN}) >= 12
    assert {"in_force", "repealed", "omitted", "transferred", "renumbered", "reserved", "expired"} == {
        row["status"] for row in GOLDEN
    }


def test_ids_are_those_of_the_identifiers() -> None:
    for row in GOLDEN:
        assert str(node_id(row["identifier"])) == row["id"], row


@pytest.mark.real
@pytest.mark.parametrize("source", SOURCES)
def test_real_provisions_keep_their_identifiers_and_citations(source: str) -> None:
    expected = [row for row in GOLDEN if row["source"] == source]
    read = read_real(source, [row["file"] for row in expected])
    for row in expected:
        found = read.get(row["identifier"])
        assert found is not None, f"{row['identifier']} is gone; it was {row['citation']}"
        assert (found.citation, found.level, found.status) == (row["citation"], row["level"], row["status"])
