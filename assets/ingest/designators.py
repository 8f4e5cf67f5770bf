"""Find what may be a designator in plain text, `(a)` or `A.`, and every way to read it: style and number.

Which of them are labels, and at what level, is the concern of `outline_from_text`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple


class Reading(NamedTuple):
    """One way to read a designator: the `number`th of its style, `suffix` behind it (`A` of `(1A)`).

    `last` is the number of the last one where the designator stands for several: `(b) to (d)`.
    """

    style: str
    number: int
    suffix: str
    last: int


@dataclass(frozen=True, slots=True)
class Designator:
    """A place in a text that may begin a labelled part.

    Attributes:
        label: as a path has it, such as `(a)` or `A.`.
        start: first character of the part; an opening bracket may precede the label.
        readings: at least one.
        glued: it follows another designator at once, `(1)` of `(a)(1)`.
        run_in: it follows a short heading on the line of another designator: `(1)` of `(a) Fees. (1) A fee`.
        introduced: what precedes it ends in a dash or colon, as what introduces a list does.
        apart: lines without a designator stand between the one before and this one, not counting the line
            that a heading is of.
    """

    label: str
    start: int
    readings: tuple[Reading, ...]
    glued: bool = False
    run_in: bool = False
    introduced: bool = False
    apart: bool = False


_PAREN = r"\((?:[a-zA-Z]{1,5}|\d{1,3})(?:[.–-]?[0-9A-Za-z]{1,3}){0,2}\)"
_DOT = r"(?:[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6}|\d{1,3})\."
_ONE = {"(": re.compile(_PAREN), ".": re.compile(_DOT + r"(?=\s|$)")}
_SEVERAL = re.compile(
    rf"({_PAREN})((?>\s?(?:,\s?(?:and\s)?|to|and|through|[–—-])\s?{_PAREN})++)"
    r"(?=\s?\.?\s?(?:$|\n|\[?(?:Repealed|Reserved|Omitted|Redesignated|Transferred|Deleted|Expired)))",
    re.IGNORECASE,
)
"""Atomic and possessive: a list that leads to no such word must not be split in every other way as well."""
_LAST_OF_SEVERAL = re.compile(rf".*({_PAREN})$", re.DOTALL)
_HEADING = re.compile(
    r"(?:[^\n|—]{1,200}?(?:—| - )|(?:[^.\n|—]|\.(?=\d)|(?<=\b[A-Z])\.){1,160}?[.:] )"
    r"(?=\((?:1|aa?|AA?|i|I)\)|(?:1|a|A|i|I)\.\s)"
)
"""The point of a figure (`$50.00`) and of an initial (`U.S.`) ends no heading."""
_ROMAN = re.compile(r"(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_CAPTION_CHARACTERS = 160
_ENDS_OF_SENTENCES = (".", ";", ",", ":", "—", "–", "]", ")", " and", " or", "”", '"')
_INTRODUCES = ("—", ":", "–", "-")


def designators(text: str, styles: tuple[str, ...]) -> Iterator[Designator]:
    """Yield what may be labels of these styles, in order: at the heads of lines, and run in behind them.

    Lines that begin with a quotation mark are quoted matter, and rows of tables no parts: neither is read.
    """
    shapes = [_ONE[shape] for shape in "(." if any(shape in style for style in styles)]
    start = 0
    before = ""
    plain = 0
    for line in text.split("\n"):
        found = False
        if " | " not in line:
            introduced = before.endswith(_INTRODUCES)
            for one in _of_line(line, start, shapes, styles, introduced=introduced, apart=plain > 0):
                found = True
                yield one
        if found:
            plain = -1 if _is_caption(line) else 0
        else:
            plain += 1
        before = line or before
        start += len(line) + 1


def _is_caption(line: str) -> bool:
    """Return whether a line reads as a heading, so that the line after it is what the heading is of."""
    return len(line) <= _CAPTION_CHARACTERS and not line.endswith(_ENDS_OF_SENTENCES)


def _of_line(
    line: str,
    offset: int,
    shapes: list[re.Pattern[str]],
    styles: tuple[str, ...],
    *,
    introduced: bool,
    apart: bool,
) -> Iterator[Designator]:
    place = 1 if line.startswith("[") else 0
    start = 0
    glued = run_in = False
    while True:
        several = None if glued or run_in else _SEVERAL.match(line, place)
        match = several or next((m for shape in shapes if (m := shape.match(line, place))), None)
        if match is None:
            return
        readings = _readings_of_several(several, styles) if several else readings_of(match.group(), styles)
        if not readings:
            return
        label = "".join(match.group().split())
        yield Designator(
            label, offset + start, readings, glued, run_in, introduced, apart and not (glued or run_in)
        )
        place = match.end()
        spaces = 1 if line.startswith(" ", place) else 0
        glued = next((True for shape in shapes if shape.match(line, place + spaces)), False)
        run_in = False
        introduced = False
        if not glued:
            heading = _HEADING.match(line, place + spaces)
            if heading is None or not line[place + spaces].isupper():
                return
            place, spaces, run_in = heading.end(), 0, True
        start = place = place + spaces


def _readings_of_several(match: re.Match[str], styles: tuple[str, ...]) -> tuple[Reading, ...]:
    last = _LAST_OF_SEVERAL.match(match.group(2))
    ends = {r.style: r.number for r in readings_of(last.group(1), styles)} if last else {}
    return tuple(
        reading._replace(last=ends[reading.style])
        for reading in readings_of(match.group(1), styles)
        if ends.get(reading.style, 0) >= reading.number
    )


@lru_cache(maxsize=16_384)
def readings_of(label: str, styles: tuple[str, ...]) -> tuple[Reading, ...]:
    """Return every reading of a label among `styles`: `(i)` is the first of `(i)` and the ninth of `(a)`."""
    form = "({})" if label[0] == "(" else "{}."
    body = label[1:-1] if label[0] == "(" else label[:-1]
    readings = [
        Reading(style, number, suffix, number)
        for kind, number, suffix in _parses(body)
        if (style := form.format(kind)) in styles
    ]
    return tuple(dict.fromkeys(readings))


def _parses(body: str) -> Iterator[tuple[str, int, str]]:
    whole = _kinds(body)
    yield from ((kind, number, "") for kind, number in whole)
    if whole:
        return
    for cut in range(len(body) - 1, 0, -1):
        head, tail = body[:cut], body[cut:]
        if (
            tail[0] in ".–-"
            or head[-1].isdigit() != tail[0].isdigit()
            or head[-1].isupper() != tail[0].isupper()
        ):
            kinds = _kinds(head)
            if kinds:
                yield from ((kind, number, tail) for kind, number in kinds)
                if tail[0] in ".–-" or head.isdigit():
                    continue
                return


def _kinds(body: str) -> list[tuple[str, int]]:
    if body.isdigit():
        return [("1", int(body))] if body.isascii() and body[0] != "0" else []
    if not body.isascii() or not body.isalpha() or not (body.islower() or body.isupper()):
        return []
    low = body.lower()
    kinds = [("a", _letters(low)), ("aa", ord(low[0]) - 96 if len(low) == 2 and low[0] == low[1] else 0)]
    kinds.append(("i", _roman(low)))
    return [(kind.upper() if body.isupper() else kind, number) for kind, number in kinds if number]


def _letters(body: str) -> int:
    """Return 1 to 26 for one letter; `aa`, `bb` and `aaa` go on from `z`; 0 for any other run."""
    return ord(body[0]) - 96 + 26 * (len(body) - 1) if body == body[0] * len(body) else 0


def _roman(body: str) -> int:
    if not _ROMAN.fullmatch(body):
        return 0
    values = [_ROMAN_VALUES[letter] for letter in body]
    return sum(
        -value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True)
    )
