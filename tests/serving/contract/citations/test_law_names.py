"""Names of laws, found beside signs that no name goes on behind."""

import pytest

from serving.contract.citations import Grammar, parse
from serving.contract.citations.law_names import act_names, law_names
from serving.contract.citations.source import SourceText


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Boise City Code", ["Boise City Code"]),
        (
            "Elm, Boise City Code, Code of the City of Ames; Ord",
            ["Boise City Code", "Code of the City of Ames"],
        ),
        ("The Towns, Rivers and Hills of Boise City Code", ["Rivers and Hills of Boise City Code"]),
        ("Code Code, Code", ["Code Code"]),
        ("xCode, yCode, zCode", []),
        ("Navajo (Diné) Nation Code § 5; Hopi Code", ["Navajo (Diné) Nation Code", "Hopi Code"]),
    ],
)
def test_names_of_laws(text: str, names: list[str]) -> None:
    assert [name.name for name in law_names(SourceText.of(text))] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the Clean Harbors Act of 1999", ["Clean Harbors Act of 1999"]),
        (
            "Harbors; Old Piers Act of 1999; Quay and Pier Act of 2001.",
            ["Old Piers Act of 1999", "Quay and Pier Act of 2001"],
        ),
        ("the Act of 1974; Clean Piers Act of 1980", ["Clean Piers Act of 1980"]),
        ("Piers (Clean Act of 1974) Quay Act of 1999", ["Piers (Clean Act of 1974) Quay Act of 1999"]),
        ("Clean Piers Act of 1980-81 and Old Quay Act of 1990", ["Old Quay Act of 1990"]),
    ],
)
def test_names_of_acts(text: str, names: list[str]) -> None:
    assert [name.name for name in act_names(SourceText.of(text))] == names


@pytest.mark.parametrize(
    "text",
    [
        "Under pre-AIA § 102(b), it is barred.",
        "Pre–AIA § 102(b) bars it.",
        "the pre-Copyright Act § 107 regime",
        "the post-ERISA § 502(a) law",
        "a non-ERISA § 502(a) claim",
        "pre-Bankruptcy Code § 70(e)",
        "section 3 of the pre-AIA",
    ],
)
def test_a_compound_with_the_name_of_a_law_is_not_that_law(grammar: Grammar, text: str) -> None:
    assert parse(text, grammar) == []


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("the statute—Copyright Act § 107—holds", "Copyright Act of 1976"),
        ("-ERISA § 502(a)", "Employee Retirement Income Security Act of 1974"),
        ("the Gramm-Leach-Bliley Act § 501(b)", "Gramm-Leach-Bliley Act"),
        ("the Anti-Kickback Act of 1986 § 3", "Anti-Kickback Act of 1986"),
        ("pre-emption under ERISA § 514", "Employee Retirement Income Security Act of 1974"),
    ],
)
def test_a_name_behind_a_dash_or_with_hyphens_is_whole(grammar: Grammar, text: str, act: str) -> None:
    assert [one.act or one.code_name for one in parse(text, grammar)] == [act]
