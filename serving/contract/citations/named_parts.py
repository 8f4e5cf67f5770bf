"""Parts of a section that are named in words before it: `paragraph (3) of subsection (a) of section 5`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from serving.contract.citations.cited_numbers import CitedNumber, CitedNumbers
from serving.contract.citations.pins import Pin, read_labels, read_pins
from serving.contract.citations.source import SourceText

_NAMES = (
    r"(?<![a-z])(?:(?:subsection|subdivision|paragraph|sub-?paragraph|clause|subclause|item|subpart)s?"
    r"|(?:subsec|subd|para|par|subpara|subpar|cl)s?\.)"
)
_LINK = r",? (?:of|under|in) (?:the )?"
_PART_OF = re.compile(
    rf"{_NAMES} (?P<label>(?: ?\([a-z0-9-]{{1,6}}\)){{1,6}}"
    rf"|(?:[a-z] )?\d{{1,2}}(?: [a-z])?|[a-z]){_LINK}$"
)
_BARE = re.compile(r"(?:[A-Z] )?\d{1,2}(?: [a-z])?|[A-Z]", re.ASCII)
"""Labels without parentheses, in their own case: `subsection A of`, `subdivision A 2 b of`."""
_PART_WINDOW = 80
_MAX_PARTS = 5
_PARTS = re.compile(rf"{_NAMES} (?=\()")
_OF = re.compile(_LINK)
_LIST_WINDOW = 120


class NamedParts(NamedTuple):
    """Numbers with the parts that are named before them, and where these begin.

    `labels` are those of one part; where several are listed, each has its own number among `numbers`.
    """

    numbers: CitedNumbers
    start: int
    labels: tuple[str, ...]


def parts_before(source: SourceText, position: int, floor: int) -> tuple[tuple[str, ...], int]:
    """Return the labels of `paragraph (3) of subsection (a) of` that ends at a position, and its start."""
    labels: tuple[str, ...] = ()
    for _ in range(_MAX_PARTS):
        match = _PART_OF.search(source.folded, max(floor, position - _PART_WINDOW), position)
        if match is None:
            break
        bare = _BARE.fullmatch(source.original, *match.span("label"))
        read = tuple(bare[0].split()) if bare else read_labels(source, match.start("label"))[0]
        if not read:
            break
        labels += read
        position = match.start()
    return labels, position


def with_parts_before(source: SourceText, numbers: CitedNumbers, position: int, floor: int) -> NamedParts:
    """Return numbers with the parts that are named before them, one or a list: `paragraphs (1) and (2) of`.

    Args:
        source: the text.
        numbers: the numbers.
        position: start of the citation that they belong to, or of their section mark.
        floor: nothing before this position is read.
    """
    labels, start = parts_before(source, position, floor)
    number = numbers.members[0]
    listed = _listed(source, start, floor)
    if len(numbers.members) > 1 or number.through is not None or not listed:
        return NamedParts(numbers, start, labels)
    begin, pins = listed
    outer = (number.pin.labels if number.pin else ()) + labels
    return NamedParts(replace(numbers, members=tuple(_each(number, outer, pins))), begin, ())


def _listed(source: SourceText, position: int, floor: int) -> tuple[int, Sequence[Pin]] | None:
    """Return the pin cites of `paragraphs (1) and (2) of` that ends at a position, and its start."""
    for words in _PARTS.finditer(source.folded, max(floor, position - _LIST_WINDOW), position):
        pins = read_pins(source, words.end())
        if pins and _OF.fullmatch(source.folded, pins[-1].end, position):
            return words.start(), pins
    return None


def _each(number: CitedNumber, outer: tuple[str, ...], pins: Sequence[Pin]) -> list[CitedNumber]:
    """Return a number once for each part in a list; the last ends where the number does."""
    found = [
        replace(
            number,
            start=pin.start,
            end=pin.end,
            pin=replace(pin, labels=outer + pin.labels, through=outer + pin.through if pin.through else ()),
        )
        for pin in pins
    ]
    return [*found[:-1], replace(found[-1], end=number.end)]
