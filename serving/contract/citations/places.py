"""The name of a code with its title and appendix, and what may stand between it and the number."""

import re
from typing import NamedTuple

from serving.contract.citations.before import start_with_word, title_before
from serving.contract.citations.building import Place
from serving.contract.citations.grammar import NamedCode
from serving.contract.citations.lists import counts, is_quantity
from serving.contract.citations.numbered import Numbers
from serving.contract.citations.numbers import MARK, NumberReader
from serving.contract.citations.source import SourceText
from serving.contract.citations.tails import NOTE_TO

_EDITION = re.compile(
    r",? ?(?P<year>\d{4})(?P<word>,? (?:ed(?:ition|\.)?|(?:cum\. )?supp(?:lement|\.)?|repl(?:acement|\.)?))?"
    r",?(?= {0,3}(?:§|sec|\d))"
)
_LINK = re.compile(
    r"[,.]? {0,3}(?:\((?:[a-z/&. ]{0,24}\d{4}[^()]{0,24}|[a-z]{3,12})\),? {0,3})?(?:at )?"
    rf"(?:(?:{NOTE_TO}|prec\.|foll\.) {{0,2}})?"
)
_APPENDIX = re.compile(
    r",? {0,2}app(?:\.|endix|'?x\.?)?(?![a-z])(?: (?P<act>\d{1,2}|[ivx]{1,4}),? ?(?=(?:§|sec)))?"
)

_WORD = 24
_WHOLE_WORD = re.compile(r"(?<![A-Za-z.])[A-Za-z]{4,}\Z")
_ITEM_DIGITS = 2
_ITEM = re.compile(r"\. {1,3}[A-Z]")
_DIGITS_BEHIND = re.compile(r" \d{2}", re.ASCII)


class Behind(NamedTuple):
    """The numbers behind a name; `marked`: a section mark announces them."""

    numbers: Numbers | None
    marked: bool


def place_at(source: SourceText, code: NamedCode, start: int, end: int, *, floor: int) -> Place | None:
    """Return title, appendix and span of a code's name; None where the title that it needs is missing.

    Args:
        source: the text.
        code: that the name means.
        start: of the name.
        end: of the name.
        floor: nothing before this place is looked at.
    """
    title = code.title
    if title is None and code.scheme.has_title:
        before = title_before(source, start, floor=floor, title=code.whole_title)
        after = None if before else code.title_after.match(source.folded, end)
        if before:
            title = source.original[before[0] : before[1]]
            start = start_with_word(source, before[0], floor)
        elif after:
            title, end = source.original[after.start(1) : after.end(1)], after.end()
        else:
            return None
    return with_appendix(source, code, title, start, end)


def with_appendix(source: SourceText, code: NamedCode, title: str | None, start: int, end: int) -> Place:
    """Return the place of a name over [start, end), and of `app.` behind it where the code has appendices."""
    appendix, act = False, None
    if code.scheme.appendix:
        if title and title[-1] in "aA":
            title, appendix = title[:-1], True
        match = _APPENDIX.match(source.folded, end)
        if match:
            appendix, end, act = True, match.end(), match.group("act")
    return Place(code.scheme, title.lstrip("0") if title else None, appendix, start, end, act)


def numbers_behind(source: SourceText, reads: NumberReader, position: int) -> Behind:
    """Return the numbers behind a name, over what says of it the edition: `(2018 ed.)`, `, 2001 Ed.,`.

    Args:
        source: the text.
        reads: the numbers of what the name means; a year alone is no edition where it may be a number.
        position: where the name ends.
    """
    edition = _EDITION.match(source.folded, position)
    if edition and (edition.group("word") or not reads.reads(edition.group("year"))):
        position = edition.end()
    link = _LINK.match(source.folded, position)
    begin = link.end() if link else position
    marked = MARK.match(source.folded, begin) is not None
    numbers = reads.after_mark(source, begin)
    if numbers and not marked and _is_loose(source, position, begin, numbers):
        return Behind(None, marked)
    return Behind(numbers, marked)


def _is_loose(source: SourceText, name_end: int, begin: int, numbers: Numbers) -> bool:
    """Return True for a number without a sign that only happens to stand behind a name."""
    first = numbers.members[0]
    if first.pin is not None or numbers.several:
        return False
    gap = source.original[name_end:begin]
    if "." in gap and _WHOLE_WORD.search(source.original, max(0, name_end - _WORD), name_end):
        return True  # a sentence ends: `of the Penal Code. 2. Any person`
    if "\n" in gap and len(first.num) <= _ITEM_DIGITS and _ITEM.match(source.original, numbers.end):
        return True  # the next item of a list
    if _DIGITS_BEHIND.match(source.folded, numbers.end) and len(first.num) == 1:
        return True  # a sign misread: `8 U.S.C. 5 1101`
    return is_quantity(source, numbers.end) or ("," in gap and counts(source, numbers.end))
