"""Changes between editions that were read from pages and from XML: what the law says, not how a format has it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.serving.comparison.compared import Section, changes, told

DOGS = "No person shall keep a dog under Business and Professions Code Sections 4600 without a licence."
PAGE = Section(
    "5.03",
    DOGS,
    heading="DOGS. [Repealed]",
    status="repealed",
    credit="Ord. No. 2019-8 § 1; Ord. 1984-2 §§ 1, 6, 1984; Prior code § 36.01(13)",
    path="5.03.html",
)
XML = Section(
    "5.03",
    DOGS,
    heading="DOGS.",
    status="repealed",
    credit="Prior code § 36.01(13); Ord. 1984-2 §§ 1, 6, 1984; Apr. 5, 2019, City of X, Ord. No. 2019-8, §§ 1, 4",
    path="5.xml",
)


def test_the_same_law_in_another_format_has_not_changed(tmp_path: Path) -> None:
    assert changes(tmp_path, [PAGE], [XML]) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"text": DOGS.replace("Code Sections", "CodeSections")}, {}),
        ({"heading": "DOGS"}, {"heading": "DOGS"}),
        ({"notes": ("Section 5.04",), "topic": "Cross References"}, {}),
        ({}, {"notes": ("Repealed",), "topic": "reason"}),
        ({"notes": ("One.", "Two.")}, {"notes": ("Two.", "One.")}),
        ({"credit": None}, {}),
    ],
)
def test_what_a_format_adds_or_leaves_out_is_no_change(
    tmp_path: Path, before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert changes(tmp_path, [replace(PAGE, **before)], [replace(XML, **after)]) == []


@pytest.mark.parametrize(
    ("after", "kind", "fields"),
    [
        ({"text": DOGS.replace("dog", "cat")}, "amended", ["text"]),
        ({"heading": "CATS."}, "amended", ["heading"]),
        ({"status": "reserved"}, "status", ["status"]),
        ({"notes": ("See title 9.",)}, "editorial", ["notes"]),
        ({"text": DOGS.replace("4600", "4 600")}, "amended", ["text"]),
    ],
)
def test_what_the_law_says_otherwise_is_a_change(
    tmp_path: Path, after: dict[str, Any], kind: str, fields: list[str]
) -> None:
    (one,) = changes(tmp_path, [PAGE], [replace(XML, **after)])
    assert (one["kind"], one["fields"], one["creditAdded"]) == (kind, fields, [])


def test_an_act_that_the_other_format_does_not_name_was_added(tmp_path: Path) -> None:
    credit = f"{XML.credit}; July 1, 2021, City of X, Ord. No. 2021-13, § 3"
    (one,) = changes(tmp_path, [PAGE], [replace(XML, credit=credit)])
    assert told(one) == ("editorial", "5.03", "5.03")
    assert one["fields"] == ["sourceCredit"]
    assert one["creditAdded"] == ["July 1, 2021, City of X, Ord. No. 2021-13, § 3"]


def test_within_one_format_a_publisher_who_writes_a_credit_anew_is_told(tmp_path: Path) -> None:
    (one,) = changes(tmp_path, [replace(XML, credit=PAGE.credit)], [XML])
    assert (one["kind"], one["fields"]) == ("editorial", ["sourceCredit"])
