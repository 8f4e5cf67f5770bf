"""Designators of list items from their ids, as the pages of Colorado and others write them."""

import pytest

from assets.ingest.formats.unicourt_labels import item_labels


@pytest.mark.parametrize(
    ("kind", "outer", "endings", "own"),
    [
        ("a", "s1ol12", ["a", "-a.5", "b"], ["a", "a.5", "b"]),
        ("a", "s1ol11", ["b", "-b.5", "-b.5c", "d"], ["b", "b.5", "c", "d"]),
        ("a", "s1ol11", ["a", "-a.3", "-a.3-a.5", "-a.3-a.5b"], ["a", "a.3", "a.5", "b"]),
        ("a", "s1ol14", ["-4.5-4.5", "-4.5b", "-4.5-b.5", "-4.5c"], ["a", "b", "b.5", "c"]),
        ("a", "s1ol11", [".5a", ".5ab", ".5ac"], ["a", "b", "c"]),
        ("a", "s1ol133", [".5b", ".5bb", ".5bc"], ["a", "b", "c"]),
        ("A", "s1ol1aI", ["H", "73", "J", "76"], ["H", "I", "J", "K"]),
        ("a", "s1ol11", ["y", "z", "-z.5aa", "bb"], ["y", "z", "aa", "bb"]),
        ("a", "s1ol11", ["b", "b.1", "c"], ["b", "b", "c"]),
        ("a", "s1ol11", ["a", "-a.7", "-a.7.1", "b"], ["a", "a.7", "a.7", "b"]),
        ("1", "s1ol1A", ["1.1", "2", "3"], ["1", "2", "3"]),
        ("A", "s1ol1j2", ["Z", "AA", "AB", "AC"], ["Z", "AA", "AB", "AC"]),
    ],
)
def test_an_id_ends_in_its_designator(kind: str, outer: str, endings: list[str], own: list[str]) -> None:
    labels = item_labels([outer + ending for ending in endings], outer, kind)
    assert (labels.shared, list(labels.own)) == ("", own)


@pytest.mark.parametrize(
    ("kind", "endings", "own"),
    [
        ("1", ["1", "12", "13", "14"], ["1", "2", "3", "4"]),
        ("1", ["1", "12", "14", "110", "111"], ["1", "2", "4", "10", "11"]),
        ("i", ["i", "iii"], ["i", "ii"]),
        ("i", ["i", "iii", "iiii", "iiv", "iv"], ["i", "ii", "iii", "iv", "v"]),
        ("a", ["a", "ab", "ac"], ["a", "b", "c"]),
        ("1", ["1", "2", "14"], ["1", "2", "14"]),
        ("1", ["9", "10", "11", "12"], ["9", "10", "11", "12"]),
        ("i", ["i", "ii", "iv"], ["i", "ii", "iv"]),
        ("i", ["i", "iv", "v"], ["i", "iv", "v"]),
        ("a", ["y", "z", "aa", "bb"], ["y", "z", "aa", "bb"]),
    ],
)
def test_ids_may_go_on_from_that_of_the_first_item(kind: str, endings: list[str], own: list[str]) -> None:
    """The second item tells; the shapes are of §§ 31A-1 of North Carolina and 25-2-14 of Georgia."""
    assert list(item_labels([f"s1ol1b{ending}" for ending in endings], "s1ol1b", kind).own) == own


def test_ids_of_the_outermost_list_go_on_from_the_section() -> None:
    assert item_labels(["s1ol11", "s1ol112", "s1ol113"], "", "1").own == ("1", "12", "13")


def test_roman_numerals_go_on_below_an_item_that_was_put_between() -> None:
    anchors = ["s1ol1b.5I", "s1ol1b.5II", "s1ol1b.5III", "s1ol1b.5IV"]
    assert item_labels(anchors, "s1ol11-b.5", "I").own == ("I", "II", "III", "IV")


def test_an_item_without_an_element_is_shared_by_those_below_it() -> None:
    labels = item_labels(["s1ol19aIA", "s1ol19aIB", "s1ol19aIC"], "s1ol19a", "A")
    assert (labels.shared, labels.own) == ("I", ("A", "B", "C"))


def test_items_without_ids_are_counted() -> None:
    assert item_labels(["", "", ""], "", "i").own == ("i", "ii", "iii")
    assert item_labels([], "", "a").own == ()
