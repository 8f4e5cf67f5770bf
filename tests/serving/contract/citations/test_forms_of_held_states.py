"""Forms in which the lawyers of states cite the codes that the registry holds, and what looks like them."""

import pytest

from serving.contract.citations import Citation, Grammar, Unparsed, parse, read_one
from serving.contract.citations.capitals import among_capitals
from serving.contract.citations.source import SourceText


def cited(text: str, grammar: Grammar) -> list[str]:
    return [citation.canonical for citation in parse(text, grammar)]


def typed(text: str, grammar: Grammar) -> list[Citation]:
    read = read_one(text, grammar)
    assert not isinstance(read, Unparsed), read
    return list(read)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("AS 11.41", ["Alaska Stat. § 11.41"]),
        ("AS 08.63", ["Alaska Stat. § 08.63"]),
        ("AS 45.03 and 45.08", ["Alaska Stat. § 45.03", "Alaska Stat. § 45.08"]),
        ("graded under AS 11.41, AS 11.46 and AS 47.10 (Children).", [
            "Alaska Stat. § 11.41", "Alaska Stat. § 11.46", "Alaska Stat. § 47.10",
        ]),
        ("under AS 44.62.560-.570.", ["Alaska Stat. §§ 44.62.560 to 44.62.570"]),
        ("VIOLATION OF AS 11.41.100 IS A FELONY", ["Alaska Stat. § 11.41.100"]),
        ("CHARGED UNDER AS § 11.41 ALONE", ["Alaska Stat. § 11.41"]),
        # An amount among words in capitals, of which `AS` is one; and `as`, which is no name.
        ("SOLD AT NOON, AS 12.55 WAS ASKED", []),
        ("As 12.55 was too much, as 11.41 was too little.", []),
        ("AS 2.03 acres were sold", []),
    ],
)  # fmt: skip
def test_a_chapter_is_cited_by_its_number(grammar: Grammar, text: str, canonical: list[str]) -> None:
    assert cited(text, grammar) == canonical


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SOLD, AS 12.55 WAS", True),
        ("SOLD, AS 12.55 was", False),
        ("sold, AS 12.55 WAS", False),
        ("AS 12.55", False),
        ("AS 12.55 AS 12.60", False),
    ],
)
def test_a_name_stands_among_capitals_where_both_words_beside_it_do(text: str, found: bool) -> None:
    start = text.index("AS")
    assert among_capitals(SourceText.of(text), start, start + len("AS 12.55")) is found


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Alaska Statute 11.41.100", "Alaska Stat. § 11.41.100"),
        ("AK ST § 11.41.100", "Alaska Stat. § 11.41.100"),
        ("AK Stat § 11.41.100 (2022)", "Alaska Stat. § 11.41.100"),
        ("Colorado Revised Statute § 14-10-129(2)", "Colo. Rev. Stat. § 14-10-129(2)"),
        ("CO Rev Stat § 14-10-129 (2022)", "Colo. Rev. Stat. § 14-10-129"),
        ("TN Code § 66-28-301 (2021)", "Tenn. Code Ann. § 66-28-301"),
        ("TN ST § 66-28-301", "Tenn. Code Ann. § 66-28-301"),
        ("VA ST § 55.1-1226", "Va. Code Ann. § 55.1-1226"),
        ("Florida Statute § 83.49", "Fla. Stat. § 83.49"),
        ("Title 55.1 of the Code of Virginia", "Va. Code Ann. tit. 55.1"),
        ("Chapter 12 of Title 55.1 of the Code of Virginia", "Va. Code Ann. tit. 55.1, ch. 12"),
        ("Title 8.9A of the Code of Virginia", "Va. Code Ann. tit. 8.9A"),
        ("article 4 of title 25.5, C.R.S.", "Colo. Rev. Stat. tit. 25.5, art. 4"),
        ("article 10 of title 14, C.R.S.", "Colo. Rev. Stat. tit. 14, art. 10"),
    ],
)
def test_a_code_is_known_by_what_its_lawyers_call_it(grammar: Grammar, text: str, canonical: str) -> None:
    assert [one.canonical for one in typed(text, grammar)] == [canonical]


@pytest.mark.parametrize("text", ["title 2.5", "section 3 of title 2.5", "a title 55.1 inches wide"])
def test_a_title_with_decimals_is_of_no_code_that_has_none(grammar: Grammar, text: str) -> None:
    assert cited(text, grammar) == []


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("C.R.S. 1963, 40-2-101", "1963"),
        ("C.R.S. 1963 § 40-2-101", "1963"),
        ("§ 40-2-101(1), C.R.S. 1963", "1963"),
        ("C.R.S. 1963, §§ 40-2-1 to 40-2-3", "1963"),
        ("§ 22-3204, D.C. Code 1981", "1981"),
        ("§ 40-2-101, C.R.S. 1973", None),
        ("§ 14-10-129(2), C.R.S. 2022", None),
        ("C.R.S. 1973, 14-10-129", None),
        ("§ 22-3204, D.C. Code 2001", None),
    ],
)
def test_the_year_of_an_edition_may_stand_bare_behind_the_code(
    grammar: Grammar, text: str, year: str | None
) -> None:
    assert [one.edition for one in typed(text, grammar)] == [year]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Alaska R. Civ. P. 56", "Alaska R. Civ. P. 56"),
        ("Alaska Civil Rule 82(b)(1)", "Alaska Civil Rule 82(b)(1)"),
        ("Alaska Evid. R. 404(b)", "Alaska Evidence Rule 404(b)"),
        ("C.R.C.P. 56(c)", "C.R.C.P. 56(c)"),
        ("CRE 404(b)", "C.R.E. 404(b)"),
        ("Colorado Rules of Criminal Procedure 35(c)", "Colo. R. Crim. P. 35(c)"),
        ("Tenn. R. Civ. P. 12.02(6)", "Tenn. R. Civ. P. 12.02(6)"),
        ("Tenn. Sup. Ct. R. 8, RPC 1.7", "Tenn. Sup. Ct. R. 8, RPC 1.7"),
        ("Tenn. Sup. Ct. R. 10B", "Tenn. Sup. Ct. R. 10B"),
        ("Va. Sup. Ct. R. 5A:18", "Va. Sup. Ct. R. 5A:18"),
        ("Va. R. Evid. 2:404", "Va. Sup. Ct. R. 2:404"),
    ],
)
def test_rules_of_the_states_courts_are_known(grammar: Grammar, text: str, canonical: str) -> None:
    assert [(one.kind, one.canonical) for one in typed(text, grammar)] == [("rule", canonical)]


@pytest.mark.parametrize("text", ["W. Va. R. Civ. P. 12", "Ohio Civ. R. 56(C)", "R. Civ. P. 56"])
def test_rules_of_others_are_not_taken_for_them(grammar: Grammar, text: str) -> None:
    assert [one.kind for one in typed(text, grammar)] == ["unknown_code"]
