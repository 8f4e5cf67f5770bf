"""What stands before a code's name: `section 29-801 of the`, `paragraph (3) of`, the act of an appendix."""

import re
from dataclasses import dataclass

from serving.contract.citations.labels import read_labels
from serving.contract.citations.numbered import Numbers
from serving.contract.citations.numbers import NumberReader
from serving.contract.citations.source import SourceText

_WINDOW = 200
_CONNECTIVE = re.compile(r" {0,2}(?:, ?| ?(?:of|in|under|to) |(?<= ))(?:the )?")
_PART_OF = re.compile(
    r"(?<![a-z])(?:subsection|subdivision|paragraph|subparagraph|clause|subclause|item)s? "
    r"((?: ?\([a-z0-9-]{1,6}\)){1,6}),? (?:of|under|in) (?:the )?$"
)
_PART_WINDOW = 80
_MAX_PARTS = 5
_ACT = re.compile(
    r"(?P<act>[A-Z][\w'’.&-]*(?: (?:[A-Z][\w'’.&-]*|of|the|and|on|for|to|in|or|by|with|a|an|\d{4})){0,20}),?"
    r" (?P<mark>§§?|[Ss]ecs?\.|[Ss]ections?) ?(?=\d)"
)
_SIGNALS = re.compile(r"(?:(?:See|Under|In|The|And|But|Cf\.|Of|By|E\.g\.|Also)(?: also)?,? )+")


_LONGEST_TITLE = 6
_TITLE_WORDS = ("title ", "tit. ", "titles ")
_JOINS = "-.:/"


@dataclass(frozen=True, slots=True)
class Before:
    """Numbers that precede the name of a code, where they begin, and labels before them in prose."""

    numbers: Numbers
    start: int
    labels: tuple[str, ...] = ()
    act: str | None = None


def title_before(
    source: SourceText, position: int, *, floor: int, title: re.Pattern[str]
) -> tuple[int, int] | None:
    """Return the span of the title number that ends before a place; None where there is none.

    Args:
        source: the text.
        position: where the name of the code begins.
        floor: nothing before this place is looked at.
        title: matches a whole title; one that allows hyphens is tried with them first.
    """
    end = position
    while end > floor and end > position - 3 and source.folded[end - 1] in " ,":
        end -= 1
    for joined in ("-", "") if "-" in title.pattern else ("",):
        begin = end
        while begin > max(floor, end - _LONGEST_TITLE) and (
            source.folded[begin - 1].isalnum() or source.folded[begin - 1] in joined
        ):
            begin -= 1
        if title.fullmatch(source.folded, begin, end) and _stands_alone(source, begin):
            return begin, end
    return None


def start_with_word(source: SourceText, begin: int, floor: int) -> int:
    """Return where `title` begins if it stands before the number at a place, else the place."""
    for word in _TITLE_WORDS:
        if begin - len(word) >= floor and source.folded.startswith(word, begin - len(word)):
            return begin - len(word)
    return begin


def _stands_alone(source: SourceText, begin: int) -> bool:
    """Return False where a title number is the end of something longer: `$42`, `3.42`, `x42`."""
    if begin == 0:
        return True
    before = source.folded[begin - 1]
    if before in _JOINS:
        return begin == 1 or not source.folded[begin - 2].isdigit()
    return not (before.isalnum() or before in "$#_")


def numbers_before(source: SourceText, position: int, *, floor: int, reader: NumberReader) -> Before | None:
    """Return the numbers of `sections 101 and 102 of the` that ends at a place.

    Args:
        source: the text.
        position: where the name or `title` begins.
        floor: nothing before this place is looked at.
        reader: of the scheme's numbers.
    """
    begun = reader.begin_before(source, max(floor, position - _WINDOW), position)
    if begun is None:
        return None
    # Statutes write lists in the singular too (`section 401, 403, or 408 of`): what ends at the name is one.
    for several in sorted({begun.several, True}):
        numbers = reader.read(source, begun.first, several=several, forward=False)
        if numbers is None:
            return None
        if _CONNECTIVE.fullmatch(source.folded, numbers.end, position):
            labels, start = parts_before(source, begun.start, floor)
            return Before(numbers, start, labels)
    return None


def act_before(source: SourceText, position: int, *, floor: int, reader: NumberReader) -> Before | None:
    """Return the act and section of `Inspector General Act of 1978 § 8A, ` that ends at a place."""
    begin = max(floor, position - _WINDOW)
    if "§" not in source.original[begin:position] and "sec" not in source.folded[begin:position]:
        return None
    for match in _ACT.finditer(source.original, begin, position):
        several = match.group("mark") == "§§" or match.group("mark").lower() in ("secs.", "sections")
        numbers = reader.read(source, match.end(), several=several, forward=True)
        if numbers and source.folded[numbers.end : position].strip() == ",":
            signals = _SIGNALS.match(match.group("act"))
            skipped = signals.end() if signals else 0
            return Before(numbers, match.start() + skipped, act=match.group("act")[skipped:])
    return None


def parts_before(source: SourceText, position: int, floor: int) -> tuple[tuple[str, ...], int]:
    """Return the labels of `paragraph (3) of subsection (a) of` that ends at a place, and where it begins."""
    labels: tuple[str, ...] = ()
    for _ in range(_MAX_PARTS):
        match = _PART_OF.search(source.folded, max(floor, position - _PART_WINDOW), position)
        if match is None:
            break
        labels += read_labels(source, match.start(1))[0]
        position = match.start()
    return labels, position
