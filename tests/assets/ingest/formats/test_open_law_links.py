"""Paths that the Open Law Library's publishers refer by."""

import pytest

from assets.ingest.formats.open_law_links import path_numbers


@pytest.mark.parametrize(
    ("path", "numbers"),
    [
        ("27.20.010", ["27.20.010"]),
        ("10|01|01|.04", ["10", "10.01", "10.01.01", "10.01.01.04"]),
        ("27|27.20", ["27", "27.20"]),
        ("|08.02.25", ["08.02.25"]),
        ("§50022.1", ["50022.1"]),
        ("Harbor Ord. No. 2012-2|§1", []),
        ("https://law.example/27", []),
        ("", []),
    ],
)
def test_a_path_gives_the_full_numbers_that_it_may_end_in(path: str, numbers: list[str]) -> None:
    assert path_numbers(path) == numbers


def test_what_follows_a_section_are_its_parts() -> None:
    assert path_numbers("08.02.15.03|C.|(2)")[0] == "08.02.15.03"
