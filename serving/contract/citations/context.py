"""The surroundings of a code's name: title, appendix, containers, and the numbers before or after it."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from serving.contract.citations.cited_numbers import NOTE_TO, CitedNumbers
from serving.contract.citations.editions import skip_edition
from serving.contract.citations.grammar import CodeName
from serving.contract.citations.lists import counts_something, is_quantity
from serving.contract.citations.marks import MARK
from serving.contract.citations.named_parts import with_parts_before
from serving.contract.citations.numbers import NumberReader
from serving.contract.citations.scheme import CitationScheme
from serving.contract.citations.source import SourceText

_EDITION_WORD = r"(?:ed(?:ition|\.)?|(?:cum\. )?supp(?:lement|\.)?|repl(?:acement|\.)?)"
_EDITION = re.compile(
    rf",? ?(?P<before>(?:cum\. ?)?supp\. ?)?(?P<year>\d{{4}})(?P<word>,? {_EDITION_WORD})?"
    r",?(?= {0,3}(?:§|sec|\d))"
)
_LINK = re.compile(
    r"[,.]? {0,9}(?:\((?:[a-z/&. ]{0,24}\d{4}[^()]{0,24}|[a-z]{3,12})\),? {0,3})?(?:at )?"
    rf"(?:(?:{NOTE_TO}|prec\.|foll\.) {{0,2}})?"
)
APPENDIX = re.compile(
    r",? {0,2}app(?:\.|endix|'?x\.?)?(?![a-z])(?: (?P<act>\d{1,2}|[ivx]{1,4}),? ?(?=(?:§|sec)))?"
)

_LONGEST_WORD = 24
_WHOLE_WORD = re.compile(r"(?<![A-Za-z.])[A-Za-z]{4,}\Z")
_ITEM_DIGITS = 2
_ITEM = re.compile(r"\. {1,3}[A-Z]")
_DIGITS_BEHIND = re.compile(r" \d", re.ASCII)

_NUMBER_WINDOW = 200
_CONNECTIVE = re.compile(r" {0,2}(?:,? ?(?:of|in|under|to) |, ?|(?<= ))(?:the )?")
_ACT = re.compile(
    r"(?P<act>[A-Z][\w'’.&-]*(?: (?:[A-Z][\w'’.&-]*|of|the|and|on|for|to|in|or|by|with|a|an|\d{4})){0,20}),?"
    r" (?P<mark>§§?|[Ss]ecs?\.|[Ss]ections?) ?(?=\d)"
)
_SIGNALS = re.compile(r"(?:(?:See|Under|In|The|And|But|Cf\.|Of|By|E\.g\.|Also)(?: also)?,? )+")


_LONGEST_TITLE = 8
_TITLE_WORDS = ("title ", "tit. ", "titles ")
_JOINS = "-.:/"
_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)", re.ASCII)
"""End of a number of thousands: `1,017`."""


@dataclass(frozen=True, slots=True)
class CitedCode:
    """A code, or one title of it, as it is cited in characters [start, end) of a text.

    Attributes:
        scheme: scheme of the code.
        title: number of the title; None where the scheme has no titles.
        appendix: the appendix of the title is cited.
        appendix_act: number of the act in the appendix, as in `18 U.S.C. app. 3 § 5`.
    """

    scheme: CitationScheme
    title: str | None
    appendix: bool
    start: int
    end: int
    appendix_act: str | None = None


class FollowingNumbers(NamedTuple):
    """The numbers after a name; None where there are none. `marked`: a section mark stands before them."""

    numbers: CitedNumbers | None
    marked: bool


def cited_code(source: SourceText, code: CodeName, start: int, end: int, *, floor: int) -> CitedCode | None:
    """Return the code that a name cites, with title and appendix; None where a title is needed and missing.

    Args:
        source: the text.
        code: meaning of the name.
        start: position where the name begins.
        end: position after the name.
        floor: nothing before this position is read.
    """
    title = code.title
    if title is not None:
        before = title_before(source, start, floor=floor, title=code.whole_title)
        if before and source.original[before[0] : before[1]] == title:  # `26 I.R.C. § 61`
            start = start_with_word(source, before[0], floor)
    elif code.scheme.has_title:
        before = title_before(source, start, floor=floor, title=code.whole_title)
        after = None if before else code.title_after.match(source.folded, skip_edition(source, end))
        if before:
            title = source.original[before[0] : before[1]]
            start = start_with_word(source, before[0], floor)
        elif after:
            title, end = source.original[after.start(1) : after.end(1)], after.end()
        else:
            return None
    return with_appendix(source, code, title, start, end)


def with_appendix(source: SourceText, code: CodeName, title: str | None, start: int, end: int) -> CitedCode:
    """Return the code cited in [start, end), with an `app.` that follows it where the code has appendices."""
    appendix, act = False, None
    if code.scheme.appendix:
        if title and title[-1] in "aA":
            title, appendix = title[:-1], True
        match = APPENDIX.match(source.folded, end)
        if match:
            appendix, end, act = True, match.end(), match.group("act")
    return CitedCode(code.scheme, title.lstrip("0") if title else None, appendix, start, end, act)


def numbers_after(
    source: SourceText, reader: NumberReader, position: int, *, before_name: bool = False
) -> FollowingNumbers:
    """Return the numbers after a name. An edition between them is skipped: `(2018 ed.)`, `, 2001 Ed.,`.

    Args:
        source: the text.
        reader: reads the numbers of the code or act; a year that may be such a number is no edition.
        position: position after the name.
        before_name: the name of the code may follow the numbers: `title 18, section 2 of the`.
    """
    if position == len(source.folded):
        return FollowingNumbers(None, marked=False)
    edition = _EDITION.match(source.folded, position)
    if edition and (
        edition.group("before") or edition.group("word") or not reader.is_number(edition.group("year"))
    ):
        position = edition.end()
    link = _LINK.match(source.folded, position)
    begin = link.end() if link else position
    mark = MARK.match(source.folded, begin)
    marked = mark is not None
    numbers = reader.read_after_mark(source, begin, mark, before_name=before_name)
    if numbers and not marked and _is_loose(source, position, begin, numbers):
        return FollowingNumbers(None, marked)
    return FollowingNumbers(numbers, marked)


def _is_loose(source: SourceText, name_end: int, begin: int, numbers: CitedNumbers) -> bool:
    """Return True for a number without a section mark that may stand after a name only by chance."""
    first = numbers.members[0]
    if first.pin is not None or numbers.several:
        return False
    gap = source.original[name_end:begin]
    if "." in gap and _WHOLE_WORD.search(source.original, max(0, name_end - _LONGEST_WORD), name_end):
        return True  # a sentence ends: `of the Penal Code. 2. Any person`
    if "\n" in gap and len(first.num) <= _ITEM_DIGITS and _ITEM.match(source.original, numbers.end):
        return True  # the next item of a list
    if _DIGITS_BEHIND.match(source.folded, numbers.end) and len(first.num) == 1:
        return True  # a sign misread: `8 U.S.C. 5 1101`
    return is_quantity(source, numbers.end) or ("," in gap and counts_something(source, numbers.end))


@dataclass(frozen=True, slots=True)
class PrecedingNumbers:
    """Numbers before the name of a code.

    Attributes:
        start: position of the first word that belongs to them, such as `section` or `paragraph`.
        labels: labels of parts named in words before the numbers: `paragraph (3) of section 5`.
        act: name of the act whose numbers they are, in an appendix.
    """

    numbers: CitedNumbers
    start: int
    labels: tuple[str, ...] = ()
    act: str | None = None


def title_before(
    source: SourceText, position: int, *, floor: int, title: re.Pattern[str]
) -> tuple[int, int] | None:
    """Return the span of the title number that ends before a position; None where there is none.

    Args:
        source: the text.
        position: start of the name of the code.
        floor: nothing before this position is read.
        title: matches a whole title; where titles may have hyphens, the longer one wins.
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
    """Return the start of the word `title` before a number; the number's own start where there is none."""
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
    if before == "," and _THOUSANDS.match(source.folded, max(0, begin - 2)):
        return False
    return not (before.isalnum() or before in "$#_")


