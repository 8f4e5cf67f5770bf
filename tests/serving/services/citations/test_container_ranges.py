"""Ranges of chapters and articles, by their words and by their numbers."""

from collections.abc import Callable

import pytest

from serving.services.citations.resolution import Outcome
from serving.services.citations.resolve import resolve
from serving.snapshot.store import Snapshot
from tests.conftest import Law


def _chapter(title: str, number: str, cited: str, status: str = "in_force") -> Law:
    return Law(f"t{title}/ch{number}", f"t{title}", "chapter", number, "Law", cited, status=status)


FEDERAL = (
    Law("t1", None, "title", "1", "Water", "1 Sample Code"),
    *(_chapter("1", number, f"1 Sample Code ch. {number}") for number in ("1", "1A", "2", "9", "10", "11")),
    _chapter("1", "12", "1 Sample Code ch. 12", "repealed"),
    Law("t1/ch2/pt1", "t1/ch2", "part", "1", "Wells", "1 Sample Code ch. 2, pt. 1"),
    Law("t1/s1", "t1/ch1", "section", "1", "Wells", "1 Sample Code § 1", "Wells are dug."),
)
ALASKA = (
    Law("t8", None, "title", "8", "Business", "Alaska Stat. tit. 8"),
    *(
        _chapter("8", number, f"Alaska Stat. tit. 8, ch. {number}")
        for number in ("02", "04", "63")
    ),
    Law("08.02.010", "t8/ch02", "section", "08.02.010", "Wells", "Alaska Stat. § 08.02.010", "Wells are dug."),
    Law("08.04.010", "t8/ch04", "section", "08.04.010", "Pumps", "Alaska Stat. § 08.04.010", "Pumps are kept."),
)  # fmt: skip


@pytest.fixture(scope="module")
def federal(open_law: Callable[..., Snapshot]) -> Snapshot:
    """Title 1 with chapters that are numbered with letters too."""
    return open_law(FEDERAL)


@pytest.fixture(scope="module")
def alaska(open_law: Callable[..., Snapshot]) -> Snapshot:
    """Title 8 of a code that cites chapters by number."""
    return open_law(ALASKA, "ak-code")


def _members(law: Snapshot, text: str) -> tuple[Outcome, list[str]]:
    found = resolve(law, text)
    provisions = [member.provision for member in found.members]
    return found.outcome, [one.citation for one in provisions if one is not None]


def _chapters(*numbers: str) -> list[str]:
    return [f"1 Sample Code ch. {number}" for number in numbers]


@pytest.mark.parametrize(
    ("text", "outcome", "members"),
    [
        ("1 Sample Code chapters 1 to 9", Outcome.FOUND, _chapters("1", "1A", "2", "9")),
        ("1 Sample Code chapters 2-10", Outcome.FOUND, _chapters("2", "9", "10")),
        ("1 Sample Code chapters 11 through 12", Outcome.REPEALED, _chapters("11", "12")),
        # An end that does not stand, or stands elsewhere, leaves the range open.
        ("1 Sample Code chapters 1 to 8", Outcome.OUTSIDE_COVERAGE, []),
        ("1 Sample Code parts 1 to 2", Outcome.OUTSIDE_COVERAGE, []),
        ("1 Sample Code chapter 1A", Outcome.FOUND, []),
    ],
)
def test_a_range_of_chapters_is_found_where_both_ends_stand(
    federal: Snapshot, text: str, outcome: Outcome, members: list[str]
) -> None:
    assert _members(federal, text) == (outcome, members)


@pytest.mark.parametrize(
    ("text", "outcome", "members"),
    [
        ("AS 08.02 to 08.63", Outcome.FOUND, ["ch. 02", "ch. 04", "ch. 63"]),
        ("AS 08.02-08.04", Outcome.FOUND, ["ch. 02", "ch. 04"]),
        ("AS 08.02 and 08.63", Outcome.FOUND, ["ch. 02", "ch. 63"]),
        ("AS 08.63", Outcome.FOUND, []),
        ("AS 08.64", Outcome.OUTSIDE_COVERAGE, []),
    ],
)
def test_chapters_by_number_are_a_range_of_chapters(
    alaska: Snapshot, text: str, outcome: Outcome, members: list[str]
) -> None:
    assert _members(alaska, text) == (outcome, [f"Alaska Stat. tit. 8, {member}" for member in members])


def test_a_range_between_chapters_that_do_not_stand_is_not_found(alaska: Snapshot) -> None:
    assert resolve(alaska, "AS 08.03 to 08.05").outcome is Outcome.OUTSIDE_COVERAGE
