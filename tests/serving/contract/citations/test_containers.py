"""Containers of regulations: parts without a word, what stands in them, and what is attached to them."""

import pytest

from serving.contract.citations import CitingContext, Grammar, Unparsed, parse, parse_within, read_one
from serving.contract.citations.containers import is_container_number


def typed(text: str, grammar: Grammar) -> list[str]:
    read = read_one(text, grammar)
    assert not isinstance(read, Unparsed), read
    return [citation.canonical for citation in read]


def cited(text: str, grammar: Grammar) -> list[str]:
    return [citation.canonical for citation in parse(text, grammar)]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2 C.F.R. pt. 200, app. II", "2 C.F.R. pt. 200, app. II"),
        ("2 CFR part 200, Appendix II", "2 C.F.R. pt. 200, app. II"),
        ("2 cfr part 200 appendix ii", "2 C.F.R. pt. 200, app. ii"),
        ("2 C.F.R. pt. 180, app.", "2 C.F.R. pt. 180, app."),
        ("Appendix II to 2 CFR part 200", "2 C.F.R. pt. 200, app. II"),
        ("appendix A to subpart D of 2 CFR part 910", "2 C.F.R. pt. 910, subpt. D, app. A"),
        ("15 CFR part 740, Supplement No. 1", "15 C.F.R. pt. 740, supp. 1"),
        ("Supplement No. 1 to 15 CFR part 740", "15 C.F.R. pt. 740, supp. 1"),
        ("40 C.F.R. pt. 63, subpt. HHHHHHH, tbl. 1", "40 C.F.R. pt. 63, subpt. HHHHHHH, tbl. 1"),
        ("40 CFR part 60 subpart OOOOa", "40 C.F.R. pt. 60, subpt. OOOOa"),
        ("48 CFR part 9, subpart 9.4", "48 C.F.R. pt. 9, subpt. 9.4"),
        ("29 CFR 1910", "29 C.F.R. pt. 1910"),
        ("41 CFR 60-1", "41 C.F.R. pt. 60-1"),
        ("2 CFR 200 subpart E", "2 C.F.R. pt. 200, subpt. E"),
        ("2 CFR 200.1", "2 C.F.R. § 200.1"),
        ("2 CFR 200.500-200.521", "2 C.F.R. §§ 200.500 to 200.521"),
        ("12 CFR ch. X", "12 C.F.R. ch. X"),
    ],
)
def test_a_typed_container_is_read(grammar: Grammar, text: str, canonical: str) -> None:
    assert typed(text, grammar) == [canonical]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("as required by subpart E of 45 CFR Part 95.", ["45 C.F.R. pt. 95, subpt. E"]),
        ("see 2 CFR part 200, Appendix II, and the rest", ["2 C.F.R. pt. 200, app. II"]),
        ("guidance in 2 CFR 180 that has no section here", ["2 C.F.R. pt. 180"]),
        ("parts A through I of 2 CFR part 180", ["2 C.F.R. pt. 180"]),
        ("the table to 2 CFR part 200", ["2 C.F.R. pt. 200"]),
        ("an appendix to 2 CFR part 200", ["2 C.F.R. pt. 200"]),
        ("2 CFR part 200, appendix to be revised", ["2 C.F.R. pt. 200"]),
        ("41 CFR 101-19.600 to 101-19.607", ["41 C.F.R. §§ 101-19.600 to 101-19.607"]),
    ],
)
def test_a_container_is_found_in_a_sentence(grammar: Grammar, text: str, canonical: list[str]) -> None:
    assert cited(text, grammar) == canonical


@pytest.mark.parametrize(
    "text", ["E.O. 12549 (3 CFR 1986 Comp., p. 189)", "3 CFR 1971-1975 Comp.", "3 CFR, 1966 Comp., p. 5"]
)
def test_a_volume_of_title_3_is_no_part(grammar: Grammar, text: str) -> None:
    assert not any("pt." in citation for citation in cited(text, grammar))


def test_appendices_of_the_code_of_statutes_are_read_as_before(grammar: Grammar) -> None:
    assert typed("50 U.S.C. app. § 5", grammar) == ["50 U.S.C. app. § 5"]
    assert typed("18 U.S.C. app. 2 § 3", grammar) == ["18 U.S.C. app. 2 § 3"]
    assert typed("35 U.S.C. pt. II, ch. 10", grammar) == ["35 U.S.C. pt. II, ch. 10"]


def test_regulations_speak_of_the_titles_of_statutes(grammar: Grammar) -> None:
    home = CitingContext("us-cfr", "2", "200.415", implicit_title=True)
    text = "Title 18, United States Code, Section 1001 and Title 31, Sections 3729-3730; § 200.1 of this part"
    found = [citation.canonical for citation in parse_within(text, grammar, home)]
    assert found[0].startswith("18 U.S.C. § 1001")
    assert found[-1] == "2 C.F.R. § 200.1"
    assert not any(citation.startswith("31 C.F.R.") for citation in found)


def test_an_appendix_has_no_section_of_its_own(grammar: Grammar) -> None:
    home = CitingContext("us-cfr", "2", "", implicit_title=True)
    found = parse_within("paragraph (a) of this section, and § 200.1(b)", grammar, home)
    assert [citation.canonical for citation in found] == ["2 C.F.R. § 200.1(b)"]


@pytest.mark.parametrize("number", ["IV", "23 to 49", "OOOOa", "A-1", "60-1", "1.1", "4A"])
def test_numbers_of_containers_are_known(number: str) -> None:
    assert is_container_number(number)


@pytest.mark.parametrize("number", ["", "General", "A, B", "I/II"])
def test_other_words_are_none(number: str) -> None:
    assert not is_container_number(number)
