"""Section numbers that were read, with their pin cites, and the notes and `et seq.` beside them."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from serving.contract.citations.pins import Pin
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


class Tail(NamedTuple):
    """A note or `et seq.` behind a number: the position after it, and whether it is a note."""

    end: int
    note: bool


def read_tail(source: SourceText, position: int) -> Tail | None:
    """Return the note or `et seq.` at a position; None where there is neither."""
    note = _NOTE.match(source.folded, position)
    if note is not None:
        return Tail(note.end(), note=True)
    et_seq = _ET_SEQ.match(source.folded, position)
    return None if et_seq is None else Tail(et_seq.end(), note=False)


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
