"""Containers in citations: `ch. 10, subch. A` after a code's name, `chapter 7 of` before a title."""

import re
from collections.abc import Sequence

from serving.contract.citations.source import SourceText

ABBREVIATIONS = {
    "title": "tit.",
    "subtitle": "subtit.",
    "division": "div.",
    "subdivision": "subdiv.",
    "part": "pt.",
    "subpart": "subpt.",
    "chapter": "ch.",
    "subchapter": "subch.",
    "article": "art.",
    "subarticle": "subart.",
    "unit": "unit",
}
"""Words for containers as citations abbreviate them."""

_MAX_DEPTH = 10
_WORD = "|".join(
    sorted(
        (rf"{word}|{short.rstrip('.')}\.?" for word, short in ABBREVIATIONS.items()), key=len, reverse=True
    )
)
_ONE = r"(?:\d{1,5}[a-z]{0,3}(?:\.\d{1,5}[a-z]?){0,3}|[ivxlcdm]{1,8}[a-z]?|[a-z]{1,2})(?:-[0-9a-z]{1,4}){0,2}"
_NUMBER = rf"{_ONE}(?: (?:to|through) {_ONE})?(?![0-9a-z])"
_AFTER = re.compile(rf"[, ]{{1,3}}({_WORD}) ?({_NUMBER})", re.ASCII)
_BEFORE = re.compile(rf"(?<![a-z])({_WORD}) ?({_NUMBER})(?:, ?| of (?:the )?| in )$", re.ASCII)
_ELSEWHERE = re.compile(rf" of (?:the |this |that |such )?(?:title|{_WORD})(?![a-z])", re.ASCII)
"""What shows that a container is of what follows: `ch. 71, chapter 67 of title 41`."""
_WINDOW = 70
_OF_WORD = {word: short for long, short in ABBREVIATIONS.items() for word in (long, short.rstrip("."))}

Containers = tuple[tuple[str, str], ...]


def containers_after(source: SourceText, position: int, *, loose: bool) -> tuple[Containers, int]:
    """Return the containers that follow a place, outermost first, and the place after them.

    Args:
        source: the text.
        position: after the name of the code.
        loose: letters and Roman numbers may be in lower case, as in a query.
    """
    found: list[tuple[str, str]] = []
    while len(found) < _MAX_DEPTH:
        match = _AFTER.match(source.folded, position)
        if match is None or not _is_number(source.original[match.start(2)], loose=loose):
            break
        entry = _entry(match, source)
        if _has(found, entry[0]) or _ELSEWHERE.match(source.folded, match.end()):
            break
        found.append(entry)
        position = match.end()
    return _outermost_first(found), position


def containers_before(source: SourceText, position: int, floor: int) -> tuple[Containers, int]:
    """Return the containers that precede a place, outermost first, and where the first begins.

    Args:
        source: the text.
        position: of what they are in, such as `title 11`.
        floor: nothing before this place is looked at.
    """
    found: list[tuple[str, str]] = []
    while len(found) < _MAX_DEPTH:
        match = _BEFORE.search(source.folded, max(floor, position - _WINDOW), position)
        if match is None or not _is_number(source.original[match.start(2)], loose=False):
            break
        entry = _entry(match, source)
        if _has(found, entry[0]) or entry[0] == ABBREVIATIONS["title"]:
            break
        found.append(entry)
        position = match.start()
    return _outermost_first(found), position


def _has(found: Sequence[tuple[str, str]], word: str) -> bool:
    """Return True where a container of this kind was read: none holds another, `ch. 1, ch. 2` is a list."""
    return any(kind == word for kind, _ in found)


def _outermost_first(found: Sequence[tuple[str, str]]) -> Containers:
    """Return containers in order: a subchapter is in its chapter, wherever the comma puts it."""
    words = [word for word, _ in found]
    turned = any(f"sub{word}" in words[:place] for place, word in enumerate(words))
    return tuple(reversed(found)) if turned else tuple(found)


def _entry(match: re.Match[str], source: SourceText) -> tuple[str, str]:
    number = source.hyphenated(match.start(2), match.end(2))
    return _OF_WORD[match.group(1).rstrip(".")], number.replace(" through ", " to ")


def _is_number(first: str, *, loose: bool) -> bool:
    return loose or first.isdigit() or first.isupper()
