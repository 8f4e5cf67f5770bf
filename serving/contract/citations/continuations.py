"""Citations that go on behind what was read of them: what is not understood is never passed over."""

import re
from collections.abc import Sequence

from serving.contract.citations.citation import CONTAINER, RULE, SECTION, UNREAD, Citation, cite_unread
from serving.contract.citations.containers import UNIT_AHEAD
from serving.contract.citations.grammar import Grammar
from serving.contract.citations.lists import JOIN, begins_a_name, counts_something, is_quantity, is_year
from serving.contract.citations.marks import MARK
from serving.contract.citations.source import SourceText, skip
from serving.contract.citations.unread_parts import unread_part

_FOOTNOTE = re.compile(r"\.\d{1,3}(?: {1,2}[\"“(]{0,2}[A-Z]|[\"”)]|[ \r]*\n)")
"""Number of a footnote between two sentences: `§ 1983.12 The`."""
_GOES_ON = re.compile(
    r"-[a-z]{0,2}\d| {0,2}- {0,2}(?:§|\d|\((?:[a-z]{1,2}|\d{1,2}|[ivx]{1,5})\))"
    r"| (?:through|thru) (?:§|\d|\(|sec|ch)| (?:to|through|thru) ?[-.]\d| to (?:§|sections? \d)|[.:/]\d"
    r"|\((?:[a-z]{1,3}|\d{1,3})(?![a-z0-9)])"
    r"|\((?!(?:1[789]|20)\d\d\))(?=[a-z-]*\d)[0-9a-z-]{1,10}\)|\{[0-9a-z]"
    r"|(?<=\))(?:\d|[a-z](?![a-z]))|[./]\((?:[a-z]{1,2}|\d{1,2}|[ivx]{1,5})\)"
    r"|\[(?:[a-z]{1,2}\]|[ivx]{1,5}\]|\d{1,2}\](?=[\[(]))"
)
"""Continuation of a citation that was read no further: a number, a range, a label in brackets."""
_BROKEN_AT_STOP = re.compile(r"\.[ \r]*\n ?\d{1,3}[A-Za-z]?(?:\.\d{1,3})?(?=\([a-z0-9]{1,3}\))", re.ASCII)
"""The rest of a number that a line breaks at its stop, with a part: `§ 2-1402.` and below it `11(a)`."""
_LETTERED = re.compile(r"[-‐‑][A-Za-z]{1,2}(?![\w'’])", re.ASCII)
"""A letter that belongs to a number, in the text as written: `199-a`, and not `§ 107—a fair use`."""
_PARTED = re.compile(
    r"(?<![\w.:(-])(?:\d{1,2}(?=[ \xa0]\d{1,3}(?!\d))|\d{3}(?=[ \xa0]\d{1,2}(?!\d)))[ \xa0](?P<rest>\d{1,3})",
    re.ASCII,
)
"""A number of up to five digits with a blank in it, as recognised print has: `1 983`, `10 1`."""
_LONGEST_HEAD = 3
"""Most digits before such a blank."""
_GARBLED = re.compile(
    r" {0,2}(?:f[il] |[^\sa-z0-9,;.:()\[\]\"'“”<>|-]{0,4}) {0,2}\d(?:[\w.:-]*\w)?"
    r"(?: \d(?:[\w.:-]*\w)?)?",
    re.ASCII,
)
"""A number behind a name that nothing readable joins to it: `42 U.S.C. 8 1983`, `42 U.S.C. fi 1983`."""
_COLON = re.compile(r" ?:(?= ?§)")
_NUMBER = re.compile(r"\d[\w.:-]*\w|\d")
_DOTS = re.compile(r" ?(?:\.\.\.|…|\. \. \.) ?(?:§ ?)?\d")
"""Dots between the numbers of a range: `§§ 107 ... 109`."""
_JOINED_OTHERWISE = re.compile(r" ?[a-z~+>=/& -]{1,12} ?(?:§ ?)?(?=\d)")
"""Any join between two numbers: `§§ 107 till 109`, `§§ 107 ~ 109`."""
_PLURAL = re.compile(r"§ ?§|(?<![a-z])(?:sections|secs\.|rules|articles|arts\.)(?= ?\d)")
_PART_OF = re.compile(
    r"(?<![a-z])(?:sections?|sect?s?\.|§|chapters?|chs?\.|subchapters?|parts?|pts?\.|subtitles?|articles?"
    r"|paragraphs?|subsections?|rules?|schedules?)(?![a-z])"
    r"(?: ?[§(]{0,2} ?(?:\d|[ivxlc]{1,6}(?![a-z]))[^;\n]{0,40})"
    r"(?:,| of| in)(?: the)? $"
)
_BEFORE = 60
_TAIL = re.compile(r" ?(?:-|through |thru |to )? ?(?:§ ?|[(\[]|[.:/])?\(?[0-9a-z][0-9a-z()\[\]-]{0,40}")
"""Text behind a citation that is not understood, as far as it is shown."""
_SERIES = re.compile(
    r" ?(?!(?:In|On|The|For|At|By|As|Of|And|See|Under|Since|From|After|Before|No)\b)[A-Z][\w.]*"
    r"(?: (?:[A-Z][\w.]*|&|and|of)){0,5},? \d[\d,]{0,9}(?![\w.:-]*[\w:-])"
)
"""A longer name than that of a code, and a page: `18 U.S. Code Cong. Serv. 924`."""
_COUNTED = re.compile(
    r",? {0,2}(?:pars?|paras?|paragraphs?|nos?|numbers?|items?|pages?|pp?|at)\.? ?\d(?:[\w.:-]*\w)?", re.ASCII
)
"""A number of something that is no section: `28 U.S.C. par. 1332`."""


