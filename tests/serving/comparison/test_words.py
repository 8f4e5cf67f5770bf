"""Words that differ between two texts."""

from hypothesis import given
from hypothesis import strategies as st

from serving.comparison.words import MOST_CHARACTERS, MOST_PLACES, changed_words, fold, same_words

WORDS = st.lists(st.sampled_from(["a", "the", "dog", "“cat”", "—", "\u00ad", "(b)"]), max_size=30).map(
    " ".join
)


@given(WORDS, WORDS)
def test_the_places_make_the_one_text_of_the_other(before: str, after: str) -> None:
    places, left_out = changed_words(before, after)
    assert left_out == 0
    made, done = "", 0
    for place in places:
        assert before[place["beforeStart"] : place["beforeEnd"]] == place["removed"]
        assert after[place["afterStart"] : place["afterEnd"]] == place["added"]
        made += f"{before[done : place['beforeStart']]} {place['added']} "
        done = place["beforeEnd"]
    assert same_words(made + before[done:], after)
    assert bool(places) is not same_words(before, after)


def test_long_texts_are_bounded() -> None:
    before = " ".join(f"a{number} same" for number in range(4_000))
    after = " ".join(f"b{number} same" for number in range(4_000))
    places, left_out = changed_words(before, after)
    assert len(places) == MOST_PLACES or left_out
    assert sum(len(one["removed"]) + len(one["added"]) for one in places) <= MOST_CHARACTERS


def test_folding() -> None:
    assert fold(" a\u00a0–\n“b”\u200b ") == 'a - "b"'
    assert not same_words("A", "a")


def test_white_space_parts_no_words_but_numbers() -> None:
    assert same_words("sensor/ controller", "sensor/controller")
    assert not same_words("within 10 5 days", "within 105 days")
