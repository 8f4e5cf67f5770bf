"""Signs by which a code's pages are read: what entries leave out, and what they may not say."""

import re

import pytest

from assets.registry import Markup


@pytest.mark.parametrize(
    "words",
    [
        "History. (§ 1 ch 5 SLA 2001)",
        "HISTORY: Laws, 1972, ch. 4",
        "Source: L. 73, p. 405",
        "History of Section. P.L. 1956",
    ],
)
def test_the_words_that_mark_histories_are_known(words: str) -> None:
    assert Markup().history.match(words)


@pytest.mark.parametrize(
    "words",
    ["Sources of revenue. The board may", "Historical records are kept", "History shall be taught"],
)
def test_law_is_no_history(words: str) -> None:
    assert not Markup().history.match(words)


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("Compiler's Notes. Former § 1 was", "Compiler's Notes"),
        ("Editor’s note. — Acts 2001", "Editor’s note"),
        ("Cross references. For", "Cross references"),
        ("The 2012 amendments.", "The 2012 amendments"),
        ("Effective Dates. Acts 2016", "Effective Dates"),
    ],
)
def test_notes_of_editors_are_known_by_their_topics(words: str, topic: str) -> None:
    match = Markup().leads.match(words)
    assert match is not None
    assert match["topic"] == topic


@pytest.mark.parametrize(
    "words",
    [
        "Textbooks for use in the public schools",
        "The 2013 amendments determine the priority",
        "Amendments may be proposed by the board.",
    ],
)
def test_law_is_no_note(words: str) -> None:
    assert not Markup().leads.match(words)


def test_an_entry_adds_words_of_notes() -> None:
    assert not Markup().leads.match("Sunset review. The board")
    assert Markup.from_dict({"notes": ["Sunset review"]}).leads.match("Sunset review. The board")


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"colour": "red"}, TypeError),
        ({"notes": "Sunset review"}, TypeError),
        ({"levels": "title"}, TypeError),
        ({"credit": "("}, re.error),
        ({"files": 3}, TypeError),
    ],
)
def test_what_is_no_markup_is_refused(values: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        Markup.from_dict(values)
