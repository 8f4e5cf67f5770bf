"""Containers of a code, cited by their words: `chapter 10 of title 35`, `chs. 121 and 143`."""

import re
from collections.abc import Sequence
from string import ascii_lowercase
from typing import NamedTuple

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
"""Abbreviations of containers in citations, by their words."""

ATTACHED = {
    "appendix": "app.",
    "supplement": "supp.",
    "exhibit": "ex.",
    "table": "tbl.",
    "schedule": "sched.",
    "attachment": "attach.",
    "figure": "fig.",
    "annex": "annex",
    "addendum": "add.",
}
"""Abbreviations of what is attached to a container and cited behind it: `2 C.F.R. pt. 200, app. II`."""

_MAX_DEPTH = 10
_UNIT = "|".join(
    sorted(
        (rf"{word}|{short.rstrip('.')}\.?" for word, short in ABBREVIATIONS.items()), key=len, reverse=True
    )
)
_REPEATED = "|".join(f"{letter}{{3,7}}[a-z]?" for letter in ascii_lowercase)
"""Letters of subparts behind `ZZ`: `AAA`, `OOOOa`, `DDDDDDD`."""
_ONE_UNIT_NUMBER = (
    rf"(?:\d{{1,5}}[a-z]{{0,3}}(?:\.\d{{1,5}}[a-z]?){{0,3}}|[ivxlcdm]{{1,8}}[a-z]?|{_REPEATED}|[a-z]{{1,2}})"
    r"(?:-[0-9a-z]{1,4}){0,2}"
)
_UNIT_NUMBER = rf"{_ONE_UNIT_NUMBER}(?: (?:to|through) {_ONE_UNIT_NUMBER})?(?![0-9a-z])"
_NUMBER_ALONE = re.compile(_UNIT_NUMBER, re.ASCII)
_CONTAINER_AFTER = re.compile(rf"[, ]{{1,3}}({_UNIT})(?:(?<=\.)|(?![a-z])) {{0,2}}({_UNIT_NUMBER})", re.ASCII)
_ATTACHED_WORD = "|".join(rf"{word}|{short.rstrip('.')}\.?" for word, short in ATTACHED.items())
_ATTACHED_AFTER = re.compile(
    rf"[, ]{{1,3}}({_ATTACHED_WORD})(?:(?<=\.)|(?![a-z]))(?: {{0,2}}(?:no\.? ?)?({_UNIT_NUMBER}))?", re.ASCII
)
_CONTAINER_BEFORE = re.compile(rf"(?<![a-z])({_UNIT}) ?({_UNIT_NUMBER})(?:, ?| of (?:the )?| in )$", re.ASCII)
_WITHIN = re.compile(
    rf"(?<![a-z])({_UNIT}|{_ATTACHED_WORD})(?:(?<=\.)|(?![a-z]))(?: ?(?:no\.? ?)?({_UNIT_NUMBER}))?"
    r" (?:of|to|in) (?:the )?$",
    re.ASCII,
)
"""Finds a part that is named before its container: `appendix II to` before `2 CFR part 200`."""
_ELSEWHERE = re.compile(rf" of (?:the |this |that |such )?(?:title|{_UNIT})(?![a-z])", re.ASCII)
"""Shows that a container belongs to the title after it: `ch. 71, chapter 67 of title 41`."""
_CONTAINER_WINDOW = 70
_ABBREVIATED = {
    word: short
    for long, short in (*ABBREVIATIONS.items(), *ATTACHED.items())
    for word in (long, short.rstrip("."))
}

Containers = tuple[tuple[str, str], ...]

_PLURAL = "|".join(
    sorted(
        (rf"{word}s|{short.rstrip('.')}s\.?" for word, short in ABBREVIATIONS.items()), key=len, reverse=True
    )
)
_MEMBERS = rf"{_UNIT_NUMBER}(?:(?:, ?(?:and |or |& ?)?| (?:and|or|&) ){_UNIT_NUMBER}){{0,20}}"
_LIST_AFTER = re.compile(rf"[, ]{{1,3}}(?P<unit>{_PLURAL}) ?(?P<numbers>{_MEMBERS})", re.ASCII)
_LIST_BEFORE = re.compile(
    rf"(?<![a-z])(?P<unit>{_PLURAL}) ?(?P<numbers>{_MEMBERS})(?:, ?| of (?:the )?| in )$", re.ASCII
)
_MEMBER = re.compile(rf"(?<![0-9a-z-]){_UNIT_NUMBER}", re.ASCII)
_JOINS = ("and", "or")
UNIT_AHEAD = re.compile(
    rf"[, ]{{0,3}}(?:{_PLURAL}|(?:{_UNIT})(?= ?[0-9a-z]))(?![a-z])(?! ?[0-9a-z-]{{1,8}} of )", re.ASCII
)
"""A container, of which it is not said that its number can be read."""


def containers_after(
    source: SourceText, position: int, *, loose: bool, outer: Containers = ()
) -> tuple[Containers, int]:
    """Return the containers that begin at a position, outermost first, and the position after them.

    Args:
        source: the text.
        position: after the name of the code.
        loose: letters and Roman numbers may be in lower case, as in typed citations.
        outer: what was read before them, in which they stand.
    """
    found: list[tuple[str, str]] = []
    while len(found) < _MAX_DEPTH:
        match = _CONTAINER_AFTER.match(source.folded, position)
        if match is None or not _is_number(source.original[match.start(2)], loose=loose):
            break
        entry = _entry(match, source)
        if _has((*outer, *found), entry[0]) or _ELSEWHERE.match(source.folded, match.end()):
            break
        found.append(entry)
        position = match.end()
    inside = _outermost_first(found)
    attached = _ATTACHED_AFTER.match(source.folded, position) if inside or outer else None
    if attached is None or not (attached[2] or loose):
        return inside, position
    if attached[2] and not _is_number(source.original[attached.start(2)], loose=loose):
        return inside, position
    return (*inside, _entry(attached, source)), attached.end()


