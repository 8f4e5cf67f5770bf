"""Markup against words: the words go first, and where both lead elsewhere neither is trusted."""

from typing import Any

import pytest

from assets.citations.act_names import is_the_act, may_name
from assets.citations.reconcile import CONTRADICTION, Holdings, MarkedReference, WordReference, reconcile
from assets.citations.references import Reference
from serving.contract.citations import Citation
from serving.contract.records import FROM_MARKUP, FROM_TEXT

# 0: a title, 1: a chapter in it, 2 to 4: sections in the chapter, 5: another chapter.
HOLDINGS = Holdings(
    [-1, 0, 1, 1, 1, 0],
    [False, False, True, True, True, False],
    ["title", "chapter", "section", "section", "regulation", "chapter"],
)
TEXT = "see section 7 of this title and more"


def marked(target: int | None, num: str | None = "7", *, start: int = 4, end: int = 13) -> MarkedReference:
    reason = None if target is not None else "not_found"
    return MarkedReference(Reference(start, end, target, "marked", reason, FROM_MARKUP), num)


def word(
    target: int | None,
    *,
    start: int = 4,
    end: int = 27,
    kind: str = "section",
    implicit: bool = False,
    **more: Any,
) -> WordReference:
    citation = Citation(start, end, kind, "code", "code", "read", "read", **more)
    reason = None if target is not None else "outside_coverage"
    return WordReference(citation, implicit, Reference(start, end, target, "read", reason, FROM_TEXT))


def reconciled(marks: list[MarkedReference], words: list[WordReference]) -> tuple[list[tuple[Any, ...]], int]:
    found = reconcile(TEXT, marks, words, HOLDINGS)
    kept: list[tuple[Any, ...]] = [
        (entry.citation, entry.target, entry.reason, entry.origin) for entry in found.references
    ]
    return kept, len(found.contradicted)


def test_words_that_say_the_same_give_the_citation() -> None:
    assert reconciled([marked(2)], [word(2)]) == ([("read", 2, None, FROM_MARKUP)], 0)


def test_words_that_name_another_provision_go_before_markup() -> None:
    assert reconciled([marked(2)], [word(3)]) == ([("read", 3, None, FROM_TEXT)], 1)


def test_words_lead_where_markup_does_not() -> None:
    assert reconciled([marked(None)], [word(3)]) == ([("read", 3, None, FROM_TEXT)], 0)
    assert reconciled([marked(None)], [word(None)])[0][0][:3] == ("read", None, "outside_coverage")


def test_neither_is_trusted_where_the_words_lead_nowhere_and_the_markup_elsewhere() -> None:
    assert reconciled([marked(2)], [word(None)]) == ([("read", None, CONTRADICTION, FROM_MARKUP)], 1)


@pytest.mark.parametrize(
    ("words", "target", "within", "kept"),
    [
        ("this chapter", 1, 2, True),
        ("this Chapter", 5, 2, False),  # the other chapter of the title
        ("this title", 0, 2, True),
        ("this section", 3, 2, False),
        ("this section", 4, 4, True),  # a regulation may call itself one
        ("this subchapter", 1, 2, True),  # it stands in none: shelved, or renamed
        ("this chapter", 0, 2, True),  # wider than the words, and around them
        ("the chapter", 5, 2, True),
    ],
)
def test_words_that_mean_what_they_stand_in_contradict_markup_that_leads_elsewhere(
    words: str, target: int, within: int, *, kept: bool
) -> None:
    mark = MarkedReference(
        Reference(3, 3 + len(words), target, "marked", None, FROM_MARKUP), None, within=within
    )
    found = reconcile(f"in {words} and", [mark], [], HOLDINGS)
    (entry,) = found.references
    assert (entry.target, entry.reason) == ((target, None) if kept else (None, CONTRADICTION))
    assert len(found.contradicted) == (0 if kept else 1)


def test_note_under_a_marked_section_is_not_the_section() -> None:
    assert reconciled([marked(2)], [word(None, note=True)])[0][0][:2] == ("read", None)


@pytest.mark.parametrize("kind", ["container", "popular_name"])
def test_markup_says_which_container_a_name_means(kind: str) -> None:
    assert reconciled([marked(1, None)], [word(None, kind=kind)]) == ([("marked", 1, None, FROM_MARKUP)], 0)
    assert reconciled([marked(2)], [word(None, kind=kind)])[1] == 1


def test_what_lies_within_the_other_contradicts_nothing() -> None:
    assert reconciled([marked(1, None)], [word(2)]) == ([("read", 2, None, FROM_TEXT)], 0)
    assert reconciled([marked(2)], [word(1, kind="container")]) == ([("marked", 2, None, FROM_MARKUP)], 0)


def test_words_without_a_title_say_nothing_against_markup() -> None:
    assert reconciled([marked(2)], [word(3, implicit=True)]) == ([("marked", 2, None, FROM_MARKUP)], 0)
    assert reconciled([marked(2)], [word(2, implicit=True)]) == ([("read", 2, None, FROM_MARKUP)], 0)


def test_marked_number_that_is_not_that_of_its_section_is_not_trusted() -> None:
    assert reconciled([marked(2, "9")], []) == ([("marked", None, CONTRADICTION, FROM_MARKUP)], 1)
    assert reconciled([marked(2, "7")], []) == ([("marked", 2, None, FROM_MARKUP)], 0)
    assert reconciled([marked(2, "9", start=17, end=27)], [])[1] == 0, "words without a number"


def test_two_marks_on_the_words_of_one_range_are_one_reference() -> None:
    ranged = word(2)
    ranged = ranged._replace(reference=ranged.reference._replace(members=(2, 3)))
    assert reconciled([marked(2, end=11), marked(3, start=12, end=20)], [ranged])[0] == [
        ("read", 2, None, FROM_MARKUP)
    ]


def test_words_beside_markup_stay() -> None:
    beside = word(4, start=28, end=36)
    assert [entry[1] for entry in reconciled([marked(2)], [word(2), beside])[0]] == [2, 4]


def _act(name: str, text: str) -> bool:
    words = name.rpartition(" of ")[0] if name not in text else name
    start = text.index(words)
    return is_the_act(
        text, Citation(start, start + len(words), "popular_name", None, None, name, name, act=name)
    )


def test_a_name_within_a_longer_one_is_not_the_act() -> None:
    assert _act("Fees Act", "as the Fees Act says")
    assert not _act("Fees Act", "as the Uniform Fees Act says")
    assert not _act("Fees Act", "as the Rents and Fees Act says")
    assert not _act("Fees Act", "as the Fees Act of 1937 says")
    assert _act("Fees Act of 1974", "as the Fees Act of 1974 says")
    assert not _act("Fees Act of 1974", "as the Fees Act says"), "it may be an older one"


def test_a_text_names_acts_of_its_own_jurisdiction_and_federal_ones() -> None:
    assert may_name("dc", of_text="dc")
    assert may_name("us", of_text="dc")
    assert not may_name("dc", of_text="us")
