"""Typed citations: abbreviations, titles alone, containers, and grammars that know little."""

import pytest

from serving.contract.citations import Grammar, PopularName, Unparsed, parse, read_one


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


@pytest.mark.parametrize(
    "text",
    [
        ">> 17 U.S.C. § 107 <<",
        "> 17 U.S.C. § 107",
        "– 17 U.S.C. § 107;",
        "• 17 USC 107",
        "Cite: 17 U. S. C. § 107 .",
        "- Source: see 17 U.S.C. § 107",
        "`17 U.S.C. § 107`",
        "| 17 U.S.C. § 107 |",
    ],
)
def test_marks_of_lists_and_mails_around_a_citation_are_none_of_it(grammar: Grammar, text: str) -> None:
    found = read_one(text, grammar)
    assert isinstance(found, tuple)
    assert [citation.canonical for citation in found] == ["17 U.S.C. § 107"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("section 1144¹ of title 17", ["17 U.S.C. § 1144"]),
        ("sections 12², 13 of title 17", ["17 U.S.C. § 12", "17 U.S.C. § 13"]),
        ("17 U.S.C. § 107(a)¹ shall", ["17 U.S.C. § 107(a)"]),
    ],
)
def test_a_mark_of_a_footnote_is_no_part_of_a_number(grammar: Grammar, text: str, read: list[str]) -> None:
    assert [citation.canonical for citation in parse(text, grammar)] == read


def test_a_hyphen_behind_a_number_is_no_mark_of_a_list(grammar: Grammar) -> None:
    assert isinstance(read_one("17 U.S.C. § 107-", grammar), Unparsed)


def test_a_grammar_without_codes_knows_none() -> None:
    empty = Grammar([])
    assert isinstance(read_one("17 USC 107", empty), Unparsed)
    read = read_one("17 U.S.C. § 107", empty)
    assert isinstance(read, tuple)
    assert (read[0].kind, read[0].code_name) == ("unknown_code", "U.S.C.")


def test_a_grammar_of_acts_alone_reads_acts() -> None:
    found = read_one("Lanham Act § 43(a)", Grammar([], [PopularName("Lanham Act")]))
    assert isinstance(found, tuple)
    assert found[0].canonical == "Lanham Act § 43(a)"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("42 U.S.C. § 42 U.S.C. § 1983", ["42 U.S.C. § 1983"]),
        ("2 C.F.R. § 2 C.F.R. § 200.1", ["2 C.F.R. § 200.1"]),
        ("Lanham Act § 15 U.S.C. § 1125(a)", ["15 U.S.C. § 1125(a)"]),
        ("under the Bankruptcy Code, 11 U.S.C. §§ 101, 102", ["11 U.S.C. § 101", "11 U.S.C. § 102"]),
        ("42 U.S.C. § 1983, 2 C.F.R. § 200.1", ["42 U.S.C. § 1983", "2 C.F.R. § 200.1"]),
    ],
)
def test_the_title_of_a_citation_is_no_section_of_the_one_before(
    grammar: Grammar, text: str, read: list[str]
) -> None:
    assert [citation.canonical for citation in parse(text, grammar)] == read


def test_unknown_codes_by_their_initials_do_not_share_a_number(grammar: Grammar) -> None:
    read = parse("9 N.N.C. §§ 5, 7 N.N.C. § 7 N.N.C. § 1", grammar)
    assert [(one.code_name, one.start, one.end) for one in read] == [
        ("N.N.C.", 0, 13),
        ("N.N.C.", 26, 38),
    ]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("San Mateo Mun. Code § 27.60.010(1.5)(a)", ("1.5", "a")),
        ("San Mateo Mun. Code § 27.60.010(19.5)", ("19.5",)),
        ("San Mateo Mun. Code § 27.60.010(b.1)(2)", ("b.1", "2")),
        ("San Mateo Mun. Code § 27.60.010(c)(a1)", ("c", "a1")),
        ("San Mateo Mun. Code § 27.60.010(12a)", ("12a",)),
    ],
)
def test_parts_put_between_others_have_labels(grammar: Grammar, text: str, labels: tuple[str, ...]) -> None:
    found = read_one(text, grammar)
    assert isinstance(found, tuple)
    assert [(citation.num, citation.labels) for citation in found] == [("27.60.010", labels)]
