"""What stands behind a number and is no part of it: `note`, `advisory committee's note`, `et seq.`."""

import re
from typing import NamedTuple

from serving.contract.citations.source import SourceText

_NOTE = re.compile(
    r",? {0,3}(?:\((?:note|nt\.)\)|(?:notes?|nt\.)(?![a-z])(?! (?:that|the|an?|how|this|these|what)\b))"
    r"|,? \(?(?:advisory|adv\.|rules?) (?:advisory )?(?:committee|comm\.)(?:'?s'?)? (?:notes?|n\.)(?![a-z])"
    r"(?:,? (?:to|on|of|for|accompanying)(?: the)? (?:\d{4}(?: (?:adoption|amendments?|rules?))?)"
    r"|,? \(?\d{4}(?: (?:adoption|amendments?))?(?=[),.;]|\Z))?\)?"
)
_ET_SEQ = re.compile(r",? {0,3}(?:et\.? ?se[qc](?:uitur|uentes|\.|\b)|ff\.|and following)")
NOTE_TO = r"notes? (?:to|under|following|foll\.|preceding|prec\.)"
"""Words between a note and what it is under."""

_OF_NOTE = re.compile(rf"(?<![a-z]){NOTE_TO} (?:the )?$")
_NOTE_LINK = re.compile(rf"(?:{NOTE_TO}|prec\.|foll\.) ?(?:§|sec|\d)")
_WINDOW = 24

GLUED_NOTE = r"(?=notes?(?![a-z]))"
"""Where a number ends that `note` is glued to: `3501note`."""


class Tail(NamedTuple):
    """What stands behind a number, and where it ends."""

    end: int
    note: bool


def read_tail(source: SourceText, position: int) -> Tail | None:
    """Return the note or `et seq.` at a place; None where there is neither."""
    note = _NOTE.match(source.folded, position)
    if note is not None:
        return Tail(note.end(), note=True)
    et_seq = _ET_SEQ.match(source.folded, position)
    return None if et_seq is None else Tail(et_seq.end(), note=False)


def note_before(source: SourceText, position: int, floor: int) -> int | None:
    """Return where `note to` begins if it ends at a place; nothing before `floor` is looked at."""
    match = _OF_NOTE.search(source.folded, max(floor, position - _WINDOW), position)
    return match.start() if match else None


def links_a_note(source: SourceText, start: int, end: int) -> bool:
    """Return True for a citation with the note between code and number: `28 U.S.C. note following § 1932`."""
    return _NOTE_LINK.search(source.folded, start, end) is not None
