"""Quoted phrases of a query, found in the bytes of a text: their words in order, whatever parts them."""

import re
from collections.abc import Iterator, Sequence

from serving.snapshot.query import query_parser

_ENDING = rb"[a-z0-9]*+(?:(?:'|\xe2\x80\x99)[a-z]++)?+"
_BETWEEN = rb"[^a-z0-9]{1,24}+"
"""Signs and blanks between two words."""
_CHANGED = 2
"""Most letters at the end of a stem that its words may not have: `sky` is the stem of `skies`."""
_MOST = 12
"""Places of a phrase that are looked at, in one text."""
_MOST_TRIED = 200
"""Places that look like a phrase, of which the words are compared with its own."""

Phrase = tuple[str, ...]
"""Its words as the analyzer writes them."""


def find_phrases(text: bytes, phrases: Sequence[Phrase]) -> Iterator[tuple[int, int, int]]:
    """Yield the start and the end of the places where phrases stand, with the number of the phrase."""
    for number, phrase in enumerate(phrases):
        for place, (start, end) in enumerate(_places(text, phrase), start=1):
            yield start, end, number
            if place == _MOST:
                break


def _places(text: bytes, phrase: Phrase) -> Iterator[tuple[int, int]]:
    """Yield where a phrase stands; its first word is sought by its beginning, as a pattern takes longer."""
    first, words = _beginning(phrase[0]), re.compile(_pattern(phrase))
    lowered = text.lower()
    tried, place = 0, lowered.find(first)
    while place >= 0 and tried < _MOST_TRIED:
        match = None if lowered[place - 1 : place].isalnum() else words.match(lowered, place)
        after = place + 1
        if match is not None:
            tried += 1
            if tuple(query_parser().analyze(match[0].decode("utf-8", "ignore"))) == phrase:
                yield match.span()
                after = match.end()
        place = lowered.find(first, after)


def _pattern(phrase: Phrase) -> bytes:
    return _BETWEEN.join(re.escape(_beginning(token)) + _ENDING for token in phrase)


def _beginning(token: str) -> bytes:
    return token[: max(1, len(token) - _CHANGED)].encode()
