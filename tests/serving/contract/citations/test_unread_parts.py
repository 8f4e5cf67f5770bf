"""What goes on behind a citation in a draft, and is not understood: it is never passed over."""

import pytest

from serving.contract.citations import Grammar, parse


@pytest.mark.parametrize(
    "text",
    [
        # A number that a blank splits
        "See 9 U.S.C. § 1 0(a)(4).",
        "See 9 U.S.C. § 1 6.",
        "35 U.S.C. § 10 1.",
        "35 U.S.C. § 27 1 applies",
        "35 U.S.C. § 1 0 1.",
        "9 U.S.C. §§ 9, 1 0 and 11.",
        "49 U.S.C. § 401 02(a)",
        "35 U.S.C. § 10\u00a01.",
        "9 U.S.C. 5 2.",
        # Its letter, or another end of it, that stands apart
        "See 17 U.S.C. § 106 A(a)(3).",
        "See 17 U.S.C. § 104 A.",
        "See 45 U.S.C. § 231 a(a)(1).",
        "42 U.S.C. § 1395 ww(d)",
        "17 U.S.C. §§ 106 A and 107.",
        "17 U.S.C. § 107 bis",
        "17 U.S.C. § 107-ter",
        "17 U.S.C. § 107½",
        "section 106 A of title 17, United States Code",
        # A part in other brackets, or in words
        "17 U.S.C. § 106, (9)",
        "17 U.S.C. § 106,(9).",
        "17 U.S.C. § 512, (c)(1) or (d);",
        "17 U.S.C. § 106:(9)",
        "17 U.S.C. § 106 [(9)]",
        "17 U.S.C. § 107, ¶ (9)",
        "17 U.S.C. § 107, factor (9)",
        "17 U.S.C. § 107, factor (4) weighs",
        "17 U.S.C. § 107 (factor 4)",
        "17 U.S.C. § 107 (see subsection (z))",
        "17 U.S.C. § 106 ((9)).",
        "17 U.S.C. § 107's factors (1) and (2) weigh",
        "17 U.S.C. § 107, numeral (9).",
        "17 U.S.C. § 512 and (c).",
        "9 U.S.C. § 10(a)[4]",
        "9 U.S.C. § 10, part (z)",
        "9 U.S.C. § 10.a.4",
        "9 U.S.C. § 10.a",
        "9 U.S.C. § 10's subsection (z)",
        "9 U.S.C. § 10 (subsection (z))",
        "9 U.S.C. § 10 (second paragraph)",
        "45 U.S.C. § 153, First (i) and (q).",
        # A range
        "17 U.S.C. §§ 107 ... 109.",
        "17 U.S.C. §§ 107 … § 109.",
        "17 U.S.C. §§ 107...109",
        "17 U.S.C. §§ 107 till 109.",
        "17 U.S.C. §§ 107 ~ 109.",
        "17 U.S.C. §§ 107(1) as well as § 109",
    ],
)
def test_what_goes_on_is_not_confirmed_in_part(grammar: Grammar, text: str) -> None:
    assert [one.kind for one in parse(text, grammar)] == ["unread"]


@pytest.mark.parametrize(
    "text",
    [
        "17 U.S.C. § 107 A fair use",
        "17 U.S.C. § 107 a fair use",
        "17 U.S.C. § 107 I claim",
        "17 U.S.C. § 107 U. S. law",
        "17 U.S.C. § 107 n.5.",
        "17 U.S.C. § 107 e.g., a parody",
        "17 U.S.C. § 107 v. the lease",
        "17 U.S.C. § 107  12",
        "17 U.S.C. § 107\n12. The use",
        "17 U.S.C. § 107 6 months later",
        "17 U.S.C. § 107 123 456",
        "17 U.S.C. § 107, (1) the purpose and (2) the nature",
        "17 U.S.C. § 107: (1) the purpose",
        "either (a) 17 U.S.C. § 107, or (b) not",
        "17 U.S.C. § 107 (¶ 25)",
        "17 U.S.C. § 107, see ¶ 25",
        "17 U.S.C. § 107 (paragraph 25 of the complaint)",
        "17 U.S.C. § 107, element (2) of the test",
        "17 U.S.C. § 107's four factors",
        "17 U.S.C. § 107 (fair use)",
        "17 U.S.C. § 107[4] says",
        "17 U.S.C. § 107.e The",
        "17 U.S.C. § 107 ... the use",
        "17 U.S.C. § 107 ..... 12",
        "17 U.S.C. § 107 -- the fair use",
        "17 U.S.C. §§ 107 with 3 factors",
        "17 U.S.C. §§ 107 since 2012.",
        "17 U.S.C. §§ 107 for 3 years.",
        "17 U.S.C. §§ 107 in Rule 12.",
        "17 U.S.C. § 107, section 3",
    ],
)
def test_what_only_looks_like_the_rest_is_none(grammar: Grammar, text: str) -> None:
    assert [one.canonical for one in parse(text, grammar)] == ["17 U.S.C. § 107"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("17 U.S.C. § 107**(9)**", "17 U.S.C. § 107(9)"),
        ("17 U.S.C. § 512 *(c)*", "17 U.S.C. § 512(c)"),
        ("17 U.S.C. § 512<i>(c)</i><b>(1)</b>", "17 U.S.C. § 512(c)(1)"),
        ('17 U.S.C. § 512<a href="x y">(c)</a>', "17 U.S.C. § 512(c)"),
        ("17 U.S.C. § 512(<em>c</em>)(1)", "17 U.S.C. § 512(c)(1)"),
        ("17 U.S.C. §§ 107 -- 109.", "17 U.S.C. §§ 107 to 109"),
        ("17 U.S.C. §§ 107 --- 109.", "17 U.S.C. §§ 107 to 109"),
        ("17 U.S.C. §§ 108(a) -- (c).", "17 U.S.C. § 108(a)-(c)"),
    ],
)
def test_marks_of_layout_and_dashes_of_typewriters_are_read(
    grammar: Grammar, text: str, canonical: str
) -> None:
    assert [one.canonical for one in parse(text, grammar)] == [canonical]
