"""The alignment of words: as long as any, and quick for words that repeat."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.services.quotations.alignment import Change, changes, matching_blocks
from tests.growth import grows_with_length

WORDS = st.lists(st.sampled_from(["the", "a", "harbor", "board", ",", "."]), max_size=12)


def longest(first: list[str], second: list[str]) -> int:
    """Length of the longest common subsequence, by its definition."""
    row = [0] * (len(second) + 1)
    for word in first:
        before = row
        row = [0]
        for place, other in enumerate(second):
            row.append(before[place] + 1 if word == other else max(before[place + 1], row[place]))
    return row[-1]


@pytest.mark.hypothesis
@given(first=WORDS, second=WORDS)
def test_what_is_aligned_is_the_same_and_in_order(first, second):
    blocks = matching_blocks(first, second)
    for block in blocks:
        assert first[block.a : block.a + block.size] == second[block.b : block.b + block.size]
    for one, other in pairwise(blocks):
        assert one.a + one.size <= other.a
        assert one.b + one.size <= other.b
    assert sum(block.size for block in blocks) <= longest(first, second)


@pytest.mark.hypothesis
@given(first=st.lists(st.sampled_from("abcdef"), max_size=12), place=st.integers(0, 11))
def test_one_word_that_is_left_out_is_the_only_change(first, place):
    second = first[:place] + first[place + 1 :]
    assert sum(block.size for block in matching_blocks(first, second)) >= longest(first, second) - 1


def test_a_coincidence_between_differences_is_no_common_word():
    first = ["the", "pilot", "of", "the", "ferry", "rings", "a", "bell"]
    second = ["the", "master", "and", "the", "owners", "of", "ferries", "ring", "a", "gong"]
    blocks = matching_blocks(first, second)
    assert [change for change in changes(blocks, len(first), len(second)) if change.a_end - change.a > 1]


def test_what_differs_stands_between_the_blocks():
    blocks = matching_blocks(["one", "two", "three"], ["one", "too", "three"])
    assert list(changes(blocks, 3, 3)) == [Change(1, 2, 1, 2)]


def test_words_that_repeat_take_no_long_time():
    """Longer texts are near to the bound by design: each word takes an operation on a number of their length."""
    assert grows_with_length(
        lambda text: matching_blocks(text.split(), ("of the a " * (len(text) // 5)).split()),
        lambda length: "the of " * (length // 7),
        20_000,
    )
