"""Sections that slashes join, and what looks like them."""

import pytest

from serving.contract.citations import Grammar, Unparsed, parse, read_one


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("35 USC 101/102/103", ["101", "102", "103"]),
        ("35 U.S.C. §§ 101/102", ["101", "102"]),
        ("35 U.S.C. § 101/102/103", ["101", "102", "103"]),
        ("35 U.S.C. §102/§103", ["102", "103"]),
        ("35 USC 101 / 102 / 103", ["101", "102", "103"]),
        ("35 USC 102(a)(1)/103(a)", ["102(a)(1)", "103(a)"]),
        ("35 USC 102(a)/(b)/103", None),
        ("35 USC 101/102, 103", ["101", "102", "103"]),
        ("35 USC 101, 102/103", ["101", "102", "103"]),
        ("35 USC 103/102", ["103", "102"]),
        ("35 USC 101/102 note", ["101", "102 note"]),
        ("35 USC 101/102 (2018)", ["101", "102"]),
        ("35 USC 102 / 35 USC 103", ["102", "103"]),
        ("sections 101/102/103 of title 35", ["101", "102", "103"]),
        ("title 35, sections 101/102", ["101", "102"]),
        ("35 USC 371/1341", ["371", "1341"]),
        ("35 USC 1981/1983/1985", ["1981", "1983", "1985"]),
        ("35 USC 101/2", None),
        ("35 USC 101/102/3", None),
        ("35 USC 1341/371", None),
        ("35 USC 2/371", None),
        ("35 USC 12/31", None),
        ("35 USC 12/31/2010", None),
        ("35 USC 1/2", None),
        ("35 USC 101/2011", None),
        ("35 USC 101/102/", None),
        ("35 USC 101/102/b", None),
        ("35 USC 101//102", None),
        ("35 USC 102/35 USC 103", None),
        ("Fed. R. Civ. P. 12/13", None),
        ("29 C.F.R. 101/102", None),
    ],
)
def test_slashes_join_sections_where_nothing_else_is_meant(
    grammar: Grammar, typed: str, expected: list[str] | None
) -> None:
    read = read_one(typed, grammar)
    if isinstance(read, Unparsed):
        assert expected is None
        return
    assert [one.canonical for one in read] == [f"35 U.S.C. § {number}" for number in expected or ()]


def test_a_list_by_slashes_is_read_in_a_text_and_its_members_stand_where_they_do(grammar: Grammar) -> None:
    text = "Rejected under 35 U.S.C. 101/102/103(a), on 12/31/2010."
    read = parse(text, grammar)
    assert [text[one.start : one.end] for one in read] == ["35 U.S.C. 101", "102", "103(a)"]
    assert {one.listing for one in read} == {"35 U.S.C. §§ 101, 102, 103"}


def test_a_number_that_holds_a_slash_is_one_section(grammar: Grammar) -> None:
    read = read_one("720 ILCS 501/502", grammar)
    assert not isinstance(read, Unparsed)
    assert [one.num for one in read] == ["501/502"]
