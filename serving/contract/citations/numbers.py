"""Section numbers next to a code's name: one, a list or a range, with their pin cites and notes."""

import re
from copy import copy
from typing import NamedTuple

from serving.contract.citations.cited_numbers import (
    CitedNumber,
    CitedNumbers,
    WrittenNumber,
    range_of,
    with_pins,
)
from serving.contract.citations.known_names import KnownNames
from serving.contract.citations.list_members import is_counted, is_proven, is_signed
from serving.contract.citations.lists import (
    JOIN,
    alike,
    begins_a_name,
    follows,
    is_of_a_title,
    is_of_another,
    is_quantity,
    is_range,
    is_year,
    may_be_broken,
    may_be_elided,
    needs_proof,
    split_range,
)
from serving.contract.citations.marks import MARK, last_mark
from serving.contract.citations.number_shapes import NumberShapes
from serving.contract.citations.pins import read_pins
from serving.contract.citations.slashed_numbers import read_slashed
from serving.contract.citations.source import SourceText, skip

_MAX_NUMBERS = 500
_TO = re.compile(r" {0,2}- {0,2}| {1,3}(?:to|through|thru) {1,3}")
_REPEATED_MARK = re.compile(r"(?:§ ?§?|ss?\.|sections?|secs?\.?|rules?) ?")
_SPACES = re.compile(r" {0,4}")
_BEFORE_NAME = re.compile(r",? {0,2}")
_NOT_SECTIONS = re.compile(r" comp(?:\.|ilation)")
"""Continuation that shows a volume and not a section: `3 CFR, 1954-1958 Comp.`."""
_BROKEN = re.compile(r"([0-9a-z.:-]{1,20}?)(?: {1,2}- {0,2}|- {1,2})(?=\d)", re.ASCII)
"""A number with a blank beside its hyphen: `3- 1202.04`, or `42-` at the end of a line."""
_SPACED = re.compile(r" {1,2}[-‐‑–] {1,2}(\d{1,3}[a-z]?)(?=\Z|[).,;:(\]\"”])", re.ASCII)
"""Rest of a number behind a hyphen with blanks, at the end of a phrase: within one it may be a dash."""
_DASH_OF_SENTENCE = re.compile(r"[—―](?=[A-Za-z])")
"""A dash between words, that joins no letter to a number: `§ 199—a provision`."""
_LONGEST = 60
_REST = re.compile(
    r"(?P<joint>-)\d[0-9a-z]{0,5}(?:[.:]\d{1,4}[a-z]?){0,2}(?![0-9a-z])"
    r"|(?P<dot>\.)\d{1,4}[a-z]?(?![0-9a-z]|\.\d)",
    re.ASCII,
)
"""End of a number whose beginning is left out: `-410`, `.030`."""
_TITLE = re.compile(r"\d{1,3}(?=[a-z])", re.ASCII)
_RUN = re.compile(r"[0-9a-z.:/-]{1,60}")
_HYPHENS = re.compile(r"-(?=[0-9])")


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
        names: KnownNames,
        years_need_mark: bool,
        marked_lists: bool = True,
        signed: bool = True,
        rising: bool = False,
        worded: bool = False,
        loose: "NumberReader | None" = None,
        container: str | None = None,
        bare_pins: bool = False,
    ) -> None:
        """Take the pattern of the numbers; it is compiled when a text first names the scheme.

        Args:
            pattern: regular expression of a number, in lower case, without groups.
            names: finds the names of codes; a number before one is the title of a citation.
            years_need_mark: `2024` is a section only after a section mark.
            marked_lists: `and § 3` behind a number is the next of a list.
            signed: numbers may bear a section sign; those of rules do not: `Fed. R. Civ. P. 8; § 1367`.
            rising: `51-60` is a range and never one number.
            worded: numbers begin with words and have no mark, as `article III, section 2`.
            loose: reads what a section mark announces and `pattern` does not match.
            container: regular expression of the numbers of containers that are cited as sections are.
            bare_pins: labels may follow a number without parentheses.
        """
        self.loose = loose
        self._shapes = NumberShapes(pattern, container=container, bare_pins=bare_pins)
        self._worded = worded
        self._names = names
        self._years_need_mark = years_need_mark
        self._marked_lists = marked_lists
        self._signed = signed
        self._rising = rising
        self._bare_pins = bare_pins
        self._slashes_join = loose is None and not self._shapes.hold_slashes

    @property
    def strict(self) -> "NumberReader":
        """The reader without what is loose in it."""
        if self.loose is None:
            return self
        reader = copy(self)
        reader.loose = None
        return reader

    def read_after_mark(
        self, source: SourceText, position: int, found: re.Match[str] | None, *, before_name: bool = False
    ) -> CitedNumbers | None:
        """Return the numbers at a position, with or without a section mark; None where there are none.

        Numbers behind which it is said that they are `of the` something else are none of this code, unless
        its name may stand there.

        Args:
            source: the text.
            position: start of the section mark, or of the first number.
            found: the section mark at that position; None where none is.
            before_name: the name of the code may follow the numbers.
        """
        mark = found
        begin = skip(_SPACES, source.folded, mark.end() if mark else position)
        several = mark is not None and mark.group("many") is not None
        numbers = self.read(source, begin, several=several, forward=True)
        if numbers is None and mark is not None:  # what looks like a mark may be of the number: `art. 1`
            mark, numbers = None, self.read(source, position, several=False, forward=True)
        if numbers is None and self.loose is not None and found is not None:
            return self.loose.read_after_mark(source, position, found, before_name=before_name)
        if numbers is None or _NOT_SECTIONS.match(source.folded, numbers.end):
            return None
        if mark is None:
            first = numbers.members[0]
            if not self._marked_lists and not numbers.several and self.is_stopped(source, numbers.end):
                return None  # the title of another citation: `26 Stat. [15 U.S.C. 1]`
            return None if self._years_need_mark and first.pin is None and is_year(first.num) else numbers
        is_word = "§" not in mark.group() and not before_name
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
        slashed = self._slashed(source, position)
        members = slashed or self._one(source, position, several=several)
        if members is None:
            return None
        count = 2 if slashed else 1
        while count < _MAX_NUMBERS and members[-1].end < len(source.folded):
            join = JOIN.match(source.folded, members[-1].end)
            if join is None or not (several or forward or not needs_proof(join)):
                break
            # `RCW 9A.32.030 and .050`: what begins with a dot is the end of a number, announced or not.
            elided = several or (forward and source.folded.startswith(".", join.end()))
            more = (
                self._slashed(source, join.end())
                or self._one(source, join.end(), several=several)
                or (self._elided(source, join.end(), members[-1].num) if elided else None)
            )
            if more is None or not self._is_listed(source, more[-1].end, forward=forward):
                break
            if forward and self._begins_another(source, more[0].start):
                break
            if may_be_elided(members[-1].num, more[0].num):
                break
            if join.group("mark") and not self._continues_marked(join, members[0], more[0]):
                break
            announced = several and join.group("mark") is None
            if announced and is_counted(source, members, more, join):
                break
            if not (announced or is_signed(source, join, more, forward=forward)) and not (
                forward and is_proven(source, members, more, join)
            ):
                break
            members.extend(more)
            count += 1
        return CitedNumbers(tuple(members), members[-1].end, count > 1)

    def _continues_marked(self, join: re.Match[str], first: CitedNumber, more: CitedNumber) -> bool:
        """Return False for `and § 8-105.12` behind `40 C.F.R. § 403.8`: loose shapes must agree."""
        if not self._signed and join.group("mark").startswith("§"):
            return False
        return self._marked_lists and (self.loose is None or alike(first.num.lower(), more.num.lower()))

    def start_before(self, source: SourceText, floor: int, position: int) -> NumberStart | None:
        """Return the start of numbers that may end at a position; nothing before `floor` is read."""
        if self._worded:
            found = self._shapes.worded.finditer(source.folded, floor, position)
            words = [match.start() for match in found]
            return NumberStart(words[-1], words[-1], several=False) if words else None
        start = last_mark(source, floor, position)
        mark = MARK.match(source.folded, start) if start is not None else None
        if start is None or mark is None:
            return None
        begin = skip(_SPACES, source.folded, mark.end())
        return NumberStart(start, begin, several=mark.group("many") is not None)

    def is_stopped(self, source: SourceText, end: int) -> bool:
        """Return True where the name of a code follows: the number is the title of another citation."""
        before = _BEFORE_NAME.match(source.folded, end)
        return self._names.name_at(source.folded, before.end() if before else end) is not None

    def _begins_another(self, source: SourceText, start: int) -> bool:
        """Return True for a title and the name of a code that are glued: `42 USC 1983 and 28USC§1331`."""
        title = _TITLE.match(source.folded, start)
        return title is not None and self._names.name_at(source.folded, title.end()) is not None

    def _is_listed(self, source: SourceText, end: int, *, forward: bool) -> bool:
        """Return False for a number that counts or names something, or is the title of the next citation."""
        if self.is_stopped(source, end):
            return not forward
        return not (is_quantity(source, end) or begins_a_name(source, end))

    def _one(self, source: SourceText, position: int, *, several: bool) -> list[CitedNumber] | None:
        """Return one number or range; a number with several pin cites once for each of them."""
        read = self._at(source, position)
        if read is not None and not several:  # with `§§` it is a range, whatever is left out of it
            read = self._spaced(source, read) or read
        if read is None:
            return self._glued_range(source, position) or (
                self._short_range(source, position) if several else None
            )
        ends = split_range(read.num, several=several, rising=self._rising)
        if ends is not None and all(self._shapes.whole.match(number.lower()) for number in ends):
            if not several and may_be_broken(source, *read):
                return None
            first, last = (WrittenNumber(read.start, read.end, number) for number in ends)
            return range_of(source, first, last)
        if read.end == len(source.folded):  # as what is typed mostly ends: nothing is behind it
            return [CitedNumber(read.start, read.end, read.num)]
        pins = read_pins(source, read.end, bare=self._bare_pins)
        last_number = self._through(source, pins[-1].end if pins else read.end, read.num, several=several)
        if last_number is not None:
            return range_of(source, read, last_number, pins)
        return with_pins(source, read.start, read.end, read.num, pins)

    def _slashed(self, source: SourceText, position: int) -> list[CitedNumber] | None:
        """Return the numbers that slashes join: `101/102/103(a)`; None where that is not certain.

        Where numbers of the scheme may hold a slash, or not all of their shapes are known, none joins them.
        """
        if not self._slashes_join or source.folded.find("/", position, position + _LONGEST) < 0:
            return None
        found = read_slashed(source, position, self._shapes)
        return None if found is None or self.is_stopped(source, found[-1].end) else found

    def _at(self, source: SourceText, position: int) -> WrittenNumber | None:
        """Return the number at a position; one that breaks at its hyphen is read as if it did not."""
        match = self._shapes.number.match(source.folded, position)
        dash = _DASH_OF_SENTENCE.search(source.original, position, match.end()) if match else None
        if dash is not None:
            match = self._shapes.number.match(source.folded, position, dash.start())
        if match is not None and source.folded[match.end() : match.end() + 1] not in (" ", "-"):
            return WrittenNumber.of(source, match)
        broken = _BROKEN.match(source.folded, position)
        if broken is not None and source.breaks_line(broken.end(1), source.folded.index("-", broken.end(1))):
            broken = None  # the hyphen is the mark of the next item of a list
        ends_line = (
            match is not None
            and broken is not None
            and broken.end(1) == match.end()
            and source.breaks_line(match.end(), broken.end())
        )
        if broken is not None and (match is None or ends_line):
            head = source.folded[position : broken.end(1)] + "-"
            whole = self._shapes.number.match(head + source.folded[broken.end() : broken.end() + _LONGEST])
            if whole is not None and whole.end() > len(head):
                end = broken.end() + whole.end() - len(head)
                first, last = (position, broken.end(1)), (broken.end(), end)
                return WrittenNumber(position, end, f"{source.hyphenated(*first)}-{source.hyphenated(*last)}")
        return None if match is None else WrittenNumber.of(source, match)

    def _spaced(self, source: SourceText, first: WrittenNumber) -> WrittenNumber | None:
        """Return the number that goes on behind blanks and a hyphen: `2000e - 5`, where that is no range."""
        rest = _SPACED.match(source.original, first.end) if first.num[-1:].isalpha() else None
        if rest is None or follows(first.num, rest[1]):
            return None
        num = f"{first.num}-{rest[1]}"
        return WrittenNumber(first.start, rest.end(), num) if self._shapes.whole.match(num.lower()) else None

    def _short_range(self, source: SourceText, position: int) -> list[CitedNumber] | None:
        """Return a range whose last number is cut short: 28-3901 to 28-3913 for `28-3901-13`."""
        match = self._shapes.before_range.match(source.folded, position)
        rest = _REST.match(source.folded, match.end()) if match else None
        if match is None or rest is None or rest["joint"] is None:
            return None
        first = WrittenNumber.of(source, match)
        digits = source.folded[match.end() + 1 : rest.end()]
        last = first.num[: -len(digits)] + digits
        if not self._shapes.whole.match(last.lower()) or not is_range(first.num.lower(), last.lower()):
            return None
        return range_of(source, first, WrittenNumber(position, rest.end(), last))

    def _elided(self, source: SourceText, position: int, before: str) -> list[CitedNumber] | None:
        """Return a number whose beginning is left out: 22-2104 for `-2104` after 22-2101."""
        number = self._completed(source, position, before)
        if number is None:
            return None
        return with_pins(source, position, number.end, number.num, read_pins(source, number.end))

    def _completed(self, source: SourceText, position: int, before: str) -> WrittenNumber | None:
        """Return the number at a position whose beginning is that of the number before it."""
        rest = _REST.match(source.folded, position)
        head = before.rpartition(rest[rest.lastgroup or 0])[0] if rest else ""
        if rest is None or not head:
            return None
        num = head + source.hyphenated(position, rest.end())
        return WrittenNumber(position, rest.end(), num) if self._shapes.whole.match(num.lower()) else None

    def is_container(self, number: str) -> bool:
        """Return True for the number of a container that is cited as a section is."""
        return self._shapes.is_container(number)

    def is_number(self, number: str) -> bool:
        """Return True for a whole section number, in lower case with hyphens."""
        return self._shapes.whole.match(number) is not None

    def _through(self, source: SourceText, end: int, first: str, *, several: bool) -> WrittenNumber | None:
        """Return the last number of a range such as `1981 to 1988`; None where no range goes on at `end`."""
        to = _TO.match(source.folded, end)
        if to is None or source.breaks_line(end, end + 1):
            return None
        mark = _REPEATED_MARK.match(source.folded, to.end())
        last = self._at(source, mark.end() if mark else to.end())
        hyphen = to.group().strip() == "-"
        # `09.50.250-.300`: what begins with a dot is the end of a number, announced or not.
        if last is None and (several or not hyphen or source.folded.startswith(".", to.end())):
            last = self._completed(source, to.end(), first)
        if last is None:
            return None
        if hyphen and several and first.isdigit() and last.num.isdigit():
            last = last._replace(num=first[: max(0, len(first) - len(last.num))] + last.num)
        if not follows(first, last.num):
            return None
        return None if to.group() == "-" and not alike(first.lower(), last.num.lower()) else last

    def _glued_range(self, source: SourceText, position: int) -> list[CitedNumber] | None:
        """Return the range `29-801.01-29-801.05`: a hyphen joins two numbers of the same form."""
        run = _RUN.match(source.folded, position)
        if run is None:
            return None
        for hyphen in _HYPHENS.finditer(source.folded, position, run.end()):
            first = source.folded[position : hyphen.start()]
            last = self._shapes.number.match(source.folded, hyphen.end())
            if last and self._shapes.whole.match(first) and is_range(first, last.group()):
                begin = WrittenNumber(position, hyphen.start(), source.hyphenated(position, hyphen.start()))
                return range_of(source, begin, WrittenNumber.of(source, last))
        return None
