"""Section marks: signs and words that announce the number of a section, rule or article."""

import re

from serving.contract.citations.source import SourceText

MARK = re.compile(
    r"(?P<many>(?:â?§ ?){2,3}|ss\.|ss(?= ?\d)"
    r"|(?:sections|sects\.|secs\.?|rules|rr\.|arts\.|articles)(?= ?[\da-z]))"
    r"|â?§|&sect;|\$(?= ?\d)(?! ?\d{1,3},\d{3})"
    r"|s\.|(?:section|sect\.?|sec\.?|s|rule|r\.|art\.?|article)(?= ?\d)"
    r"|r\.(?= ?r\d)",
    re.ASCII,
)
"""Section mark before a number; group `many` is set where it announces several numbers."""

_MARK_WORDS = ("section", "§", "rule", "sec.", "sect.", "article", "art.")


def last_mark(source: SourceText, begin: int, end: int) -> int | None:
    """Return the start of the last section mark in characters [begin, end) of a text; None where none is."""
    folded = source.folded
    start = _last_word(folded, begin, end)
    while start > 0 and folded[start] != "§" and folded[start - 1].isalpha():  # that of `subsection`
        start = _last_word(folded, begin, start)
    if start < 0:
        return None
    if folded[start] == "§":
        while start > begin and (folded[start - 1] == "§" or folded[start - 2 : start] == "§ "):
            start -= 1 if folded[start - 1] == "§" else 2
    return start


def _last_word(folded: str, begin: int, end: int) -> int:
    """Return the start of the last word or sign of a mark in characters [begin, end); -1 where none is."""
    return max(folded.rfind(word, begin, end) for word in _MARK_WORDS)
