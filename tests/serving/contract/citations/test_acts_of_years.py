"""Acts of a year beside citations: which are named, and of what."""

import pytest

from serving.contract.citations import Grammar, parse
from serving.contract.citations.acts_of_years import acts_of_years


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("17 U.S.C. § 107 (Copyright Act of 1909)", ("Copyright Act", 1909, True)),
        ("17 U.S.C. § 107 (the 1909 Copyright Act)", ("Copyright Act", 1909, True)),
        ("17 U.S.C. § 107 (under the Copyright Act, 1909)", ("Copyright Act", 1909, True)),
        ("17 U.S.C. § 107 [Copyright Act (1909)]", ("Copyright Act", 1909, True)),
        ("17 U.S.C. § 107 (2018) (Copyright Act of 1909, as amended)", ("Copyright Act", 1909, True)),
        ("17 U.S.C. § 107 (Act of Mar. 4, 1909)", ("Act", 1909, True)),
        ("17 U.S.C. § 107 (section 5 of the Copyright Act of 1909)", ("Copyright Act", 1909, True)),
        ("17 U.S.C. § 107 of the Copyright Act of 1909", ("Copyright Act", 1909, False)),
        ("the Copyright Act of 1909, 17 U.S.C. § 107", ("Copyright Act", 1909, False)),
        ("Under the Copyright Act of 1909 (codified at 17 U.S.C. § 107)", ("Copyright Act", 1909, False)),
        ("the Trading with the Enemy Act of 1917, 50 U.S.C. § 4301", ("Trading with the Enemy Act", 1917, False)),
    ],
)  # fmt: skip
def test_an_act_of_a_year_is_named_beside_a_citation(
    grammar: Grammar, text: str, named: tuple[str, int, bool]
) -> None:
    read = [one for one in parse(f"It was {text}, and so on.", grammar) if one.scheme == "us-usc"]
    acts = acts_of_years(f"It was {text}, and so on.", read)
    assert [tuple(acts[one]) for one in read] == [named]


@pytest.mark.parametrize(
    "text",
    [
        "17 U.S.C. § 107 (Copyright Act)",
        "17 U.S.C. § 107 (replacing the Copyright Act of 1909)",
        "17 U.S.C. § 107 (unlike the Copyright Act of 1909)",
        "17 U.S.C. § 107 (Copyright Act of 1909 cases)",
        "17 U.S.C. § 107, and the Copyright Act of 1909",
        "17 U.S.C. § 107. The Copyright Act of 1909",
        "the Copyright Act of 1909 and 17 U.S.C. § 107",
        "the Copyright Act of 1909; 17 U.S.C. § 107",
        "17 U.S.C. § 107 (Act 1909-12)",
    ],
)
def test_no_act_of_a_year_is_named_of_a_citation(grammar: Grammar, text: str) -> None:
    read = [one for one in parse(f"It is {text}.", grammar) if one.code == "us-usc"]
    assert not acts_of_years(f"It is {text}.", read)


def test_the_act_of_a_list_is_of_its_members_and_of_what_goes_on_from_it(grammar: Grammar) -> None:
    text = "17 U.S.C. §§ 107, 108 (Copyright Act of 1909); 17 U.S.C. § 109"
    read = parse(text, grammar)
    acts = acts_of_years(text, read)
    assert [one in acts for one in read if one.num] == [True, True, False]