def numbers_before(
    source: SourceText, position: int, *, floor: int, reader: NumberReader
) -> PrecedingNumbers | None:
    """Return the numbers of `sections 101 and 102 of the` that ends at a position; None where there are none.

    Args:
        source: the text.
        position: start of the name or of `title`.
        floor: nothing before this position is read.
        reader: reads the scheme's numbers.
    """
    begin = max(floor, position - _NUMBER_WINDOW)
    begun = reader.start_before(source, begin, position) if begin < position else None
    if begun is None:
        return None
    # Statutes write lists in the singular too (`section 401, 403, or 408 of`): what ends at the name is one.
    for several in sorted({begun.several, True}):
        numbers = reader.read(source, begun.first, several=several, forward=False)
        if numbers is None:
            return None
        if _CONNECTIVE.fullmatch(source.folded, numbers.end, position):
            return PrecedingNumbers(*with_parts_before(source, numbers, begun.start, floor))
    return None


def number_alone_before(
    source: SourceText, position: int, *, floor: int, reader: NumberReader
) -> PrecedingNumbers | None:
    """Return the number in `20.2.72.7 NMAC`, which has no mark before it; None where something else is there.

    It is no plain number, and all that stands before the name.

    Args:
        source: the text.
        position: start of the name.
        floor: nothing before this position is read.
        reader: reads the scheme's numbers.
    """
    begin = floor + len(source.folded[floor:position]) - len(source.folded[floor:position].lstrip())
    numbers = reader.read(source, begin, several=False, forward=False)
    if numbers is None or numbers.several or numbers.members[0].num.isalnum():
        return None
    between = source.folded[numbers.end : position]
    return PrecedingNumbers(numbers, begin) if between in (" ", ", ") else None


def act_before(
    source: SourceText, position: int, *, floor: int, reader: NumberReader
) -> PrecedingNumbers | None:
    """Return the act and section of `Inspector General Act of 1978 § 8A, ` that ends at a position."""
    begin = max(floor, position - _NUMBER_WINDOW)
    if "§" not in source.original[begin:position] and "sec" not in source.folded[begin:position]:
        return None
    for match in _ACT.finditer(source.original, begin, position):
        several = match.group("mark") == "§§" or match.group("mark").lower() in ("secs.", "sections")
        numbers = reader.read(source, match.end(), several=several, forward=True)
        if numbers and source.folded[numbers.end : position].strip() == ",":
            signals = _SIGNALS.match(match.group("act"))
            skipped = signals.end() if signals else 0
            return PrecedingNumbers(numbers, match.start() + skipped, act=match.group("act")[skipped:])
    return None
