"""Forms in which the lawyers of states cite the codes that the registry holds, and what looks like them."""

import pytest

from serving.contract.citations import Grammar, parse
from serving.contract.citations.capitals import among_capitals
from serving.contract.citations.source import SourceText


def cited(text: str, grammar: Grammar) -> list[str]:
    return [citation.canonical for citation in parse(text, grammar)]


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
