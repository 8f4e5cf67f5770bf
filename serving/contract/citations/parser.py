"""Find the citations in a text, or read the one that somebody typed."""

import re
from collections.abc import Sequence

from serving.contract.citations.citation import (
    POPULAR_NAME,
    SECTION,
    Citation,
    act_sections,
    as_notes,
    bare_act,
    container,
    sections,
)
from serving.contract.citations.context import (
    Before,
    Place,
    act_before,
    containers_after,
    containers_before,
    numbers_before,
    numbers_behind,
    place_at,
    with_appendix,
)
from serving.contract.citations.diagnosis import (
    Unparsed,
    instead_of_the_end,
    not_at_the_beginning,
    nothing_found,
)
from serving.contract.citations.grammar import Grammar, NamedAct, NamedCode
from serving.contract.citations.numbers import links_a_note, note_before
from serving.contract.citations.pins import is_label
from serving.contract.citations.source import SourceText

_TITLE = re.compile(r"tit(?:les?|\.) {0,2}(\d{1,3}[a-z]?)(?![0-9a-z]|[-.:]\d)", re.ASCII)
_CODE_AFTER_TITLE = re.compile(r",? ?(?:of )?(?:the )?")
_MAX_ACTS = 20

_LEAD = re.compile(
    r"[\s\"“”'‘’(\[]*(?:(?:see|but|cf\.?|e\.g\.|compare|contra|accord|also|generally|under|pursuant to|citing"
    r"|quoting|per|violation of|in|of|the)(?:,\s*|\s+))*[\"“”'‘’(\[]*",
    re.IGNORECASE,
)
_STOPS = re.compile(r"[\s\"“”'’)\].,;]*")
_ASIDE = re.compile(r"[(\[]([^()\[\]]{1,100})[)\]]")
_EDITION = re.compile(
    r",? ?(?:(?:as )?(?:so )?(?:amended|added|enacted|codified)(?: by)?(?![a-z])|(?:1[789]|20)\d\d\Z)",
    re.IGNORECASE,
)
_STATUTES = re.compile(r",? ?\d{1,3} Stat\. \d{1,5}(?:[-–, ]{1,2}\d{1,5}){0,3}")
_BETWEEN = re.compile(
    r"[\s,;&-]*(?:and/or|and|or)?[\s§]*(?:(?:sections?|sect?s?\.|rules?)\s*)?", re.IGNORECASE
)


def parse(text: str, grammar: Grammar, *, home: str | None = None) -> list[Citation]:
    """Return the citations in a text, in the order in which they stand.

    Args:
        text: any text.
        grammar: says which codes and acts there are, and how they are cited.
        home: key of the scheme of the code that the text is of: `title 2` there is a title of that code.
    """
    return parse_source(SourceText.of(text), grammar, home=home)


def parse_source(source: SourceText, grammar: Grammar, *, home: str | None) -> list[Citation]:
    """Return the citations in a text that is folded already, as `parse` does."""
    return _Reader(source, grammar, single=False, home=home).citations()


def parse_typed(source: SourceText, grammar: Grammar) -> list[Citation]:
    """Return the citations in what somebody typed as one: abbreviations and lower case count for more."""
    return _Reader(source, grammar, single=True, home=None).citations()


