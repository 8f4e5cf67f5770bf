"""Section numbers that were read, with their pin cites, and the notes and `et seq.` beside them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from serving.contract.citations.pins import Pin, read_pins
from serving.contract.citations.source import SourceText

_NOTE = re.compile(
    r",? {0,3}(?:\((?:note|nt\.)\)|(?:notes?|nt\.)(?![a-z])(?! (?:that|the|an?|how|this|these|what)\b))"
    r"|,? \(?(?:advisory|adv\.|rules?) (?:advisory )?(?:committee|comm\.)(?:'?s'?)? (?:notes?|n\.)(?![a-z])"
    r"(?:,? (?:to|on|of|for|accompanying)(?: the)? (?:\d{4}(?: (?:adoption|amendments?|rules?))?)"
    r"|,? \(?\d{4}(?: (?:adoption|amendments?))?(?=[),.;]|\Z))?\)?"
)
_ET_SEQ = re.compile(r",? {0,3}(?:et\.? ?se[qc](?:uitur|uentes|\.|\b)|ff\.|and following)")
NOTE_TO = r"notes? (?:to|under|following|foll\.|preceding|prec\.)"
"""Words between a note and the section that it is under."""

_OF_NOTE = re.compile(rf"(?<![a-z]){NOTE_TO} (?:the )?$")
_NOTE_LINK = re.compile(rf"(?:{NOTE_TO}|prec\.|foll\.) ?(?:§|sec|\d)")
_NOTE_WINDOW = 24

GLUED_NOTE = r"(?=notes?(?![a-z]))"
"""End of a number that `note` follows without a space: `3501note`."""


class _Tail(NamedTuple):
    """A note or `et seq.` behind a number: the position after it, and whether it is a note."""

    end: int
    note: bool


def _read_tail(source: SourceText, position: int) -> _Tail | None:
    """Return the note or `et seq.` at a position; None where there is neither."""
    note = _NOTE.match(source.folded, position)
    if note is not None:
        return _Tail(note.end(), note=True)
    et_seq = _ET_SEQ.match(source.folded, position)
    return None if et_seq is None else _Tail(et_seq.end(), note=False)


def note_before(source: SourceText, position: int, floor: int) -> int | None:
    """Return the start of `note to` that ends at a position; None where there is none after `floor`."""
    match = _OF_NOTE.search(source.folded, max(floor, position - _NOTE_WINDOW), position)
    return match.start() if match else None


def links_a_note(source: SourceText, start: int, end: int) -> bool:
    """Return True where the note stands between code and number: `28 U.S.C. note following § 1932`."""
    return _NOTE_LINK.search(source.folded, start, end) is not None


@dataclass(frozen=True, slots=True)
class CitedNumber:
    """One section number, or a range, in characters [start, end) of a text, with at most one pin cite.

    Attributes:
        num: as written, with hyphens for dashes.
        through: last number of a range; None where there is one number.
        pin: None where the whole section is cited.
        last_pin: pin cite of the last number of a range.
        note: a note under the section is cited.
        et_seq: the sections that follow are cited too.
    """

    start: int
    end: int
    num: str
    through: str | None = None
    pin: Pin | None = None
    last_pin: Pin | None = None
    note: bool = False
    et_seq: bool = False


@dataclass(frozen=True, slots=True)
class CitedNumbers:
    """Section numbers that are cited together; `several`: they are a list, not one number or range."""

    members: tuple[CitedNumber, ...]
    end: int
    several: bool


class WrittenNumber(NamedTuple):
    """A number as it is written: its span, and itself with hyphens for dashes and no blanks beside them."""

    start: int
    end: int
    num: str

    @classmethod
    def of(cls, source: SourceText, match: re.Match[str]) -> "WrittenNumber":
        """Return the number that a match in folded text is."""
        return cls(match.start(), match.end(), source.hyphenated(*match.span()))


def with_pins(source: SourceText, start: int, end: int, num: str, pins: Sequence[Pin]) -> list[CitedNumber]:
    """Return a number once for each of its pin cites, the last with the note or `et seq.` behind it."""
    found = [
        CitedNumber(start if index == 0 else pin.start, pin.end, num, pin=pin)
        for index, pin in enumerate(pins)
    ] or [CitedNumber(start, end, num)]
    return _with_tail(source, found)


def range_of(
    source: SourceText, first: WrittenNumber, last: WrittenNumber, pins: Sequence[Pin] = ()
) -> list[CitedNumber]:
    """Return a range; its first number has all pins but the last for itself, and so has its last number.

    Args:
        source: the text.
        first: first number of the range.
        last: its last number; the pins behind it are read here, and the note or `et seq.`.
        pins: pin cites of the first number.
    """
    before = [CitedNumber(pin.start, pin.end, first.num, pin=pin) for pin in pins[:-1]]
    start = pins[-1].start if before else first.start
    last_pins = read_pins(source, last.end)
    end = last_pins[0].end if last_pins else last.end
    pin, last_pin = (pins[-1] if pins else None), (last_pins[0] if last_pins else None)
    ranged = CitedNumber(start, end, first.num, last.num, pin, last_pin)
    after = [CitedNumber(pin.start, pin.end, last.num, pin=pin) for pin in last_pins[1:]]
    return _with_tail(source, [*before, ranged, *after])


def _with_tail(source: SourceText, found: list[CitedNumber]) -> list[CitedNumber]:
    """Return numbers, the last with the note or `et seq.` behind it."""
    tail = _read_tail(source, found[-1].end)
    if tail is not None:
        found[-1] = replace(found[-1], end=tail.end, note=tail.note, et_seq=not tail.note)
    return found
