"""One typed citation: what cannot be read is refused with the place and what was expected there."""

import pytest

from serving.contract.citations import Grammar, PopularName, Unparsed, read_one
from serving.contract.citations.diagnosis import near_names


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, "a citation"),
        ("hello", 0, "a citation"),
        ("  hello", 2, "a citation"),
        ("42 FOO § 3", 3, "name of a code"),
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
        ("42 FOO § 3", "the name of a code, as in `17 U.S.C. § 107`: `FOO` is none that is known"),
        (
            "Calif. Penal Code § 187",
            "a citation: the name of a code instead of `Calif. Penal Code`; spelled like it: `Cal. Penal Code`",
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
        ("UCS", ["U.S.C.", "U.S.C.S."]),
        ("Florida Statues", ["Florida Statutes"]),
        ("Fed. R. Cv. P.", ["Fed. R. Civ. P."]),
        ("D.C. Coed", ["D.C. Code"]),
        ("Nothing of the Kind", []),
        ("", []),
    ],
)
def test_names_that_are_spelled_alike(grammar: Grammar, wrong: str, near: list[str]) -> None:
    assert near_names(wrong, grammar.code_names) == near


@pytest.mark.parametrize(
    "text", ["FOIA", "foia", "Freedom of Information Act", "the Freedom of Information Act."]
)
def test_a_typed_abbreviation_is_an_act(grammar: Grammar, text: str) -> None:
    found = read_one(text.removeprefix("the "), grammar)
    assert isinstance(found, tuple)
    assert [(citation.kind, citation.act) for citation in found] == [
        ("popular_name", "Freedom of Information Act")
    ]


def test_a_typed_title_is_a_container(grammar: Grammar) -> None:
    for text in ("title 42", "42 USC", "42 U.S.C."):
        found = read_one(text, grammar)
        assert isinstance(found, tuple)
        assert [(citation.kind, citation.canonical) for citation in found] == [("container", "42 U.S.C.")]


def test_containers_may_be_numbered_with_the_title_they_stand_in(grammar: Grammar) -> None:
    written = "San Mateo Mun. Code tit. 27, ch. 27.60, art. I"
    for text in (written, "SMMC Title 27, Chapter 27.60, Article I", f"{written}."):
        found = read_one(text, grammar)
        assert isinstance(found, tuple)
        assert [(citation.kind, citation.canonical) for citation in found] == [("container", written)]


def test_a_grammar_without_codes_refuses_everything() -> None:
    empty = Grammar([])
    assert isinstance(read_one("17 U.S.C. § 107", empty), Unparsed)


def test_a_grammar_of_acts_alone_reads_acts() -> None:
    found = read_one("Lanham Act § 43(a)", Grammar([], [PopularName("Lanham Act")]))
    assert isinstance(found, tuple)
    assert found[0].canonical == "Lanham Act § 43(a)"
