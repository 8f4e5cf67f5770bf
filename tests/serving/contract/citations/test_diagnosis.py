"""Text that is not a citation: refused with the first character that does not fit, and what was expected."""

import pytest

from serving.contract.citations import Grammar, Unparsed, read_one


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, "a citation"),
        ("hello", 0, "a citation"),
        ("  hello", 2, "a citation"),
        ("42 FOO 3", 3, "name of a code"),
        ("42 U.S.C. §", 11, "section number"),
        ("42 U.S.C. § x", 12, "section number"),
        ("D.C. Code", 9, "section number"),
        ("D.C. Code § 29", 12, "section number"),
        ("Fed. R. Civ. P.", 15, "section number"),
        ("U.S.C. § 5", 0, "title number before the name"),
        ("§ 1983", 6, "the code that it belongs to"),
        ("section 8", 9, "the code that it belongs to"),
        ("17 U.S.C. § 107 fair use", 16, "subsection"),
        ("17 U.S.C. § 107(a", 15, "subsection"),
        ("fair use 17 U.S.C. § 107", 0, "a citation"),
        ("17 U.S.C. § 107 or so, and 17 U.S.C. § 108", 16, "subsection"),
    ],
)
def test_what_is_no_citation_is_refused_at_a_place(
    grammar: Grammar, text: str, offset: int, expected: str
) -> None:
    refused = read_one(text, grammar)
    assert isinstance(refused, Unparsed)
    assert refused.offset == offset
    assert expected in refused.expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17 U.S.C. § x", "a section number after `17 U.S.C. §`, not `x`"),
        ("D.C. Code § 29", "a section number after `D.C. Code §`, as in `D.C. Code § 29-801.02`, not `29`"),
        ("42 USX 1983", "the name of a code instead of `USX`; spelled like it: `U.S.C.`"),
        ("42 FOO 3", "the name of a code, as in `17 U.S.C. § 107`: `FOO` is none that is known"),
        (
            "Calif. Pen. C. § 187",
            "a citation: the name of a code, as in `17 U.S.C. § 107`: `Calif. Pen. C.` is none that is known",
        ),
        ("0 U.S.C. § 1", "a title number before the name `U.S.C.` instead of `0`, as in `17 U.S.C. § 107`"),
        ("§ 1983", "the code that it belongs to, after `§ 1983`, as in `17 U.S.C. § 107`"),
        ("fair use 17 U.S.C. § 107", "a citation; the first, `17 U.S.C. § 107`, begins at 9"),
        ("17 U.S.C. § 107(a", "a subsection in parentheses, such as `(a)`, not `(a`"),
        ("title 42 section", "a section number after `title 42`, not `section`"),
    ],
)
def test_the_refusal_says_what_was_expected_there(grammar: Grammar, text: str, expected: str) -> None:
    refused = read_one(text, grammar)
    assert isinstance(refused, Unparsed)
    assert refused.expected == expected


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("UCS", ["U.S.C.", "U.S.C.S.", "U.C.C."]),
        ("Florida Statues", ["Florida Statutes", "Florida Statute"]),
        ("Fed. R. Cv. P.", ["Fed. R. Cr. P.", "Fed. R. Civ. P."]),
        ("D.C. Coed", ["D.C. Code"]),
        ("Nothing of the Kind", []),
        ("", []),
    ],
)
def test_names_that_are_spelled_alike(grammar: Grammar, wrong: str, near: list[str]) -> None:
    assert grammar.names_like(wrong) == near
