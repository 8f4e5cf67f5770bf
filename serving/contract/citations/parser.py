"""Parser of citations: finds those in a text, or reads a single typed one."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.contract.citations.citation import (
    POPULAR_NAME,
    SECTION,
    Citation,
    cite_act,
    cite_act_sections,
    cite_container,
    cite_notes,
    cite_sections,
)
from serving.contract.citations.context import (
    CitedCode,
    PrecedingNumbers,
    act_before,
    cited_code,
    containers_after,
    containers_before,
    numbers_after,
    numbers_before,
    with_appendix,
)
from serving.contract.citations.diagnosis import (
    Unparsed,
    diagnose_end,
    diagnose_missing,
    diagnose_start,
)
from serving.contract.citations.grammar import ActName, CodeName, Grammar
from serving.contract.citations.named_parts import with_parts_before
from serving.contract.citations.numbers import CitedNumbers, links_a_note, note_before
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


def parse(text: str, grammar: Grammar, *, within: str | None = None) -> list[Citation]:
    """Return the citations in a text, in their order.

    Args:
        text: any text.
        grammar: the known codes and acts, and how they are cited.
        within: key of the scheme of the code that the text belongs to; `title 2` is then a title of it.
    """
    return parse_source(SourceText.of(text), grammar, within=within)


def parse_source(source: SourceText, grammar: Grammar, *, within: str | None) -> list[Citation]:
    """Return the citations in a text that is already folded; see `parse`."""
    return _Reader(source, grammar, typed=False, within=within).citations()


def parse_typed(source: SourceText, grammar: Grammar) -> list[Citation]:
    """Return the citations in text that was typed as one citation.

    Abbreviations that running text needs in their own capitals, or with a section mark, are accepted here
    without them.
    """
    return _Reader(source, grammar, typed=True, within=None).citations()


class _Reader:
    """Reads one text, once."""

    def __init__(self, source: SourceText, grammar: Grammar, *, typed: bool, within: str | None) -> None:
        self._source = source
        self._grammar = grammar
        self._typed = typed
        self._bare_title = grammar.bare_title if within is None else grammar.code(within)
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
        """Mark citations as citations of notes where the text says so: `note to 28 U.S.C. § 1932`."""
        first = read[0]
        start = note_before(self._source, first.start, self._floor)
        if start is None and not links_a_note(self._source, first.start, first.end):
            return read
        return cite_notes(read, first.start if start is None else start)

    def _after_name(self, match: re.Match[str]) -> Sequence[Citation]:
        meanings = self._grammar.meanings(match.group("name"))
        for meaning in meanings:
            if isinstance(meaning, CodeName) and meaning.is_written(
                self._source.original[match.start() : match.end()]
            ):
                read = self._code(meaning, match.start(), match.end())
                if read:
                    return read
        acts = [meaning for meaning in meanings if isinstance(meaning, ActName)]
        return self._act(acts, match.start(), match.end()) if acts else ()

    def _code(self, code: CodeName, start: int, end: int) -> Sequence[Citation]:
        cited = cited_code(self._source, code, start, end, floor=self._floor)
        if cited is None:
            return ()
        is_usual = self._is_usual(code, cited, start) and (self._typed or code.short is None)
        numbers, marked = numbers_after(self._source, code.numbers, cited.end)
        if numbers and (is_usual or marked):
            return self._of_sections(cited, numbers)
        holds_parts = code.scheme.kind == SECTION and is_usual and code.short is None
        inside, after = containers_after(self._source, cited.end, loose=self._typed)
        if inside and holds_parts:
            return cite_container(cited, inside, end=after)
        before = self._before(code, cited)
        if before:
            return cite_sections(cited, before.numbers, before=before)
        is_title = cited.title and not code.title and holds_parts and self._names_a_code(start, end)
        return cite_container(cited, (), end=cited.end) if is_title else ()

    def _of_sections(self, cited: CitedCode, numbers: CitedNumbers) -> Sequence[Citation]:
        """Return the citations of sections behind a name: also of a part before it, `subsection (b) of`."""
        if numbers.several:
            return cite_sections(cited, numbers)
        named = with_parts_before(self._source, numbers, cited.start, self._floor)
        return cite_sections(replace(cited, start=named.start), named.numbers, parts=named.labels)

    def _is_usual(self, code: CodeName, cited: CitedCode, name_start: int) -> bool:
        """Return False where the title stands on the wrong side of the name: `21 O.S. 701`."""
        return cited.start == name_start or code.scheme.template.startswith("{title}")

    def _names_a_code(self, start: int, end: int) -> bool:
        """Return False for `24 VAC` in running text: a name of letters alone needs a section to be a code."""
        return self._typed or not self._source.original[start:end].isalpha()

    def _before(self, code: CodeName, cited: CitedCode) -> PrecedingNumbers | None:
        if cited.appendix:
            floor = self._floor_under_acts()
            act = act_before(self._source, cited.start, floor=floor, reader=self._grammar.acts)
            if act:
                return act
        return numbers_before(self._source, cited.start, floor=self._floor, reader=code.numbers)

    def _floor_under_acts(self) -> int:
        """Return the end of the last citation; names of acts do not count, as the next one may need them."""
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
            if isinstance(meaning, CodeName) and meaning.holds_titles:
                read = self._of_title(meaning, match.start(), titled.group(1), named.end(), named.group())
                if read:
                    return read
        return ()

    def _of_title(
        self, code: CodeName | None, start: int, title: str, end: int, name: str
    ) -> Sequence[Citation]:
        """Return the citations at `title 42`; the name of the code may follow it."""
        if code is None or not code.whole_title.fullmatch(title):
            return ()
        cited = with_appendix(self._source, code, title, start, end)
        if code.scheme.has_title:
            numbers, marked = numbers_after(self._source, code.numbers, cited.end)
            if numbers and (name or marked):
                return self._of_sections(cited, numbers)
        before = self._before(code, cited)
        if before:
            return cite_sections(cited, before.numbers, before=before)
        return self._containers_of_title(cited, name)

    def _containers_of_title(self, cited: CitedCode, name: str) -> Sequence[Citation]:
        after, end = containers_after(self._source, cited.end, loose=self._typed)
        before, start = containers_before(self._source, cited.start, self._floor)
        inside = before or after
        if not inside and not name and not self._typed:
            return ()
        begin = start if before else cited.start
        return cite_container(cited, inside, start=begin, end=cited.end if before else end)

    def _act(self, acts: Sequence[ActName], start: int, end: int) -> Sequence[Citation]:
        written = self._source.original[start:end]
        meant = [act for act in acts if self._typed or act.is_written(written)]
        if not meant:
            return ()
        numbers, marked = numbers_after(self._source, self._grammar.acts, end)
        if numbers and (numbers.members[0].pin or marked):
            return cite_act_sections(meant, numbers, start=start)
        before = numbers_before(self._source, start, floor=self._floor, reader=self._grammar.acts)
        if before:
            return cite_act_sections(meant, before.numbers, start=before.start, end=end, before=before)
        return cite_act(meant, start, end) if self._typed or meant[0].short is None else ()


def read_one(text: str, grammar: Grammar) -> tuple[Citation, ...] | Unparsed:
    """Read a text that should be one citation.

    Signals before it (`See, e.g.,`) are skipped, and so are stops and parentheses behind it: the year,
    edition, publisher or an explanation.

    Returns:
        The citation, or all members of a list; `Unparsed` where the text is not a citation.
    """
    source = SourceText.of(text)
    found = parse_typed(source, grammar)
    begin = _skip(_LEAD, text, 0)
    if not found:
        return diagnose_missing(source, begin, grammar)
    if found[0].start > begin:
        return diagnose_start(source, begin, found[0])
    read = [found[0]]
    for citation in found[1:]:
        if not _BETWEEN.fullmatch(text, read[-1].end, max(read[-1].end, citation.start)):
            break
        read.append(citation)
    if _end_of_all(text, read[-1].end) == len(text):
        return tuple(read)
    return diagnose_end(source, begin, read[-1])


def _end_of_all(text: str, position: int) -> int:
    """Return the position behind stops, editions and parentheses."""
    while position < len(text):
        position = _skip(_STOPS, text, position)
        further = _skip(_STATUTES, text, _skip(_EDITION, text, position))
        aside = _ASIDE.match(text, further)
        if aside is not None and not is_label(aside.group(1)):
            further = aside.end()
        if further == position:
            break
        position = further
    return position


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