class _Reader:
    """One reading of one text."""

    def __init__(self, source: SourceText, grammar: Grammar, *, single: bool, home: str | None) -> None:
        self._source = source
        self._grammar = grammar
        self._single = single
        self._bare_title = grammar.bare_title if home is None else grammar.code(home)
        self._found: list[Citation] = []
        self._floor = 0

    def citations(self) -> list[Citation]:
        position = 0
        while match := self._grammar.anchor.search(self._source.folded, position):
            read = self._after_title(match) if match.group("title") else self._after_name(match)
            position = match.end()
            if read:
                read = self._noted(read)
                while self._found and self._found[-1].end > read[0].start:
                    self._found.pop()
                self._found.extend(read)
                position = max(position, read[-1].end)
                self._floor = position
        return self._found

    def _noted(self, read: Sequence[Citation]) -> Sequence[Citation]:
        """Return citations as those of notes where the words say so: `note to 28 U.S.C. § 1932`."""
        first = read[0]
        start = note_before(self._source, first.start, self._floor)
        if start is None and not links_a_note(self._source, first.start, first.end):
            return read
        return as_notes(read, first.start if start is None else start)

    def _after_name(self, match: re.Match[str]) -> Sequence[Citation]:
        meanings = self._grammar.meanings(match.group("name"))
        for meaning in meanings:
            if isinstance(meaning, NamedCode) and meaning.is_written(
                self._source.original[match.start() : match.end()]
            ):
                read = self._code(meaning, match.start(), match.end())
                if read:
                    return read
        acts = [meaning for meaning in meanings if isinstance(meaning, NamedAct)]
        return self._act(acts, match.start(), match.end()) if acts else ()

    def _code(self, code: NamedCode, start: int, end: int) -> Sequence[Citation]:
        place = place_at(self._source, code, start, end, floor=self._floor)
        if place is None:
            return ()
        is_usual = self._is_usual(code, place, start) and (self._single or code.short is None)
        numbers, marked = numbers_behind(self._source, code.numbers, place.end)
        if numbers and (is_usual or marked):
            return sections(place, numbers)
        holds_parts = code.scheme.kind == SECTION and is_usual and code.short is None
        inside, after = containers_after(self._source, place.end, loose=self._single)
        if inside and holds_parts:
            return container(place, inside, end=after)
        before = self._before(code, place)
        if before:
            return sections(place, before.numbers, before=before)
        is_title = place.title and not code.title and holds_parts and self._names_a_code(start, end)
        return container(place, (), end=place.end) if is_title else ()

    def _is_usual(self, code: NamedCode, place: Place, name_start: int) -> bool:
        """Return False for `21 O.S. 701`: a title before the name where the template has it behind."""
        return place.start == name_start or code.scheme.template.startswith("{title}")

    def _names_a_code(self, start: int, end: int) -> bool:
        """Return False for `24 VAC` in running text: bare letters need a section to be a code."""
        return self._single or not self._source.original[start:end].isalpha()

    def _before(self, code: NamedCode, place: Place) -> Before | None:
        if place.appendix:
            floor = self._floor_under_acts()
            act = act_before(self._source, place.start, floor=floor, reader=self._grammar.acts)
            if act:
                return act
        return numbers_before(self._source, place.start, floor=self._floor, reader=code.numbers)

    def _floor_under_acts(self) -> int:
        """Return where the last citation ends that is no popular name: those may belong to what follows."""
        acts = 0
        while acts < min(len(self._found), _MAX_ACTS) and self._found[-1 - acts].kind == POPULAR_NAME:
            acts += 1
        if acts == len(self._found):
            return 0
        return self._found[-1 - acts].end

    def _after_title(self, match: re.Match[str]) -> Sequence[Citation]:
        titled = _TITLE.match(self._source.folded, match.start())
        if titled is None:
            return ()
        link = _CODE_AFTER_TITLE.match(self._source.folded, titled.end())
        named = self._grammar.name.match(self._source.folded, link.end() if link else titled.end())
        if named is None:
            return self._of_title(self._bare_title, match.start(), titled.group(1), titled.end(), "")
        for meaning in self._grammar.meanings(named.group()):
            if isinstance(meaning, NamedCode) and meaning.holds_titles:
                read = self._of_title(meaning, match.start(), titled.group(1), named.end(), named.group())
                if read:
                    return read
        return ()

    def _of_title(
        self, code: NamedCode | None, start: int, title: str, end: int, name: str
    ) -> Sequence[Citation]:
        """Return the citations at `title 42`, after which the code may be named."""
        if code is None or not code.whole_title.fullmatch(title):
            return ()
        place = with_appendix(self._source, code, title, start, end)
        if code.scheme.has_title:
            numbers, marked = numbers_behind(self._source, code.numbers, place.end)
            if numbers and (name or marked):
                return sections(place, numbers)
        before = self._before(code, place)
        if before:
            return sections(place, before.numbers, before=before)
        return self._containers_of_title(place, name)

    def _containers_of_title(self, place: Place, name: str) -> Sequence[Citation]:
        after, end = containers_after(self._source, place.end, loose=self._single)
        before, start = containers_before(self._source, place.start, self._floor)
        inside = before or after
        if not inside and not name and not self._single:
            return ()
        begin = start if before else place.start
        return container(place, inside, start=begin, end=place.end if before else end)

    def _act(self, acts: Sequence[NamedAct], start: int, end: int) -> Sequence[Citation]:
        written = self._source.original[start:end]
        meant = [act for act in acts if self._single or act.is_written(written)]
        if not meant:
            return ()
        numbers, marked = numbers_behind(self._source, self._grammar.acts, end)
        if numbers and (numbers.members[0].pin or marked):
            return act_sections(meant, numbers, start=start)
        before = numbers_before(self._source, start, floor=self._floor, reader=self._grammar.acts)
        if before:
            return act_sections(meant, before.numbers, start=before.start, end=end, before=before)
        return bare_act(meant, start, end) if self._single or meant[0].short is None else ()


def read_one(text: str, grammar: Grammar) -> tuple[Citation, ...] | Unparsed:
    """Return the citation that a text is, all members where it is a list, or why it is none.

    Signals before it (`See, e.g.,`) are passed over, and behind it stops and what stands in parentheses: the
    year, edition, publisher or an explanation.
    """
    source = SourceText.of(text)
    found = parse_typed(source, grammar)
    begin = _skip(_LEAD, text, 0)
    if not found:
        return nothing_found(source, begin, grammar)
    if found[0].start > begin:
        return not_at_the_beginning(source, begin, found[0])
    read = [found[0]]
    for citation in found[1:]:
        if not _BETWEEN.fullmatch(text, read[-1].end, max(read[-1].end, citation.start)):
            break
        read.append(citation)
    if _end_of_all(text, read[-1].end) == len(text):
        return tuple(read)
    return instead_of_the_end(source, begin, read[-1])


def _end_of_all(text: str, position: int) -> int:
    """Return the place behind stops, editions and parentheses."""
    while True:
        position = _skip(_STOPS, text, position)
        further = _skip(_STATUTES, text, _skip(_EDITION, text, position))
        aside = _ASIDE.match(text, further)
        if aside is not None and not is_label(aside.group(1)):
            further = aside.end()
        if further == position:
            return position
        position = further


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
