"""Words of two texts: what differs between them, and what is the same but for the way it is set."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from serving.contract.changes import Words

MOST_PLACES, MOST_CHARACTERS = 100, 20_000
"""Places that are listed for one provision, and characters of all their words: a text that was written anew
is better read in its answer."""

_WORD = re.compile(r"\S+")
_BESIDE_WORDS = re.compile(r"(?<!\d) | (?!\d)")
_EXACT = 40_000
"""Pairs of words up to which every word takes part in the comparison; beyond, those that occur often do not
begin a match, which may make places longer and never wrong."""
_MOST_PAIRS = 25_000_000
"""Pairs of words beyond which what stands between two equal lines is one place."""
_SET = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"),
    }
)
"""Dashes and quotes in one form each; characters that nobody sees go."""


class _Word(NamedTuple):
    start: int
    end: int
    folded: str


def fold(text: str) -> str:
    """Return a text with white space, dashes and quotes in one form."""
    return " ".join(text.translate(_SET).replace("''", '"').split())


def unspaced(text: str) -> str:
    """Return a folded text without its white space, but for what parts two numbers."""
    return _BESIDE_WORDS.sub("", fold(text))


def same_words(before: str, after: str) -> bool:
    """Return whether two texts differ at most in white space, dashes and quotes."""
    return before == after or unspaced(before) == unspaced(after)


def changed_words(before: str, after: str) -> tuple[list[Words], int]:
    """Return the places at which two texts differ, and the number of those that are left out."""
    places: list[Words] = []
    left_out = characters = 0
    for first, last, start, end in _differences(before, after):
        characters += (last - first) + (end - start)
        if len(places) == MOST_PLACES or characters > MOST_CHARACTERS:
            left_out += 1
            continue
        places.append(
            {
                "beforeStart": first,
                "beforeEnd": last,
                "afterStart": start,
                "afterEnd": end,
                "removed": before[first:last],
                "added": after[start:end],
            }
        )
    return places, left_out


def _differences(before: str, after: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield spans of characters of both texts; one of them may be empty, at the place of the other."""
    old, new = _words(before), _words(after)
    for a, b, c, d in _replaced(old, new):
        yield (*_span(old, a, b, len(before)), *_span(new, c, d, len(after)))


def _replaced(old: Sequence[_Word], new: Sequence[_Word]) -> Iterator[tuple[int, int, int, int]]:
    """Yield ranges of words that stand for each other and differ."""
    first, second = [word.folded for word in old], [word.folded for word in new]
    head = _shared(first, second)
    tail = _shared(first[head:][::-1], second[head:][::-1])
    first, second = first[head : len(first) - tail], second[head : len(second) - tail]
    if not first or not second or len(first) * len(second) > _MOST_PAIRS:
        if first or second:
            yield head, head + len(first), head, head + len(second)
        return
    matcher = SequenceMatcher(None, first, second, autojunk=len(first) * len(second) > _EXACT)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield head + a, head + b, head + c, head + d


def _shared(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the number of words that two lists have in common at their beginning."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _words(text: str) -> list[_Word]:
    found = []
    for match in _WORD.finditer(text):
        folded = fold(match[0])
        if folded:
            found.append(_Word(match.start(), match.end(), folded))
    return found


def _span(words: Sequence[_Word], first: int, last: int, length: int) -> tuple[int, int]:
    if first < last:
        return words[first].start, words[last - 1].end
    place = words[first].start if first < len(words) else length
    return place, place
