"""Citations that depend on the section they stand in."""

import pytest

from serving.contract.citations import CitingContext, Grammar, Part, parse, parse_within

COPYRIGHT = CitingContext("us-usc", "17", "107", implicit_title=True)
EDUCATION = CitingContext("us-usc", "20", "1400")
DISTRICT = CitingContext("dc-code", None, "29-801.01")


@pytest.mark.parametrize(
    ("context", "text", "canonical"),
    [
        (EDUCATION, "section 106 of this title", ["20 U.S.C. § 106"]),
        (EDUCATION, "sections 1401 and 1402(a) of this title", ["20 U.S.C. § 1401", "20 U.S.C. § 1402(a)"]),
        (
            EDUCATION,
            "section 1401, 1402, or 1403 of this title",
            [f"20 U.S.C. § {n}" for n in (1401, 1402, 1403)],
        ),
        (EDUCATION, "sections 1411 through 1419 of this title", ["20 U.S.C. §§ 1411 to 1419"]),
        (EDUCATION, "section 1401 of this chapter", ["20 U.S.C. § 1401"]),
        (EDUCATION, "chapter 33 of this title", ["20 U.S.C. ch. 33"]),
        (EDUCATION, "subchapter II of chapter 33 of this title", ["20 U.S.C. ch. 33, subch. II"]),
        (EDUCATION, "subsection (b) of this section", ["20 U.S.C. § 1400(b)"]),
        (
            EDUCATION,
            "subsections (a) and (b)(1) of this section",
            ["20 U.S.C. § 1400(a)", "20 U.S.C. § 1400(b)(1)"],
        ),
        (EDUCATION, "paragraph (2) of subsection (b) of this section", ["20 U.S.C. § 1400(b)(2)"]),
        (
            EDUCATION,
            "section 552a of title 5 or section 1232g of this title",
            ["5 U.S.C. § 552a", "20 U.S.C. § 1232g"],
        ),
        (EDUCATION, "as section 1401 says", []),
        (COPYRIGHT, "Coordination with section 106\n(A) Property", ["17 U.S.C. § 106"]),
        (EDUCATION, "section 5 of this Act", []),
        (EDUCATION, "this section and this title", []),
        (COPYRIGHT, "the provisions of sections 106 and 106A", ["17 U.S.C. § 106", "17 U.S.C. § 106A"]),
        (
            COPYRIGHT,
            "under section 111(c), 119, or 122, the",
            [f"17 U.S.C. § {n}" for n in ("111(c)", 119, 122)],
        ),
        (COPYRIGHT, "section 1001, and 60 percent of it", ["17 U.S.C. § 1001"]),
        (COPYRIGHT, "section 6 of the Standard Reference Data Act", []),
        (
            COPYRIGHT,
            "section 158, 1291, or 1292 of title 28",
            [f"28 U.S.C. § {n}" for n in (158, 1291, 1292)],
        ),
        (COPYRIGHT, "such section 11(n)", []),
        (
            DISTRICT,
            "under § 29-802 or §§ 29-803 through 29-805",
            ["D.C. Code § 29-802", "D.C. Code §§ 29-803 to 29-805"],
        ),
        (DISTRICT, "Section 29–706.03(5) shall not apply", ["D.C. Code § 29-706.03(5)"]),
        (DISTRICT, "[§ 1-619.01 et seq.]", ["D.C. Code § 1-619.01 et seq."]),
        (DISTRICT, "section 29-803.02 of this title", ["D.C. Code § 29-803.02"]),
        (DISTRICT, "subsection (a)(1) of this section", ["D.C. Code § 29-801.01(a)(1)"]),
        (DISTRICT, "section 501(c)(3) of the Internal Revenue Code", ["26 U.S.C. § 501(c)(3)"]),
        (DISTRICT, "§ 5 of the act, section 12 and § 7", []),
    ],
)
def test_what_leans_on_its_place_is_read(
    grammar: Grammar, context: CitingContext, text: str, canonical: list[str]
) -> None:
    assert [citation.canonical for citation in parse_within(text, grammar, context)] == canonical


def test_without_a_place_nothing_leans_on_it(grammar: Grammar) -> None:
    assert parse("section 106 of this title and subsection (b) of this section, § 29-802", grammar) == []


def test_citations_come_in_order_and_apart(grammar: Grammar) -> None:
    text = "Under § 29-802, 17 U.S.C. § 107, subsection (a) of this section and § 29-803(b)."
    found = parse_within(text, grammar, DISTRICT)
    assert [text[citation.start : citation.end] for citation in found] == [
        "§ 29-802",
        "17 U.S.C. § 107",
        "subsection (a) of this section",
        "§ 29-803(b)",
    ]


def test_an_unknown_context_reads_what_stands_for_itself(grammar: Grammar) -> None:
    context = CitingContext("no-such-code", None, "1")
    assert [
        c.canonical for c in parse_within("17 U.S.C. § 107, section 1 of this title", grammar, context)
    ] == ["17 U.S.C. § 107"]


OUTLINE = (
    Part(("a",), 0, 40),
    Part(("b",), 40, 400),
    Part(("b", "1"), 50, 200),
    Part(("b", "1", "A"), 60, 120),
    Part(("b", "1", "B"), 120, 200),
    Part(("b", "2"), 200, 400),
)
PARTED = CitingContext("us-usc", "20", "1400", containers=(("ch.", "33"), ("subch.", "I")), outline=OUTLINE)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("for the purposes of this chapter", ["20 U.S.C. ch. 33"]),
        ("under this subchapter or this title", ["20 U.S.C. ch. 33, subch. I", "20 U.S.C."]),
        ("under this part", []),
        ("section 1401 of this chapter", ["20 U.S.C. § 1401"]),
        ("under paragraph (2), the", ["20 U.S.C. § 1400(b)(2)"]),
        ("under subparagraph (B), the", ["20 U.S.C. § 1400(b)(1)(B)"]),
        ("under subsection (a), the", ["20 U.S.C. § 1400(a)"]),
        ("subsections (a) and (b)(2) apply", ["20 U.S.C. § 1400(a)", "20 U.S.C. § 1400(b)(2)"]),
        ("paragraph (1) of subsection (b) applies", ["20 U.S.C. § 1400(b)(1)"]),
        ("under paragraph (3), the", []),
        ("such paragraph (2), the", []),
        ("paragraph (2) of such section", []),
        ("paragraph (2) thereof", []),
        ("paragraph (2) of the Clean Air Act", ["Clean Air Act"]),
        ("subsection (b) of section 552 of title 5", ["5 U.S.C. § 552(b)"]),
    ],
)
def test_what_the_context_tells_is_read(grammar: Grammar, text: str, canonical: list[str]) -> None:
    text = " " * 70 + text
    assert [citation.canonical for citation in parse_within(text, grammar, PARTED)] == canonical


def test_a_paragraph_that_may_be_of_two_parts_is_left_out(grammar: Grammar) -> None:
    outline = (
        Part(("1",), 0, 9),
        Part(("2",), 9, 300),
        Part(("2", "A"), 20, 300),
        Part(("2", "A", "1"), 30, 300),
    )
    context = CitingContext("us-usc", "20", "1400", outline=outline)
    assert parse_within(" " * 70 + "under paragraph (1)", grammar, context) == []
