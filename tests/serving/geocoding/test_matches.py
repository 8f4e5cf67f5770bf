"""Matches: whether their number is the one that was asked for, and texts that are fit to be shown."""

import pytest

from serving.geocoding.matches import Exactness, Match, text


@pytest.mark.parametrize(
    ("number", "asked", "is_it"),
    [
        ("330", "330 West 20th Avenue", True),
        ("330", "West 20th Avenue 330, San Mateo", True),
        ("330", "#330 West 20th Avenue", True),
        ("330a", "330A West 20th Avenue", True),
        ("330;332", "332 West 20th Avenue", True),
        ("112-15", "112-15 Queens Boulevard", True),
        ("112-15", "112-18 Queens Boulevard", False),
        ("330-336", "332 West 20th Avenue", False),
        ("332", "330 West 20th Avenue", False),
        ("20", "330 West 20th Avenue", False),
        (";", "; ;", False),
        (None, "330 West 20th Avenue", False),
    ],
)
def test_another_number_is_not_the_one_that_was_asked_for(number, asked, is_it):
    match = Match("as matched", 37.5, -122.3, Exactness.HOUSE, number)
    assert match.has_number_of(asked) is is_it


def test_texts_are_short_and_on_one_line():
    assert text("1 A\u202eST\n,\x00 CA ") == "1 A ST , CA"
    assert len(text("x" * 5_000)) == 300
