"""Full numbers of containers: some repeat what stands above them, some go on from it."""

import pytest

from assets.ingest.container_numbers import container_number, container_numbers


@pytest.mark.parametrize(
    ("above", "number", "full"),
    [
        ("", "27", "27"),
        ("27", "27.20", "27.20"),
        ("26.13", "07", "26.13.07"),
        ("26.13", "26.13.07", "26.13.07"),
        # Title 19, division 1, chapter 19.23: the division's number is no part of the chapter's.
        ("19.1", "19.23", "19.23"),
        ("2", "27.20", "2.27.20"),
        ("27.20", "I", "27.20.I"),
    ],
)
def test_a_number_is_completed_once(above: str, number: str, full: str) -> None:
    assert container_number(above, number) == full


def test_unnumbered_containers_pass_on_what_is_above_them() -> None:
    numbers = ["26", None, "13", "26.13.02", "9"]
    found = container_numbers(
        range(5),
        numbers=numbers,
        parents=[-1, 0, 1, 2, 0],
        citable=[False, False, False, True, False],
    )
    assert found == {0: "26", 2: "26.13", 4: "26.9"}
