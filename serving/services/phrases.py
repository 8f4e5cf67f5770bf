"""Quoted phrases of a query, found in the bytes of a text: their words in order, whatever parts them."""

import re
from collections.abc import Iterator, Sequence

from serving.snapshot.query import query_parser

_ENDING = rb"[a-z0-9]*+(?:(?:'|\xe2\x80\x99)[a-z]++)?+"
_BETWEEN = rb"[^a-z0-9]{1,24}+"
"""Signs and blanks between two words."""
_BEFORE = rb"(?<![a-z0-9])"
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
    words = _BETWEEN.join(re.escape(_beginning(token)) + _ENDING for token in phrase)
    pattern = re.compile(_BEFORE + words, re.IGNORECASE)
    place = 0
    for _ in range(_MOST_TRIED):
        match = pattern.search(text, place)
        if match is None:
            return
        is_phrase = tuple(query_parser().analyze(match[0].decode("utf-8", "ignore"))) == phrase
        if is_phrase:
            yield match.span()
        place = match.end() if is_phrase else match.start() + 1


def _beginning(token: str) -> bytes:
    return token[: max(1, len(token) - _CHANGED)].encode()
