"""Editions that are named beside a citation, and the last year whose law they hold."""

import pytest

from serving.contract.citations import Grammar, parse
from serving.contract.citations.edition_years import edition_years


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("17 U.S.C. § 107 (1909)", 1909),
        ("17 U.S.C. § 107(1) (2018 ed.).", 2018),
        ("17 U.S.C. § 107 (1988 ed., Supp. V)", 1993),
        ("17 U.S.C. § 107 (1988 & Supp. V 1993)", 1993),
        ("17 U.S.C. § 107 (Supp. III 1973)", 1973),
        ("17 U.S.C.A. § 107 (West 2020 & Supp. 2023)", 2023),
        ("17 U.S.C. § 107 (fair use) (1952)", 1952),
        ("17 U.S.C. § 107 (1952) (fair use)", 1952),
        ("17 U.S.C. (1952 ed.) § 107", 1952),
        ("17 U.S.C., 1940 ed., § 107", 1940),
        ("17 U.S.C. § 107, 1940 ed., says so", 1940),
        ("17 U.S.C. § 107, 1940", 1940),
        ("17 U.S.C. § 107 (1909 Act)", 1909),
        ("17 U.S.C. § 107 (1952, 1958)", 1958),
        ("section 107 of the Copyright Act (1909)", 1909),
        ("Copyright Act § 107 (1976 & Supp. V)", 1981),
        ("Copyright Act (1909) § 107", 1909),
        ("Copyright Act (1793)", 1793),
        ("under the 1909 Copyright Act", 1909),
        ("section 107 of the 1909 Copyright Act", 1909),
        ("sections 107 and 108 of the 1909 Copyright Act", 1909),
        ("in the 1909 Copyright Act, § 107, as", 1909),
        ("since 1909 Copyright Act § 107 says", None),
        ("the Copyright Act, § 107, in the 1909 case", None),
        ("Copyright Act of 1976 § 107", None),
        ("in 1909 Copyright Act cases rose", None),
        ("the 1909 17 U.S.C. § 107", None),
        ("17 U.S.C. § 107 of the 1909 Act", 1909),
        ("17 U.S.C. § 107 in the\n1952 edition", 1952),
        ("17 U.S.C. § 107(1) under the 1952 Code.", 1952),
        ("17 U.S.C. § 107 of the Act of 1909", 1909),
        ("17 U.S.C. § 107 of the Act of March 4, 1909, ch. 320", 1909),
        ("17 U.S.C. § 107, 1952 version", 1952),
        ("17 U.S.C. § 107 (the 1909 Act)", 1909),
        ("17 U.S.C. § 107 (in the 1952 edition)", 1952),
        ("17 U.S.C. § 107 (under the 1909 Act)", 1909),
        ("the 1952 version of 17 U.S.C. § 107", 1952),
        ("The 1952 edition of\nsections 107 and 108 of title 17, U.S.C.", 1952),
        ("section 107 of the Copyright Act of 1976", None),
        # An act of its own name may stand in a title that was made later.
        ("52 U.S.C. § 10301 of the Voting Rights Act of 1965", None),
        ("42 U.S.C. § 1983 of the 1871 Civil Rights Act", None),
        ("17 U.S.C. § 107 of the 1909 House", None),
        ("17 U.S.C. § 107 in the 1909 case", None),
        ("17 U.S.C. § 107 under the 1909 Actuary", None),
        ("17 U.S.C. § 107, 1909 versions", None),
        ("a 1952 version of the form in 17 U.S.C. § 107", None),
        ("17 U.S.C. § 107 (2006 & Supp.)", None),
        ("17 U.S.C. § 107 (effective 1909)", None),
        ("17 U.S.C. § 107 (citing the rule of 1909)", None),
        ("17 U.S.C. § 107 (as amended 1909)", None),
        ("17 U.S.C. § 107 (fair use)", None),
        ("17 U.S.C. § 107 (citing 17 U.S.C. § 101 (1909))", None),
        ("17 U.S.C. § 107, 1909 being the year", None),
        ("17 U.S.C. § 107", None),
    ],
)
def test_an_edition_holds_the_law_until_a_year(grammar: Grammar, text: str, year: int | None) -> None:
    read = parse(text, grammar)
    assert edition_years(text, read).get(read[0]) == year


def test_the_edition_behind_a_list_is_of_all_its_members_and_of_no_other_citation(grammar: Grammar) -> None:
    text = "17 U.S.C. § 5; 17 U.S.C. §§ 107, 108 (1952); 17 U.S.C. (1940 ed.) §§ 1, 2; 17 U.S.C. § 9"
    read = parse(text, grammar)
    assert [edition_years(text, read).get(one) for one in read] == [None, 1952, 1952, 1940, 1940, None]


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("17 U.S.C. § 106(1) and (2) (1909)", [1909, 1909]),
        ("17 U.S.C. §§ 106(1), 106(2) (1909)", [1909, 1909]),
        ("17 U.S.C. § 106(1), (2), & (3) (1952 ed.)", [1952, 1952, 1952]),
        ("sections 106(1) and (2) of title 17, U.S.C. (1952)", [1952, 1952]),
        ("17 U.S.C. (1952 ed.) § 106(1) and (2)", [1952, 1952]),
        ("sections 106(1) and (2) of the Copyright Act (1909)", [1909, 1909]),
        ("17 U.S.C. chs. 1 and 2 (1952)", [1952, 1952]),
        # What is said behind a list is of that list alone, though the same one stands beside it.
        ("17 U.S.C. §§ 107, 108 (1952); 17 U.S.C. §§ 107, 108 (2018)", [1952, 1952, 2018, 2018]),
        ("17 U.S.C. §§ 107, 108 (1952); 17 U.S.C. §§ 107, 108", [1952, 1952, None, None]),
        ("17 U.S.C. § 106(1); 17 U.S.C. § 106(2) (1909)", [None, 1909]),
    ],
)
def test_the_edition_behind_parts_of_one_section_is_of_all_of_them(
    grammar: Grammar, text: str, years: list[int | None]
) -> None:
    read = parse(text, grammar)
    assert [edition_years(text, read).get(one) for one in read] == years
