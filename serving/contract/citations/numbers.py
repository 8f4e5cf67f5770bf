"""Section numbers next to a code's name: one, a list or a range, with their pin cites and notes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from serving.contract.citations.lists import (
    JOIN,
    alike,
    begins_a_name,
    continues_list,
    follows,
    is_of_a_title,
    is_of_another,
    is_quantity,
    is_range,
    is_year,
    needs_proof,
    split_range,
)
from serving.contract.citations.pins import BARE_PIN, Pin, read_pins
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

MARK = re.compile(
    r"(?P<many>(?:â?§ ?){2,3}|ss\.|ss(?= ?\d)"
    r"|(?:sections|sects\.|secs\.?|rules|rr\.|arts\.|articles)(?= ?[\da-z]))"
    r"|â?§|&sect;|s\.|(?:section|sect\.?|sec\.?|s|rule|r\.|art\.?|article)(?= ?\d)",
    re.ASCII,
)
"""Section mark before a number; group `many` is set where it announces several numbers."""

_MARK_WORDS = ("section", "§", "rule", "sec.", "sect.", "article", "art.")
_MAX_NUMBERS = 500
_SAME = r"(?![0-9a-z])(?![-:/]\d)"
_NO_DECIMALS = r"(?!\.\d)"
_TO = re.compile(r" ?- ?| {1,3}(?:to|through|thru) {1,3}")
_REPEATED_MARK = re.compile(r"(?:§ ?§?|ss?\.|sections?|secs?\.?|rules?) ?")
_SPACES = re.compile(r" {0,4}")
_NOT_SECTIONS = re.compile(r" comp(?:\.|ilation)")
"""Continuation that shows a volume and not a section: `3 CFR, 1954-1958 Comp.`."""
_REST = re.compile(r"-\d[0-9a-z]{0,5}(?:[.:]\d{1,4}[a-z]?){0,2}(?![0-9a-z])", re.ASCII)
_RUN = re.compile(r"[0-9a-z.:/-]{1,60}")
_HYPHENS = re.compile(r"-(?=[0-9])")


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
        note: a note under the section is cited.
        et_seq: the sections that follow are cited too.
    """

    start: int
    end: int
    num: str
    through: str | None = None
    pin: Pin | None = None
    note: bool = False
    et_seq: bool = False


@dataclass(frozen=True, slots=True)
class CitedNumbers:
    """Section numbers that are cited together; `several`: they are a list, not one number or range."""

    members: tuple[CitedNumber, ...]
    end: int
    several: bool


def range_of(
    source: SourceText, start: int, end: int, first: str, last: str, pin: Pin | None = None
) -> CitedNumber:
    """Return a range with the note or `et seq.` behind it; pin cites of its last number are skipped."""
    pins = read_pins(source, end)
    tail = read_tail(source, pins[-1].end if pins else end)
    if tail is None:
        return CitedNumber(start, pins[-1].end if pins else end, first, last, pin)
    return CitedNumber(start, tail.end, first, last, pin, note=tail.note, et_seq=not tail.note)


def with_pins(source: SourceText, start: int, end: int, num: str, pins: Sequence[Pin]) -> list[CitedNumber]:
    """Return a number once for each of its pin cites, the last with the note or `et seq.` behind it."""
    found = [
        CitedNumber(start if index == 0 else pin.start, pin.end, num, pin=pin)
        for index, pin in enumerate(pins)
    ] or [CitedNumber(start, end, num)]
    tail = read_tail(source, found[-1].end)
    if tail is not None:
        found[-1] = replace(found[-1], end=tail.end, note=tail.note, et_seq=not tail.note)
    return found


class NumberStart(NamedTuple):
    """Start of the section mark, and of the first number after it; `several`: the mark announces a list."""

    start: int
    first: int
    several: bool


