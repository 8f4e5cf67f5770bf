"""Names of laws, found beside signs that no name goes on behind."""

import pytest

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
