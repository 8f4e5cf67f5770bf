"""The analyzer of text and queries: what of a text is one word."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.contract.indexes import joined_words, legal_analyzer


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a mining claim as un\u00adaffected", ["a", "mine", "claim", "as", "unaffect"]),
        ("the rec\u00adords of 42 U.S.C. 7401", ["the", "record", "of", "42", "usc", "7401"]),
        ("section 29\u00ad801", ["section", "29", "801"]),
        ("D.C. Code", ["dc", "code"]),
    ],
)
def test_words_are_whole(text: str, tokens: list[str]) -> None:
    assert legal_analyzer().analyze(joined_words(text)) == tokens


@given(st.text(alphabet="aB.é1_- §", max_size=24))
def test_dots_go_from_runs_of_single_letters_alone(text: str) -> None:
    runs = re.compile(r"\b(?:[^\W\d_]\.){2,}")
    assert joined_words(text) == runs.sub(lambda run: run.group().replace(".", ""), text)