class NumberReader:
    """Reads the numbers of one scheme."""

    def __init__(
        self,
        pattern: str,
        *,
        stop: re.Pattern[str],
        years_need_mark: bool,
        rising: bool = False,
        worded: bool = False,
        container: str | None = None,
        bare_pins: bool = False,
    ) -> None:
        """Compile the pattern of the numbers.

        Args:
            pattern: regular expression of a number, in lower case, without groups.
            stop: matches the name of a code; a number before it is the title of another citation.
            years_need_mark: `2024` is a section only after a section mark.
            rising: `51-60` is a range and never one number.
            worded: numbers begin with words and have no mark, as `article III, section 2`.
            container: regular expression of the numbers of containers that are cited as sections are.
            bare_pins: labels may follow a number without parentheses.
        """
        pinned = rf"|(?:{pattern}){BARE_PIN}" if bare_pins else ""
        section, pattern = pattern, f"{pattern}|{container}" if container else pattern
        whole = _SAME + (_NO_DECIMALS if "." in pattern else "")
        self._number = re.compile(rf"(?:{section}){GLUED_NOTE}|(?:{pattern}){whole}{pinned}", re.ASCII)
        self._before_range = re.compile(rf"(?:{pattern})(?=-\d)", re.ASCII)
        self._whole = re.compile(rf"(?:{pattern})\Z", re.ASCII)
        self._worded = re.compile(rf"(?<![a-z])(?:{pattern})", re.ASCII) if worded else None
        self._stop = stop
        self._years_need_mark = years_need_mark
        self._rising = rising
        self._bare_pins = bare_pins

    def read_after_mark(self, source: SourceText, position: int) -> CitedNumbers | None:
        """Return the numbers at a position, with or without a section mark; None where there are none."""
        mark = MARK.match(source.folded, position)
        begin = _SPACES.match(source.folded, mark.end() if mark else position).end()  # type: ignore[union-attr]  # also where there are none
        several = mark is not None and mark.group("many") is not None
        numbers = self.read(source, begin, several=several, forward=True)
        if numbers is None and mark is not None:  # what looks like a mark may be of the number: `art. 1`
            mark, numbers = None, self.read(source, position, several=False, forward=True)
        if numbers is None or _NOT_SECTIONS.match(source.folded, numbers.end):
            return None
        if mark is None:
            first = numbers.members[0]
            return None if self._years_need_mark and first.pin is None and is_year(first.num) else numbers
        is_word = "§" not in mark.group()
        other = is_of_another(source, numbers.end) if is_word else is_of_a_title(source, numbers.end)
        return None if other else numbers

    def read(self, source: SourceText, position: int, *, several: bool, forward: bool) -> CitedNumbers | None:
        """Return the numbers that begin exactly at a position; None where there are none.

        Args:
            source: the text.
            position: start of the first number.
            several: the mark before it announces a list.
            forward: the code is named before the numbers; a number with a code after it is not of the list.
        """
        members = self._one(source, position, several=several)
        if members is None:
            return None
        count = 1
        while count < _MAX_NUMBERS:
            join = JOIN.match(source.folded, members[-1].end)
            if join is None or not (several or forward or not needs_proof(join)):
                break
            more = self._one(source, join.end(), several=several) or (
                self._elided(source, join.end(), members[-1].num) if several else None
            )
            if more is None or not self._is_listed(source, more[-1].end, forward=forward):
                break
            announced = several and join.group("mark") is None
            if not (announced or _is_signed(source, join, more, forward=forward)) and not (
                forward and _is_proven(source, members, more, join)
            ):
                break
            members.extend(more)
            count += 1
        return CitedNumbers(tuple(members), members[-1].end, count > 1)

    def start_before(self, source: SourceText, floor: int, position: int) -> NumberStart | None:
        """Return the start of numbers that may end at a position; nothing before `floor` is read."""
        if self._worded is not None:
            words = [match.start() for match in self._worded.finditer(source.folded, floor, position)]
            return NumberStart(words[-1], words[-1], several=False) if words else None
        start = _last_mark(source, floor, position)
        mark = MARK.match(source.folded, start) if start is not None else None
        if start is None or mark is None:
            return None
        begin = _SPACES.match(source.folded, mark.end()).end()  # type: ignore[union-attr]  # also where there are none
        return NumberStart(start, begin, several=mark.group("many") is not None)

    def _is_listed(self, source: SourceText, end: int, *, forward: bool) -> bool:
        """Return False for a number that counts or names something, or is the title of the next citation."""
        if self._stop.match(source.folded, end):
            return not forward
        return not (is_quantity(source, end) or begins_a_name(source, end))

    def _one(self, source: SourceText, position: int, *, several: bool) -> list[CitedNumber] | None:
        """Return one number or range; a number with several pin cites once for each of them."""
        match = self._number.match(source.folded, position)
        if match is None:
            glued = self._glued_range(source, position)
            if glued is not None or not several:
                return glued
            # The end of the range is not written in full: better its first section than none.
            match = self._before_range.match(source.folded, position)
        if match is None:
            return None
        start, end = match.span()
        num = source.hyphenated(start, end)
        ends = split_range(num, several=several, rising=self._rising)
        if ends is not None and all(self._whole.match(number.lower()) for number in ends):
            return [range_of(source, start, end, *ends)]
        pins = read_pins(source, end, bare=self._bare_pins)
        last = self._through(source, pins[-1].end if pins else end, match.group())
        if last is not None:
            through = source.hyphenated(last.start(), last.end())
            return [range_of(source, start, last.end(), num, through, pins[0] if pins else None)]
        return with_pins(source, start, end, num, pins)

    def _elided(self, source: SourceText, position: int, before: str) -> list[CitedNumber] | None:
        """Return a number whose beginning is left out: 22-2104 for `-2104` after 22-2101."""
        rest = _REST.match(source.folded, position)
        head, hyphen, _ = before.rpartition("-")
        if rest is None or not hyphen:
            return None
        num = head + source.hyphenated(position, rest.end())
        if self._whole.match(num.lower()) is None:
            return None
        return with_pins(source, position, rest.end(), num, read_pins(source, rest.end()))

    def is_number(self, number: str) -> bool:
        """Return True for a whole section number, in lower case with hyphens."""
        return self._whole.match(number) is not None

    def _through(self, source: SourceText, end: int, first: str) -> re.Match[str] | None:
        """Return the last number of a range such as `1981 to 1988`; None where no range goes on at `end`."""
        to = _TO.match(source.folded, end)
        if to is None:
            return None
        mark = _REPEATED_MARK.match(source.folded, to.end())
        last = self._number.match(source.folded, mark.end() if mark else to.end())
        if last is None or not follows(first, last.group()):
            return None
        return None if to.group() == "-" and not alike(first, last.group()) else last

    def _glued_range(self, source: SourceText, position: int) -> list[CitedNumber] | None:
        """Return the range `29-801.01-29-801.05`: a hyphen joins two numbers of the same form."""
        run = _RUN.match(source.folded, position)
        if run is None:
            return None
        for hyphen in _HYPHENS.finditer(source.folded, position, run.end()):
            first = source.folded[position : hyphen.start()]
            last = self._number.match(source.folded, hyphen.end())
            if last and self._whole.match(first) and is_range(first, last.group()):
                ends = source.hyphenated(position, hyphen.start()), source.hyphenated(*last.span())
                return [range_of(source, position, last.end(), *ends)]
        return None


def _last_mark(source: SourceText, begin: int, end: int) -> int | None:
    folded = source.folded
    start = max(folded.rfind(word, begin, end) for word in _MARK_WORDS)
    if start < 0 or (start > 0 and folded[start] != "§" and folded[start - 1].isalpha()):
        return None
    if folded[start] == "§":
        while start > begin and (folded[start - 1] == "§" or folded[start - 2 : start] == "§ "):
            start -= 1 if folded[start - 1] == "§" else 2
    return start


def _is_signed(
    source: SourceText, join: re.Match[str], more: Sequence[CitedNumber], *, forward: bool
) -> bool:
    """Return True for `and § 1985`, unless `of the Act` follows."""
    return not needs_proof(join) and not (forward and is_of_another(source, more[-1].end))


def _is_proven(
    source: SourceText, members: Sequence[CitedNumber], more: Sequence[CitedNumber], join: re.Match[str]
) -> bool:
    """Return True for a number whose own form shows that it is the next one of a list."""
    if join.group("by").startswith(";"):
        return False
    return continues_list(
        source,
        first=members[0].num,
        before=members[-1].through or members[-1].num,
        number=more[0].num,
        pinned=more[0].pin is not None,
        end=more[-1].end,
    )
