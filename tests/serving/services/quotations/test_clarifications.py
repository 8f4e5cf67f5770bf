"""Brackets that make plain what the law says at their place."""

import re

import pytest

from serving.services.quotations.clarifications import joins_items, names_reference


@pytest.mark.parametrize(
    ("words", "put"),
    [
        ("this title", "Title 17"),
        ("this title", "title 17, United States Code"),
        ("this title", "Title 17 of the U.S. Code"),
        ("this section", "Section 107"),
        ("this section", "§ 107"),
        ("this section", "17 U.S.C. § 107"),
    ],
)
def test_a_reference_is_named(words, put):
    assert names_reference(words, put, "17 U.S.C. § 107")


@pytest.mark.parametrize(
    ("words", "put", "citation"),
    [
        ("this title", "Title 18", "17 U.S.C. § 107"),
        ("this title", "Title 171", "17 U.S.C. § 107"),
        ("this title", "section 107", "17 U.S.C. § 107"),
        ("this section", "section 1070", "17 U.S.C. § 107"),
        ("this section", "section 106", "17 U.S.C. § 107"),
        ("any title", "Title 17", "17 U.S.C. § 107"),
        ("not this title", "Title 17", "17 U.S.C. § 107"),
        ("this title", "Title 17 or 18", "17 U.S.C. § 107"),
        ("this title", "Title 17", ""),
    ],
)
def test_what_is_no_name_of_a_reference(words, put, citation):
    assert not names_reference(words, put, citation)


ANY = "(1) a fee;\n(2) a tax, if\n(A) it is old; and\n(B) it is due;\n(3) a toll; or\n(4) a fine."
ALL = "(1) a fee;\n(2) a tax, if\n(A) it is old; or\n(B) it is due;\n(3) a toll; and\n(4) a fine."
MIXED = "(1) a fee; and\n(2) a tax;\n(3) a toll; or\n(4) a fine."


def outline_of(text):
    labels = re.findall(r"^\((\w)\)", text, re.MULTILINE)
    starts = [match.start() for match in re.finditer(r"^\(", text, re.MULTILINE)]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    parts = []
    for label, start, end in zip(labels, starts, ends, strict=True):
        inner = label.isalpha()
        last = text.index("\n(3)") if label == "2" else end
        parts.append({"label": f"(2)({label})" if inner else f"({label})", "start": start, "end": last})
    return parts


@pytest.mark.parametrize(
    ("text", "before", "put", "joins"),
    [
        (ANY, "(2)", "or", True),
        (ANY, "(3)", "or", True),
        (ANY, "(2)", "and", False),
        (ANY, "(1)", "or", False),
        (ANY, "a tax", "or", False),
        (ANY, "(2)", "not", False),
        (ANY, "(2)", "", False),
        (ALL, "(2)", "and", True),
        (ALL, "(2)", "or", False),
        (ALL, "(A)", "or", False),
        (MIXED, "(3)", "or", False),
        (MIXED, "(3)", "and", False),
    ],
)
def test_the_word_that_joins_a_list_may_stand_before_each_item(text, before, put, joins):
    place = text.index(before)
    start = len(text[:place].rstrip())
    assert joins_items(text, outline_of(text), start, place, put) is joins