def understood(
    source: SourceText, read: Sequence[Citation], grammar: Grammar, *, floor: int
) -> Sequence[Citation]:
    """Return citations read in a text; where they go on with what is not understood, none is certain.

    Args:
        source: the text.
        read: the citations, of one code.
        grammar: the known codes.
        floor: nothing before this position is read.
    """
    first, last = read[0], read[-1]
    code = grammar.code(first.scheme or "")
    if code is None or first.kind == UNREAD:
        return read
    start, end = first.start, last.end
    if last.kind == CONTAINER and not last.containers and first is last:
        part = _part_of_title(source, start, end, floor)
        if part is None:
            return read
        start, end = part
    elif (goes_on := _goes_on(source, first, last, grammar)) is not None:
        end = goes_on
    else:
        return read
    return [cite_unread(source.original, start, end, unread=last.end, scheme=code.scheme)]


def _goes_on(source: SourceText, first: Citation, last: Citation, grammar: Grammar) -> int | None:
    """Return the end of what was not read of citations, from first to last; None where all of it was."""
    start, end = first.start, last.end
    further = _GOES_ON.match(source.folded, end)
    if further is not None and not source.breaks_line(end, further.end()):
        return None if _FOOTNOTE.match(source.original, end) else skip(_TAIL, source.folded, end)
    broken = _BROKEN_AT_STOP.match(source.original, end)
    if broken is not None:
        return broken.end()
    part = unread_part(source, end) if first.kind in (SECTION, RULE) else None
    if part is not None:
        return part
    if _LETTERED.match(source.original, end) or _is_parted(source, start, end, grammar):
        return skip(_TAIL, source.folded, end)
    plural = _PLURAL.search(source.folded, start, end)
    # A list that its code or title closes is whole: `sections 5 and 6 of title 31, section 7 of title 10`.
    closed = plural is None or grammar.names.search(source.folded, plural.end(), end) is not None
    alone = first is last and not (first.through or first.et_seq or source.enacted)
    listed = not closed and (
        _DOTS.match(source.folded, end) or _lists_more(source, end, grammar, alone=alone)
    )
    return skip(_TAIL, source.folded, end) if listed else None


def _is_parted(source: SourceText, start: int, end: int, grammar: Grammar) -> bool:
    """Return True where the last digits of a citation and those behind it may be one number."""
    for begin in range(max(start, end - _LONGEST_HEAD), end):
        parted = _PARTED.match(source.original, begin)
        if parted is not None and parted.start("rest") == end + 1:
            if source.enacted and len(parted.group("rest")) == 1:
                return False  # in law it is the number of a footnote
            behind = parted.end()
            return not (
                grammar.acts.is_stopped(source, behind)
                or is_quantity(source, behind)
                or begins_a_name(source, behind)
            )
    return False


def _lists_more(source: SourceText, end: int, grammar: Grammar, *, alone: bool) -> bool:
    """Return True where an announced list goes on with a number that was not read.

    Args:
        source: the text.
        end: position behind the last number that was read.
        grammar: the known codes.
        alone: it is the only one, and another must follow, whatever joins it.
    """
    join = JOIN.match(source.folded, end)
    if join is not None and join.group("mark"):
        return False
    join = join or (_JOINED_OTHERWISE.match(source.original, end) if alone else None)
    number = _NUMBER.match(source.folded, join.end()) if join else None
    if join is None or number is None or source.breaks_line(end, join.end()) or is_year(number.group()):
        return False
    behind = number.end()
    if grammar.acts.is_stopped(source, behind) or is_quantity(source, behind):
        return False
    return not (begins_a_name(source, behind) or counts_something(source, behind))


def _part_of_title(source: SourceText, start: int, end: int, floor: int) -> tuple[int, int] | None:
    """Return the span of a citation of a part of a title, cited over [start, end), that was not read.

    None where all of the title is cited.
    """
    before = _PART_OF.search(source.folded, max(floor, start - _BEFORE), start)
    if before is not None:
        return before.start(), end
    # What is not read is a part of what is told: alone, the name would be read as the whole title.
    unit = UNIT_AHEAD.match(source.folded, end)
    if unit is not None:
        return start, unit.end()
    mark = MARK.match(source.folded, source.behind_blanks(skip(_COLON, source.folded, end)))
    if mark is not None and mark.group() != "s.":
        return start, mark.end()
    longer = _SERIES.match(source.original, end) or _COUNTED.match(source.folded, end)
    longer = longer or _GARBLED.match(source.folded, end)
    return None if longer is None else (start, longer.end())
