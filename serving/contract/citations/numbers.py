"""Section numbers beside a code's name: one, a list or a range, with pin cites, `note` and `et seq.`."""

import re
from dataclasses import dataclass, replace

from serving.contract.citations.folding import fold_dashes
from serving.contract.citations.labels import Pin, read_pins

MARK = re.compile(
    r"(?P<many>§ ?§(?: ?§)?|ss\.|(?:sections|sects\.|secs\.?|rules|rr\.|arts\.|articles)(?= ?[\da-z]))"
    r"|§|s\.|(?:section|sect\.?|sec\.?|rule|r\.|art\.?|article)(?= ?\d)",
    re.ASCII,
)
"""What may stand before a number; `many` is set where it announces several."""

_MAX_NUMBERS = 500
_SAME = r"(?![0-9a-z])(?![-:/]\d)"
_NO_DECIMALS = r"(?!\.\d)"
_TO = re.compile(r" ?- ?| {1,3}(?:to|through|thru) {1,3}")
_REPEATED_MARK = re.compile(r"(?:§ ?§?|ss?\.|sections?|secs?\.?|rules?) ?")
_AND = re.compile(r" ?(?:[,;] ?(?:and |or |& ?)?|(?<= )(?:and|or|&) )(?P<mark>§ ?§?)? ?")
_NOTE = re.compile(r",? {1,3}(?:\((?:note|nt\.)\)|(?:notes?|nt\.)(?![a-z])(?! that\b))")
_ET_SEQ = re.compile(r",? {0,3}(?:et\.? ?seq(?:\.|\b)|ff\.|and following)")
_SPACES = re.compile(r" {0,4}")
_NOT_SECTIONS = re.compile(r" comp(?:\.|ilation)")
"""`3 CFR, 1954-1958 Comp.` is a volume, not a section."""
_OF_ANOTHER = re.compile(r" of (?:the |this |that |title )")
_QUANTITY = re.compile(
    r" (?:percent|per centum|(?:calendar |business )?(?:days?|months?|years?|hours?)|times|members|persons)"
    r"(?![a-z])"
)
"""`section 1001 and 60 percent of` lists one section."""
_REPORTER = re.compile(
    r" {1,2}[A-Z][A-Za-z.'’]{0,20}(?: ?(?:2d|3d|[4-9]th|&|[A-Z][A-Za-z.'’]{0,20})){0,5} {0,2}\d", re.ASCII
)
"""`§§ 106, 107, 410 U.S. 113` lists two sections, and a volume and page of something else."""
_EQUAL_ENDS = re.compile(r"(\d{3})-\d{3}|(\d{4})-\d{4}|(\d{5})-\d{5}", re.ASCII)
"""No section is numbered so: `16 U.S.C. 528-531` is a range though nothing announces it."""
_LETTERS = re.compile(r"[a-z]+")
_DIGITS = re.compile(r"[0-9]+")
_NOT_STOPS = re.compile(r"[0-9a-z-]+")
_RUN = re.compile(r"[0-9a-z.:/-]{1,60}")
_HYPHENS = re.compile(r"-(?=[0-9])")
_PARTS = re.compile(r"[0-9]+|[a-z]+")
_HYPHEN = re.compile(r"(\d{2,}[a-z]*(?:[.:]\d+[a-z]*)?)-(\d+[a-z]*(?:[.:]\d+[a-z]*)?)", re.ASCII)
_YEAR = re.compile(r"(?:1[89]|20)\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A number as read, with one pin cite at most.

    Attributes:
        num: as written, with hyphens.
        through: last number of a range.
        pin: None where the whole section is cited.
    """

    start: int
    end: int
    num: str
    through: str | None = None
    pin: Pin | None = None
    note: bool = False
    et_seq: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers that stand together, and where they end. `several`: they are a list of numbers."""

    members: tuple[Numbered, ...]
    end: int
    several: bool


class NumberReader:
    """Reads the numbers of one scheme."""

    def __init__(self, pattern: str, *, stop: re.Pattern[str], years_need_mark: bool) -> None:
        """Compile the shape of numbers.

        Args:
            pattern: regular expression of a number, in lower case, without groups.
            stop: what makes a number after a comma the beginning of another citation.
            years_need_mark: `2024` alone is no section.
        """
        whole = _SAME + (_NO_DECIMALS if "." in pattern else "")
        self._number = re.compile(rf"(?:{pattern}){whole}", re.ASCII)
        self._before_range = re.compile(rf"(?:{pattern})(?=-\d)", re.ASCII)
        self._whole = re.compile(rf"(?:{pattern})\Z", re.ASCII)
        self._stop = stop
        self._years_need_mark = years_need_mark

    def after_mark(self, folded: str, text: str, position: int) -> Numbers | None:
        """Return the numbers at a place that may begin with a section mark; None where there are none."""
        mark = MARK.match(folded, position)
        begin = _SPACES.match(folded, mark.end() if mark else position).end()  # type: ignore[union-attr]
        several = mark is not None and mark.group("many") is not None
        numbers = self.read(folded, text, begin, several=several, forward=True)
        if numbers is None and mark is not None:  # what looks like a mark may be of the number: `art. 1`
            mark, numbers = None, self.read(folded, text, position, several=False, forward=True)
        if numbers is None or _NOT_SECTIONS.match(folded, numbers.end):
            return None
        if mark is None:
            first = numbers.members[0]
            is_year = first.pin is None and _YEAR.fullmatch(first.num) is not None
            return None if is_year and self._years_need_mark else numbers
        is_word = mark.group()[0] != "§"
        return None if is_word and _OF_ANOTHER.match(folded, numbers.end) else numbers

    def read(self, folded: str, text: str, position: int, *, several: bool, forward: bool) -> Numbers | None:
        """Return the numbers that begin exactly at a place.

        Args:
            folded: the folded text.
            text: the text as it is written.
            position: where the first number begins.
            several: the mark before it announced a list.
            forward: the code is named before the numbers, so one that has a code after it is not of the list.
        """
        members = self._one(folded, text, position, several=several)
        if members is None:
            return None
        count = 1
        while count < _MAX_NUMBERS:
            following = _AND.match(folded, members[-1].end)
            if following is None or not (several or _repeats_mark(following)):
                break
            more = self._one(folded, text, following.end(), several=several)
            if more is None or _QUANTITY.match(folded, more[-1].end) or _REPORTER.match(text, more[-1].end):
                break
            if forward and self._stop.match(folded, more[-1].end):
                break
            members.extend(more)
            count += 1
        return Numbers(tuple(members), members[-1].end, count > 1)

    def _one(self, folded: str, text: str, position: int, *, several: bool) -> list[Numbered] | None:
        """Return one number or range: with more than one pin cite, as often as it has."""
        match = self._number.match(folded, position)
        if match is None:
            glued = self._glued_range(folded, text, position)
            if glued is not None or not several:
                return glued
            # The end of the range is not written in full: better its first section than none.
            match = self._before_range.match(folded, position)
        if match is None:
            return None
        start, end = match.span()
        is_range = several or _EQUAL_ENDS.fullmatch(match.group()) is not None
        split = self._abbreviated(fold_dashes(text[start:end])) if is_range else None
        if split is not None:
            return [Numbered(start, end, split[0], split[1])]
        num = fold_dashes(text[start:end])
        pins = read_pins(folded, text, end)
        after = pins[-1].end if pins else end
        through = self._through(folded, text, after, match.group())
        if through is not None:
            return [Numbered(start, through[1], num, through[0], pins[0] if pins else None)]
        return _with_pins(folded, start, end, num, pins)

    def _through(self, folded: str, text: str, end: int, first: str) -> tuple[str, int] | None:
        to = _TO.match(folded, end)
        if to is None:
            return None
        begin = to.end()
        mark = _REPEATED_MARK.match(folded, begin)
        if mark is not None:
            begin = mark.end()
        last = self._number.match(folded, begin)
        if last is None or not _follows(first, last.group()):
            return None
        if to.group() == "-" and not _alike(first, last.group()):
            return None
        pins = read_pins(folded, text, last.end())
        return fold_dashes(text[last.start() : last.end()]), pins[-1].end if pins else last.end()

    def _abbreviated(self, number: str) -> tuple[str, str] | None:
        """Return both ends of `1331-32` or `78a-78pp` in a list, where the second follows the first."""
        match = _HYPHEN.fullmatch(number.lower())
        if match is None:
            return None
        first, last = number[: match.end(1)], number[match.start(2) :]
        if number.replace("-", "").isdigit():
            last = first[: max(0, len(first) - len(last))] + last
        return (first, last) if self._is_range(first.lower(), last.lower()) else None

    def _glued_range(self, folded: str, text: str, position: int) -> list[Numbered] | None:
        """Return the range `29-801.01-29-801.05`: some hyphen in it parts two numbers that are alike."""
        run = _RUN.match(folded, position)
        if run is None:
            return None
        for hyphen in _HYPHENS.finditer(folded, position, run.end()):
            last = self._number.match(folded, hyphen.end())
            if last and self._is_range(folded[position : hyphen.start()], last.group()):
                first = fold_dashes(text[position : hyphen.start()])
                return [Numbered(position, last.end(), first, fold_dashes(text[last.start() : last.end()]))]
        return None

    def _is_range(self, first: str, last: str) -> bool:
        if not (self._whole.match(first) and self._whole.match(last)):
            return False
        return _alike(first, last) and _leading(last) >= _leading(first) and _follows(first, last)


def _with_pins(folded: str, start: int, end: int, num: str, pins: list[Pin]) -> list[Numbered]:
    found = [
        Numbered(start if index == 0 else pin.start, pin.end, num, pin=pin) for index, pin in enumerate(pins)
    ] or [Numbered(start, end, num)]
    last = found[-1]
    note, et_seq = _NOTE.match(folded, last.end), _ET_SEQ.match(folded, last.end)
    tail = note or et_seq
    if tail is not None:
        found[-1] = replace(last, end=tail.end(), note=note is not None, et_seq=note is None)
    return found


def _follows(first: str, last: str) -> bool:
    return natural_key(last) > natural_key(first)


def _repeats_mark(following: re.Match[str]) -> bool:
    """Return True for `and § 1985` and `; § 1985`; after a comma alone the next § may be of another code."""
    return following.group("mark") is not None and following.group().strip(" §") != ","


def _alike(first: str, last: str) -> bool:
    """Return True where both are written alike, as the ends of a range are: `78a-78pp`, but not `12a-101`."""
    shapes = [_LETTERS.sub("a", _DIGITS.sub("9", number)) for number in (first, last)]
    if shapes[0] == shapes[1]:
        return True
    stops = [_NOT_STOPS.sub("", number) for number in (first, last)]
    return stops[0] == stops[1] and len(str(_leading(first))) == len(str(_leading(last)))


def _leading(number: str) -> int:
    digits = _DIGITS.match(number)
    return int(digits.group()) if digits else 0


def natural_key(number: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key under which 9 precedes 10 and 2000e precedes 2000e-1."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, len(part), part)
        for part in _PARTS.findall(number.lower())
    )
