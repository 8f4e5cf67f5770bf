"""The analyzer of text and queries: what of a text is one word."""

import pytest

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
