"""Names of acts in which words are typed wrongly, and queries that are merely near to one."""

from collections.abc import Callable

import pytest

from serving.services.citations.leads import find_leads
from serving.snapshot.filters import Filters
from serving.snapshot.name_words import NameWords
from serving.snapshot.store import Snapshot
from tests.conftest import Law

_TEXT = "This chapter may be cited as the “{}”. "
_LANGUAGE = (
    "No person may lace a boot in the week of the market, will a hound or a dealer, or sell clean water, wells "
    "of oil, hounds and public records without a permit. A permit for records says who may open them to the public."
)


def _section(num: str, chapter: str, heading: str, text: str) -> Law:
    citation = f"1 Sample Code § {num}"
    return Law(f"t1/s{num}", f"t1/{chapter}", "section", num, heading, citation, text)


def _chapter(number: str, heading: str) -> Law:
    return Law(f"t1/ch{number}", "t1", "chapter", number, heading, f"1 Sample Code ch. {number}")


CODE = (
    Law("t1", None, "title", "1", "Water", "1 Sample Code"),
    _chapter("1", "Deep wells"),
    _section("1", "ch1", "Name", _TEXT.format("Deep Wells Protection Act") + _LANGUAGE),
    _chapter("2", "Wild animals"),
    _section("2", "ch2", "Name", _TEXT.format("Lacey-Weeks Wildlife Act")),
    _chapter("3", "Records"),
    _section("3", "ch3", "Name", _TEXT.format("Freedom of Information and Records Act of 1974")),
    _chapter("4", "Seals"),
    _section("4", "ch4", "Name", _TEXT.format("Northern Seals Act")),
    _chapter("5", "Seats"),
    _section("5", "ch5", "Name", _TEXT.format("Northern Seats Act")),
)


@pytest.fixture(scope="module")
def law(open_law: Callable[[tuple[Law, ...]], Snapshot]) -> Snapshot:
    """Five chapters that their first sections give names."""
    return open_law(CODE)


def _leads(law: Snapshot, query: str) -> list[str]:
    rows = find_leads(law, query, Filters()).rows
    return [law.nodes.citation(row).removeprefix("1 Sample Code ") for row in rows]


@pytest.mark.parametrize(
    ("query", "lead"),
    [
        ("deep wels protection act", "§ 1"),
        ("Deep Wells Protecton Act", "§ 1"),
        ("deep wlels protetcion act", "§ 1"),
        ("deep well protection act", "§ 1"),
        ("deepwells protection act", "§ 1"),
        ("de ep wells protection act", "§ 1"),
        ("deep wells pro tection act", "§ 1"),
        ("who may dig under the deep wels protection act", "§ 1"),
        ("lacy weeks wildlife act", "§ 2"),
        ("lacey-week wildlive act", "§ 2"),
        ("lacey weeks wild life act", "§ 2"),
        ("freedom information records act of 1974", "§ 3"),
        ("fredom of infomation and records act of 1974", "§ 3"),
        # The year is no part of the name: an act of another year may be meant, or the year is wrong too.
        ("fredom of infomation and records act of 1975", "§ 3"),
        ("northern seale act", "§ 4"),
    ],
)
def test_a_name_typed_wrongly_leads_as_the_name_does(query: str, lead: str, law: Snapshot) -> None:
    assert _leads(law, query) == [lead]


@pytest.mark.parametrize(
    "query",
    [
        "deep wells",
        "wells of clean water",
        "clean wells protection",
        "week of the market",
        "lace a boot in the week of wild life",
        "public records act",
        "who may open records and information to the public",
        "northern seads act",
        "deep wells protection acts",
        "deep wls protection acts",
        "fxxxxom of infoxxxxion and records act of 1974",
        "act",
        "aaaa bbbb act",
        "",
    ],
)
def test_what_is_merely_near_a_name_leads_to_nothing(query: str, law: Snapshot) -> None:
    assert _leads(law, query) == []


def test_words_of_names_that_are_not_held_are_known_and_none_is_taken_for_them() -> None:
    words = NameWords(["hobbe wells act"], ["hobbs act"])
    assert "hobbs" in words
    assert words.near("hobbx", 3) == ("hobbe",)
    assert "hobbs" not in words.first


def test_names_are_listed_once_and_in_order(law: Snapshot) -> None:
    names = law.citations.names()
    assert names == sorted(set(names))
    assert "deep wells protection act" in names
    assert law.citations.begins_name(["deep", "wells"]) == (False, True)
    assert law.citations.begins_name(["deep", "wells", "protection", "act"]) == (True, False)
    assert law.citations.begins_name(["deep", "well"]) == (False, False)


def test_a_word_is_near_to_words_of_names_but_not_to_itself(law: Snapshot) -> None:
    assert law.name_words.near("wels", 3) == ("wells",)
    assert law.name_words.near("wells", 3) == ()
    assert "wells" in law.name_words
    assert "wels" not in law.name_words
