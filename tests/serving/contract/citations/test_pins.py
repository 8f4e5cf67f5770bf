"""Pin cites whose parts are named in words behind one another, from the outside in."""

import pytest

from serving.contract.citations import Grammar, parse, read_one


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("35 U.S.C. § 271, subsection (e), paragraph (2)", ["35 U.S.C. § 271(e)(2)"]),
        ("35 U.S.C. § 271, subsec. (e), para. (2)", ["35 U.S.C. § 271(e)(2)"]),
        ("35 U.S.C. § 271(e), paragraph (2), subparagraph (A)", ["35 U.S.C. § 271(e)(2)(A)"]),
        ("35 U.S.C. § 271(e)(5)(B), clause (i)", ["35 U.S.C. § 271(e)(5)(B)(i)"]),
        (
            "section 271, subsection (e), paragraph (2), subparagraph (A), of title 35, United States Code",
            ["35 U.S.C. § 271(e)(2)(A)"],
        ),
        ("section 271, subsection (e), of title 35, United States Code", ["35 U.S.C. § 271(e)"]),
        (
            "35 U.S.C. § 271, subsection (e), paragraphs (1) and (2)",
            ["35 U.S.C. § 271(e)(1)", "35 U.S.C. § 271(e)(2)"],
        ),
        ("35 U.S.C. § 271, subsections (a) and (b)", ["35 U.S.C. § 271(a)", "35 U.S.C. § 271(b)"]),
        ("35 U.S.C. § 271, subsection (e), paragraph (2) of the plan", ["35 U.S.C. § 271(e)"]),
        ("45 U.S.C. § 153 First, (i).", ["45 U.S.C. § 153, First(i)"]),
        ("45 U.S.C. § 153, First, (i) the carrier", ["45 U.S.C. § 153, First"]),
    ],
)
def test_parts_named_behind_one_another_are_one_pin_cite(
    grammar: Grammar, text: str, canonical: list[str]
) -> None:
    assert [one.canonical for one in parse(text, grammar)] == canonical


def test_parts_named_behind_one_another_are_read_as_they_are_typed(grammar: Grammar) -> None:
    read = read_one("35 U.S.C. § 271, subsection (e), paragraph (2)", grammar)
    assert isinstance(read, tuple)
    assert [one.labels for one in read] == [("e", "2")]


@pytest.mark.parametrize(
    "text",
    [
        "35 U.S.C. § 271, subparagraph (A), paragraph (2)",
        "35 U.S.C. § 271(e), clause (i)",
        "35 U.S.C. § 271, subdivision (e), clause 2",
    ],
)
def test_parts_that_are_not_named_from_the_outside_in_are_not_understood(grammar: Grammar, text: str) -> None:
    assert [one.kind for one in parse(text, grammar)] == ["unread"]
