"""Pin cites: subsection labels such as `(a)(1)(A)`, their ranges and lists, and what stands around them."""

import re
from dataclasses import dataclass

from serving.contract.citations.ordinals import Ordinal, read_ordinals
from serving.contract.citations.source import SourceText

_MAX_LABELS = 12
_ROMAN = re.compile(r"[ivx]{2,}|[IVX]{2,}")
_ROMAN_LETTERS = re.compile(r"[ivxl]+|[IVXL]+")
_BODY = r"(?:\d{1,3}[a-z]{0,2}|([a-z])\1{0,3}|[ivxl]{1,7}|[a-z]{1,2}-(?:\d{1,2}|[ivx]{1,4}))"
_LABEL = re.compile(rf" ?\( ?({_BODY.replace(chr(92) + '1', chr(92) + '2')}) ?\)", re.ASCII)
_WORDS = re.compile(
    r",? (?:at )?(?:subdivisions?|subsections?|subsecs?\.|subds?\.|paragraphs?|paras?\.|pars?\.|clauses?)"
    r" ?(?=\()"
)
_OF = re.compile(r" (?:of|in) ")
_RANGE = re.compile(r" ?(?:-|to|through|thru) ?(?=\()")
_AND = re.compile(r"(?:, ?(?:and |or |& ?)?| (?:and|or|&) )(?:(?:sub)?(?:section|paragraph)s? )?(?=\()")


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin cite: its labels, the last ones if it is a range, and where it ends."""

    labels: tuple[str, ...]
    through: tuple[str, ...]
    start: int
    end: int


def is_label(text: str) -> bool:
    """Return True for what may stand in parentheses as a label: `a`, `12`, `iii`."""
    return _LABEL.fullmatch(f"({text.lower()})") is not None


def read_labels(source: SourceText, position: int) -> tuple[tuple[str, ...], int]:
    """Return the labels that begin at a place, glued or one space apart, and the place after them."""
    labels: list[str] = []
    while len(labels) < _MAX_LABELS:
        match = _LABEL.match(source.folded, position)
        # What begins a line is a part of the text, not of a citation that ends the line before.
        if match is None or source.breaks_line(position, match.start(1)):
            break
        labels.append(source.hyphenated(match.start(1), match.end(1)))
        position = match.end()
    return tuple(labels), position


def read_pins(source: SourceText, position: int) -> list[Pin]:
    """Return the pin cites after a number: three for `(a)(1)-(3), (b) and (c)`; empty where there is none."""
    ordinals = read_ordinals(source, position)
    if ordinals:
        return [_of_ordinal(source, ordinal) for ordinal in ordinals]
    words = _WORDS.match(source.folded, position)
    begin = words.end() if words else position
    pins: list[Pin] = []
    previous: tuple[str, ...] = ()
    while len(pins) < _MAX_LABELS:
        labels, end = read_labels(source, begin)
        if not labels:
            break
        if pins:
            labels = _beside(previous, labels)
            if not labels:
                break
        through: tuple[str, ...] = ()
        ranged = _RANGE.match(source.folded, end)
        # A dash that ends a line opens a list of paragraphs: `section 3306(b)(1)—`, below it `(1) ...`.
        if ranged and not source.breaks_line(end, ranged.end()):
            last, after = read_labels(source, ranged.end())
            through = _beside(labels, last)
            if through:
                end = after
        pins.append(Pin(labels, through, begin, end))
        previous = labels
        following = _AND.match(source.folded, end)
        if following is None or source.breaks_line(end, following.end()):
            break
        begin = following.end()
    # `§ 107, subsection (a) of this section`: the words begin something else.
    return [] if words and pins and _OF.match(source.folded, pins[-1].end) else pins


def _of_ordinal(source: SourceText, ordinal: Ordinal) -> Pin:
    labels, end = read_labels(source, ordinal.end)
    return Pin((ordinal.word, *labels), (), ordinal.start, end)


def _beside(before: tuple[str, ...], labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return labels in full that stand beside others: `(3)` after `(a)(1)` is `(a)(3)`; empty: unlike."""
    if not labels:
        return ()
    kind = _kind(labels[0])
    roman = _ROMAN.fullmatch(labels[0]) is not None
    for depth in range(len(before) - 1, -1, -1):
        # `section 403(b) or (ii) the amount`: (ii) follows (i), not (b).
        if roman and _ROMAN_LETTERS.fullmatch(before[depth]) is None:
            continue
        if _kind(before[depth]) == kind:
            return before[:depth] + labels
    return ()


def _kind(label: str) -> str:
    if label[0].isdigit():
        return "1"
    return "A" if label[0].isupper() else "a"
