"""Hints of searches that find nothing: the reason, and the word that was meant."""

import pytest

from serving.services.hints import hint_for
from serving.services.requests import SearchRequest


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("harbr", "harbor"),
        ("comission", "commission"),
        ("autorship", "authorship"),
        ("harbr comission", "harbor commission"),
    ],
)
def test_a_misspelled_word_is_led_to_the_one_of_the_law(snapshot, typed, meant):
    assert f"`{meant}`" in hint_for(snapshot, SearchRequest(query=typed))


@pytest.mark.parametrize(
    "typed", ["asdfghjkl", "xqzzt", "???", "12345678", "harbr asdfghjkl", "x" * 400, "💥"]
)
def test_nonsense_is_led_nowhere(snapshot, typed):
    hint = hint_for(snapshot, SearchRequest(query=typed))
    assert "Did you mean" not in hint
    assert "spelling" in hint


def test_a_jurisdiction_without_law_is_named(snapshot):
    assert "No law of ca is held" in hint_for(snapshot, SearchRequest(query="harbor", jurisdiction="ca"))
    assert "No law of" not in hint_for(snapshot, SearchRequest(query="jazz", jurisdiction="sample"))


def test_known_words_that_match_nothing_are_no_misspelling(snapshot):
    assert "near enough" in hint_for(snapshot, SearchRequest(query="harbor"))
