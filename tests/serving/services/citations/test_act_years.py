"""Years in which acts were made."""

import pytest

from serving.contract.citations import PopularName
from serving.services.citations.act_years import years_of


@pytest.mark.parametrize(
    ("name", "law", "years"),
    [
        ("Flood Act of 1976", None, {1976}),
        ("Flood Act, 1976", None, {1976}),
        ("Flood Act of 1976", "Pub. L. 94-553", {1975, 1976, 1977}),
        ("Flood Act", "Pub. L. 111–350", {2009, 2010, 2011}),
        ("Flood Act", "July 5, 1946, ch. 540, title I", {1946}),
        ("Flood Act", "Mar. 3, 1899, ch. 1900", {1899}),
        ("1976 Flood Act", None, set()),
        ("Flood Act", None, set()),
    ],
)
def test_the_years_of_an_act_are_those_of_its_name_and_of_its_law(
    name: str, law: str | None, years: set[int]
) -> None:
    assert years_of([PopularName(name, law=law)]) == years


def test_acts_of_one_name_have_the_years_of_each() -> None:
    assert years_of([PopularName("Flood Act of 1976"), PopularName("Flood Act of 1980")]) == {1976, 1980}
