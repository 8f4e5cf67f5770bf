"""The comparison of two states of a law: hard cases, each with the one right answer."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from serving.comparison.comparison import Comparison
from tests.serving.comparison.compared import BODY, Section, changes, law, told

DOGS = "No person shall keep a dog in the city without a licence from the clerk."
CATS = "A cat that is found at large may be taken to the shelter by any officer."
BIRDS = "The council may by resolution set aside any park as a refuge for birds."
RULES = "The Mayor may issue rules to implement the provisions of this chapter without delay."


def test_equal_law_has_no_changes(tmp_path: Path) -> None:
    assert changes(tmp_path, [Section("1", DOGS)], [Section("1", DOGS)]) == []


def test_added_removed_and_amended(tmp_path: Path) -> None:
    before = [Section("9", DOGS), Section("10", CATS)]
    after = [Section("9", DOGS.replace("clerk", "sheriff")), Section("11", BIRDS, known="2026-11-20")]
    amended, removed, added = changes(tmp_path, before, after)
    assert [told(one) for one in (amended, removed, added)] == [
        ("amended", "9", "9"),
        ("removed", "10", None),
        ("added", None, "11"),
    ]
    assert amended["fields"] == ["text"]
    (place,) = amended["words"]
    assert (place["removed"], place["added"]) == ("clerk.", "sheriff.")
    assert DOGS[place["beforeStart"] : place["beforeEnd"]] == "clerk."
    assert (added["publishedOn"], added["knownOn"]) == ("2026-11-22", "2026-11-20")
    assert not any("force" in name.lower() for name in added)


def test_a_text_under_another_number_is_renumbered(tmp_path: Path) -> None:
    (one,) = changes(tmp_path, [Section("5", DOGS)], [Section("7", DOGS.replace("a dog", "a  dog"))])
    assert told(one) == ("renumbered", "5", "7")
    assert one["fields"] == ["nodeId", "number", "text"]
    assert one["words"] == []


@pytest.mark.parametrize("text", ["[Reserved]", "", "Repealed.", RULES])
def test_a_text_that_several_have_is_no_evidence(tmp_path: Path, text: str) -> None:
    before = [Section("5", text), Section("6", text), Section("8", DOGS)]
    after = [Section("6", text), Section("7", text), Section("8", DOGS)]
    assert [told(one) for one in changes(tmp_path, before, after)] == [
        ("removed", "5", None),
        ("added", None, "7"),
    ]


def test_a_text_near_another_is_silent(tmp_path: Path) -> None:
    found = changes(tmp_path, [Section("5", DOGS)], [Section("7", DOGS + " The fee is ten dollars.")])
    assert [told(one) for one in found] == [("removed", "5", None), ("added", None, "7")]


def test_a_renumbered_stub_stays_with_its_status(tmp_path: Path) -> None:
    found = changes(
        tmp_path, [Section("5", DOGS)], [Section("5", "", status="renumbered"), Section("7", DOGS)]
    )
    assert [told(one) for one in found] == [("status", "5", "5"), ("renumbered", "5", "7")]


def test_a_copy_with_another_status_is_no_new_place(tmp_path: Path) -> None:
    """The D.C. Code keeps the permanent text of a section that is amended for a time beside it, as reserved."""
    after = [Section("5", DOGS + " Until June."), Section("5(Perm)", DOGS, status="reserved")]
    found = changes(tmp_path, [Section("5", DOGS)], after)
    assert [told(one) for one in found] == [("amended", "5", "5"), ("added", None, "5(Perm)")]


def test_sections_that_shift_by_one(tmp_path: Path) -> None:
    before = [Section("5", DOGS), Section("6", CATS)]
    after = [Section("5", BIRDS), Section("6", DOGS), Section("7", CATS)]
    assert [told(one) for one in changes(tmp_path, before, after)] == [
        ("added", None, "5"),
        ("renumbered", "5", "6"),
        ("renumbered", "6", "7"),
    ]


def test_a_section_that_takes_the_place_of_another(tmp_path: Path) -> None:
    found = changes(tmp_path, [Section("5", DOGS), Section("6", CATS)], [Section("6", DOGS)])
    assert sorted(told(one) for one in found) == [("removed", "6", None), ("renumbered", "5", "6")]


def test_a_section_split_in_two(tmp_path: Path) -> None:
    found = changes(tmp_path, [Section("5", f"{DOGS} {CATS}")], [Section("5", DOGS), Section("5a", CATS)])
    assert [told(one) for one in found] == [("amended", "5", "5"), ("added", None, "5a")]
    assert [(one["removed"], one["added"]) for one in found[0]["words"]] == [(CATS, "")]


def test_a_moved_container_and_its_sections(tmp_path: Path) -> None:
    titles = [Section("1", level="title", heading="One"), Section("2", level="title", heading="Two")]
    chapter = Section("A", level="chapter", parent="1")
    section = Section("5", DOGS, parent="A")
    found = changes(tmp_path, [*titles, chapter, section], [*titles, replace(chapter, parent="2"), section])
    # The section still stands in its chapter.
    assert [(told(one), one["fields"]) for one in found] == [(("editorial", "A", "A"), ["place"])]


@pytest.mark.parametrize(
    ("after", "kind", "fields"),
    [
        ({"heading": "Hounds"}, "amended", ["heading"]),
        ({"heading": " heading"}, "amended", ["heading"]),
        ({"heading": "Heading "}, "editorial", ["heading"]),
        ({"notes": ("Added in 2026.",)}, "editorial", ["notes"]),
        ({"credit": "Act 1; Act 2"}, "editorial", ["sourceCredit"]),
        ({"text": DOGS.replace(" ", "\n", 3)}, "editorial", ["text"]),
        ({"status": "repealed"}, "status", ["status"]),
        ({"status": "repealed", "text": ""}, "status", ["text", "status"]),
        ({"text": DOGS.upper()}, "amended", ["text"]),
    ],
)
def test_one_thing_that_differs(tmp_path: Path, after: dict[str, Any], kind: str, fields: list[str]) -> None:
    section = Section("5", DOGS, credit="Act 1")
    (one,) = changes(tmp_path, [section], [replace(section, **after)])
    assert (one["kind"], one["fields"]) == (kind, fields)
    assert one["creditAdded"] == (["Act 2"] if "credit" in after else [])


def test_quotes_and_dashes_are_editorial(tmp_path: Path) -> None:
    (one,) = changes(
        tmp_path,
        [Section("5", "The word “dog” means a dog – or a hound — of a neighbour’s.")],
        [Section("5", 'The word "dog" means a dog - or a hound - of a neighbour\'s.')],
    )
    assert (one["kind"], one["words"]) == ("editorial", [])


def test_the_same_file_read_otherwise_is_a_correction(tmp_path: Path) -> None:
    before = [Section("5", DOGS, file="one"), Section("6", CATS, file="one"), Section("8", RULES, file="two")]
    after = [
        Section("5", DOGS + " Licences last a year.", file="one"),
        Section("7", BIRDS, file="one"),
        Section("8", RULES + " So be it.", file="three"),
    ]
    found = changes(tmp_path, before, after)
    assert [told(one) for one in found] == [
        ("corrected", "5", "5"),
        ("corrected", "6", None),
        ("corrected", None, "7"),
        ("amended", "8", "8"),
    ]


def test_a_section_that_only_its_container_says_the_place_of(tmp_path: Path) -> None:
    """In law-xml the file of a title says what stands where: that of a section is the same byte for byte."""
    chapters = [Section("A", level="chapter"), Section("B", level="chapter")]
    section = Section("5", DOGS, parent="A", file="five")
    (one,) = changes(tmp_path / "moved", [*chapters, section], [*chapters, replace(section, parent="B")])
    assert (told(one), one["fields"]) == (("editorial", "5", "5"), ["place"])
    # The containers' file is the same too: then we read it otherwise.
    same = [replace(chapter, file="title") for chapter in chapters]
    (one,) = changes(tmp_path / "reread", [*same, section], [*same, replace(section, parent="B")])
    assert (told(one), one["fields"]) == (("corrected", "5", "5"), ["place"])


def test_two_sections_of_one_number_keep_apart(tmp_path: Path) -> None:
    """A second section of a number gives both an id that says whose they are; their texts say which is which."""
    before = [Section("130g", DOGS, id="s130g")]
    after = [Section("130g", CATS, id="s130g@pl-2"), Section("130g", DOGS, id="s130g@pl-1")]
    found = changes(tmp_path, before, after)
    assert sorted((one["kind"], one["fields"]) for one in found) == [("added", []), ("editorial", ["nodeId"])]


def test_a_new_code_body_is_told_once(tmp_path: Path) -> None:
    other = replace(BODY, id="00000000-0000-5000-8000-000000000002", name="B Code", node_count=3)
    comparison = Comparison(
        law(tmp_path / "a", [Section("1", DOGS)], snapshot="2026.11.21-1"),
        law(tmp_path / "b", [Section("1", CATS)], snapshot="2026.11.22-1", code_bodies=(other,)),
    )
    names = [body.name for body in comparison.code_bodies]
    new, old = (
        comparison.describe(body, one)
        for body in comparison.code_bodies
        for one in comparison.differences(body.id)
    )
    assert (names[0], new["kind"], new["level"], new["nodeCount"]) == ("B Code", "added", "code_body", 3)
    assert (names[1], old["kind"], old["before"], old["after"]) == ("A Code", "removed", None, None)
    summary = comparison.summary(other, comparison.differences(other.id))
    assert (summary["before"], summary["counts"]) == (None, {"added": 1})


def test_credits_name_what_the_amendment_added(tmp_path: Path) -> None:
    (one,) = changes(
        tmp_path,
        [Section("5", DOGS, credit="(Pub. L. 94–553, § 101, 90 Stat. 2546.)")],
        [Section("5", CATS, credit="(Pub. L. 94-553, § 101, 90 Stat. 2546; Pub. L. 101–650, § 607.)")],
    )
    assert one["creditAdded"] == ["Pub. L. 101–650, § 607"]
