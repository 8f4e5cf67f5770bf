"""Names in a text that is all in capitals, where they may be words: `SOLD AT NOON, AS 12.55 WAS ASKED`."""

import re

from serving.contract.citations.source import SourceText

_WORD_BEFORE = re.compile(r"([A-Za-z]{2,})[,;:]? ?\Z")
_WORD_BEHIND = re.compile(r" ?([A-Za-z]{2,})")
_WINDOW = 24


def among_capitals(source: SourceText, start: int, end: int) -> bool:
    """Return True where all words right before and behind [start, end) of a text are in capitals.

    There must be one. The word that it begins with does not count behind it: `AS 47.10, AS 47.12` is a list.
    """
    text = source.original
    before = _WORD_BEFORE.search(text[max(0, start - _WINDOW) : start])
    behind = _WORD_BEHIND.match(text, end, end + _WINDOW)
    beside = [match[1] for match in (before, behind) if match is not None]
    return bool(beside) and all(word.isupper() and not text.startswith(word, start) for word in beside)
