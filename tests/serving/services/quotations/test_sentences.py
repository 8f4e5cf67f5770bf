"""Sentences of the law: abbreviations, headings, lists, and what governs a part."""

from itertools import pairwise

import pytest

from serving.services.quotations.sentences import begins_sentence, ends_sentence, governing, sentence_ends
from tests.serving.services.quotations.conftest import HARBOR, QUOTED

OUTLINE = QUOTED["us-sample"][1].more["outline"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It ends. So does it.", ["It ends.", "So does it."]),
        (
            "See 42 U.S.C. 1983 and Pub. L. No. 5. It ends.",
            ["See 42 U.S.C. 1983 and Pub. L. No. 5.", "It ends."],
        ),
        ("He said “stop.” Then he left.", ["He said “stop.”", "Then he left."]),
        ("(a) Use of funds\nNo funds are used.", ["(a) Use of funds", "No funds are used."]),
        ("The board may—\n(1) sell;\n(2) buy.", ["The board may—\n(1) sell;\n(2) buy."]),
        ("A rate of 2.5 percent. It applies", ["A rate of 2.5 percent.", "It applies"]),
        ("(a) In general.—The board", ["(a) In general.—", "The board"]),
    ],
)
def test_a_text_falls_into_its_sentences(text, sentences):
    starts = [0, *sentence_ends(text)]
    found = [text[start:end].strip() for start, end in pairwise(starts)]
    assert [one for one in found if one] == sentences


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [
        ("It is barred", " unless it is presented.", False),
        ("It is barred", ".", True),
        ("It is barred.", " The board", True),
        ("It is “barred", ".” The board", True),
        ("under 42 U.S.C", ". 1983 and more", False),
        ("Class A", " | $10", True),
        ("sell a berth;", "\n(2) buy", False),
        ("sell a berth", "", True),
    ],
)
def test_a_sentence_goes_on_or_ends(before, after, ends):
    assert ends_sentence(before + after, len(before)) is ends


def test_a_sentence_begins_behind_another_and_on_a_line_of_its_own():
    text = "It ends. So does it.\n(b) No board"
    assert begins_sentence(text, text.index("So"))
    assert begins_sentence(text, text.index("No"))
    assert begins_sentence(text, 0)
    assert not begins_sentence(text, text.index("does"))


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("lease a berth", "(a) The harbor board shall not—\n(2)"),
        ("for more than", "(a) The harbor board shall not—\n(2) lease a berth"),
        ("A vessel", "(c)"),
        ("The harbor master", ""),
        ("waive", "The harbor master may"),
    ],
)
def test_a_part_is_governed_by_what_leads_in_to_it(at, words):
    assert governing(HARBOR, OUTLINE, HARBOR.index(at)).strip() == words
