"""Names of acts among other words: what gives an act its name leads where nothing but the name is asked for."""

from collections.abc import Callable

import pytest

from serving.services.citations.leads import find_leads
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot
from tests.conftest import Law

_NAME = "This chapter may be cited as the “Deep Wells Protection Act”."


def _section(num: str, heading: str, text: str, *tags: str) -> Law:
    citation = f"1 Sample Code § {num}"
    return Law(f"t1/s{num}", "t1/ch1", "section", num, heading, citation, text, tags=tags)


CODE = (
    Law("t1", None, "title", "1", "Water", "1 Sample Code"),
    Law("t1/ch1", "t1", "chapter", "1", "Deep wells", "1 Sample Code ch. 1"),
    _section("1", "Permits for wells", "No person may dig a deep well without a permit."),
    _section("2", "Fees", "A permit costs what the Council says."),
    _section("9", "Short title", _NAME, "short_title"),
)


_DRUGS = "This chapter may be cited as the “Drug Law Enforcement Act”."
PARTS_OF_NAMES = (
    *CODE[:2],
    Law(
        "t1/s1",
        "t1/ch1",
        "section",
        "1",
        "Short title",
        "1 Sample Code § 1",
        _DRUGS,
        credit="(July 4, 1999, Act 12; Jan. 2, 2004, Act 3.)",
    ),
)


@pytest.fixture(scope="module")
def drugs(open_law: Callable[[tuple[Law, ...]], Snapshot]) -> Snapshot:
    """A chapter whose name is a part of that of an act which is known and not held."""
    return open_law(PARTS_OF_NAMES)


@pytest.mark.parametrize(
    ("query", "leads"),
    [
        ("Drug Law Enforcement Act", True),
        ("Drug Law Enforcement Act of 1999", True),
        ("fines under the drug law enforcement act of 2004", True),
        ("Sample Drug Law Enforcement Act", True),
        ("Maritime Drug Law Enforcement Act", False),
        ("boats and the maritime drug law enforcement act", False),
        ("Uniform Drug Law Enforcement Act", False),
        ("Model Drug Law Enforcement Act fines", False),
        ("Drug Law Enforcement Act of 1971", False),
        ("D.C. Drug Law Enforcement Act", False),
        ("California Drug Law Enforcement Act", False),
    ],
)
def test_a_part_of_anothers_name_leads_nowhere(query: str, leads: bool, drugs: Snapshot) -> None:
    rows = find_leads(drugs, query, Filters()).rows
    assert ("1 Sample Code § 1" in map(drugs.nodes.citation, rows)) is leads


MARITIME = ("maritime drug law enforcement act", "46 U.S.C. § 70503")


@pytest.mark.parametrize(
    ("query", "unheld"),
    [
        ("Maritime Drug Law Enforcement Act", MARITIME),
        ("boats and the maritime drug law enforcement act", MARITIME),
        ("NSPS", ("nsps", "42 U.S.C. § 7411")),
        # What may mean something else is the name of what is not held only where nothing stands beside it.
        ("NSPS of the harbor", None),
        ("Drug Law Enforcement Act", None),
        ("Sample Drug Law Enforcement Act", None),
    ],
)
def test_an_act_that_is_not_held_is_told(query: str, unheld: tuple[str, str] | None, drugs: Snapshot) -> None:
    found = find_leads(drugs, query, Filters()).unheld
    assert [(one.asked, one.stands_at) for one in found] == ([unheld] if unheld else [])


@pytest.fixture(scope="module")
def wells(open_law: Callable[[tuple[Law, ...]], Snapshot]) -> Snapshot:
    """A chapter that a section at its end gives a name."""
    return open_law(CODE)


@pytest.mark.parametrize(
    ("query", "leads"),
    [
        ("Deep Wells Protection Act", ["§ 9", "§ 1"]),
        ("deep wells protection act", ["§ 9", "§ 1"]),
        ("who may dig under the Deep Wells Protection Act", ["§ 1", "§ 9"]),
        ("Deep Wells Protection Act short title", ["§ 9", "§ 1"]),
    ],
)
def test_what_gives_an_act_its_name_leads_for_its_mere_name(
    query: str, leads: list[str], wells: Snapshot
) -> None:
    rows = find_leads(wells, query, Filters()).rows
    found = [wells.nodes.citation(row).removeprefix("1 Sample Code ") for row in rows]
    # The chapter that has the name follows, where nothing else is asked for.
    assert found[:2] == leads