def containers_around(
    source: SourceText, start: int, end: int, floor: int, *, part: re.Pattern[str] | None, loose: bool
) -> tuple[Containers, int, int]:
    """Return the containers of a code around its name, outermost first, with the positions that they span.

    Args:
        source: the text.
        start: of the name and its title.
        end: after the name.
        floor: nothing before this position is read.
        part: finds a part that is cited without a word, as in `2 CFR 200`.
        loose: see `containers_after`.
    """
    bare = part.match(source.folded, end) if part else None
    outer = ((ABBREVIATIONS["part"], source.hyphenated(*bare.span(1))),) if bare else ()
    inner, end = containers_after(source, bare.end() if bare else end, loose=loose, outer=outer)
    inside = (*outer, *inner)
    if not inside:
        return inside, start, end
    within, start = _containers_within(source, start, floor, inside, loose=loose)
    return (*inside, *within), start, end


def _containers_within(
    source: SourceText, position: int, floor: int, outer: Containers, *, loose: bool
) -> tuple[Containers, int]:
    """Return what is said to stand in containers and ends at a position, and the position where it begins.

    Args:
        source: the text.
        position: start of `2 CFR part 910` in `appendix A to subpart D of 2 CFR part 910`.
        floor: nothing before this position is read.
        outer: the containers.
        loose: see `containers_after`; in running text, what has no number is not read.
    """
    found: list[tuple[str, str]] = []
    while len(found) < _MAX_DEPTH:
        match = _WITHIN.search(source.folded, max(floor, position - _CONTAINER_WINDOW), position)
        if match is None or not (match[2] or loose):
            break
        if match[2] and not _is_number(source.original[match.start(2)], loose=loose):
            break
        entry = _entry(match, source)
        if _has((*outer, *found), entry[0]):
            break
        found.append(entry)
        position = match.start()
    return tuple(found), position


def is_container_number(text: str) -> bool:
    """Return True for what is read as the number of a container: `IV`, `23 to 49`, `OOOOa`."""
    return _NUMBER_ALONE.fullmatch(text.lower()) is not None


def containers_before(source: SourceText, position: int, floor: int) -> tuple[Containers, int]:
    """Return the containers that end at a position, outermost first, and the position where they begin.

    Args:
        source: the text.
        position: start of `title 11` in `chapter 7 of title 11`.
        floor: nothing before this position is read.
    """
    found: list[tuple[str, str]] = []
    while len(found) < _MAX_DEPTH:
        match = _CONTAINER_BEFORE.search(source.folded, max(floor, position - _CONTAINER_WINDOW), position)
        if match is None or not _is_number(source.original[match.start(2)], loose=False):
            break
        entry = _entry(match, source)
        if _has(found, entry[0]) or entry[0] == ABBREVIATIONS["title"]:
            break
        found.append(entry)
        position = match.start()
    return _outermost_first(found), position


def _has(found: Sequence[tuple[str, str]], word: str) -> bool:
    """Return True where a container of this kind was read already: `ch. 1, ch. 2` is a list."""
    return any(kind == word for kind, _ in found)


def _outermost_first(found: Sequence[tuple[str, str]]) -> Containers:
    """Return containers outermost first: a subchapter lies in its chapter, whichever is written first."""
    words = [word for word, _ in found]
    turned = any(f"sub{word}" in words[:place] for place, word in enumerate(words))
    return tuple(reversed(found)) if turned else tuple(found)


def _entry(match: re.Match[str], source: SourceText) -> tuple[str, str]:
    number = source.hyphenated(match.start(2), match.end(2)) if match[2] else ""
    return _ABBREVIATED[match.group(1).rstrip(".")], number.replace(" through ", " to ")


def _is_number(first: str, *, loose: bool) -> bool:
    return loose or first.isdigit() or first.isupper()


class ListedContainer(NamedTuple):
    """One container of a list, over [start, end) of the text."""

    inside: Containers
    start: int
    end: int


def container_list_after(source: SourceText, position: int) -> list[ListedContainer]:
    """Return the containers of `chapters 121 and 143` at a position; empty where there is no such list."""
    match = _LIST_AFTER.match(source.folded, position)
    if match is None or _ELSEWHERE.match(source.folded, match.end()):
        return []
    return _listed(match, source)


def container_list_before(source: SourceText, position: int, floor: int) -> list[ListedContainer]:
    """Return the containers of a list that ends at a position; empty where there is none after `floor`."""
    match = _LIST_BEFORE.search(source.folded, max(floor, position - _CONTAINER_WINDOW), position)
    return _listed(match, source) if match else []


def _listed(match: re.Match[str], source: SourceText) -> list[ListedContainer]:
    word = _ABBREVIATED[match.group("unit").rstrip(".").removesuffix("s")]
    numbers = [
        number
        for number in _MEMBER.finditer(source.folded, *match.span("numbers"))
        if number.group() not in _JOINS
    ]
    if not all(_is_number(source.original[number.start()], loose=False) for number in numbers):
        return []
    starts = [match.start("unit"), *(number.start() for number in numbers[1:])]
    return [
        ListedContainer(
            ((word, source.hyphenated(*number.span()).replace(" through ", " to ")),), start, number.end()
        )
        for start, number in zip(starts, numbers, strict=True)
    ]
