"""Citations that depend on the section they stand in: `section 106 of this title`, `§ 29-802`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serving.contract.citations.citation import Citation, cite_container, cite_sections
from serving.contract.citations.cited_numbers import CitedNumber, CitedNumbers
from serving.contract.citations.containers import ABBREVIATIONS, Containers, containers_before
from serving.contract.citations.context import CitedCode, PrecedingNumbers, numbers_before
from serving.contract.citations.grammar import CodeName, Grammar
from serving.contract.citations.marks import MARK
from serving.contract.citations.named_parts import parts_before
from serving.contract.citations.parser import parse_source
from serving.contract.citations.pins import Part, complete_labels, read_pins
from serving.contract.citations.source import SourceText

_ANCHOR = re.compile(
    r"(?<![a-z])(?:"
    r"this (?P<unit>title|code|section|(?:sub)?(?:chapter|part|division|article)|subtitle)(?![a-z])"
    r"|(?P<mark>§ ?§?|sections?|secs?\.)(?= ?\d)"
    r"|(?P<part>(?:sub)?(?:section|paragraph|clause)s?)(?= ?\())"
)
_PARTS = re.compile(r"(?<![a-z])(?:sub)?(?:section|paragraph|clause|division)s? (?=\()")
_OF = re.compile(r",? (?:of|in|under) ")
_OF_SOMETHING = re.compile(
    r",? (?:of|in|under) (?:the |this |that |such |said |an? |(?:sub)?(?:section|paragraph|clause)|§|title"
    r"|[a-z]+ act)|,? thereof"
)
_CONTINUES = re.compile(
    r"\.\d|[),]* ?(?:\d{1,2} )?(?:[a-z]{1,2}\. ?)?(?:(?:of|in) (?:"
    r"the |this |that |such |title |subtitle |chapter |part |an? |[a-z]+ order|public )"
    r"|[a-z]+\.? ?(?:code|law)\b)"
)
"""Continuation that shows a section of another law: ` of the`, perhaps after a footnote or part."""
_SUCH = ("such ", "said ", "former ")
_PARTS_WINDOW = 120


@dataclass(frozen=True, slots=True)
class CitingContext:
    """The section that a text belongs to, from which the citations in it are completed.

    Attributes:
        scheme: key of the citation scheme of the section's code.
        title: number of the title; None where the scheme has no titles.
        num: number of the section; empty where the text is of none, as that of an appendix.
        appendix: the section stands in the title's appendix.
        implicit_title: `section 5` without a code is one of this title, as in titles enacted as law.
        containers: around the section, outermost first; None: not known, and `this chapter` is not read.
        outline: labelled parts of the section; empty: `paragraph (2)` alone is not read.
    """

    scheme: str
    title: str | None
    num: str
    appendix: bool = False
    implicit_title: bool = False
    containers: Containers | None = None
    outline: tuple[Part, ...] = ()


def parse_within(text: str, grammar: Grammar, context: CitingContext) -> list[Citation]:
    """Return all citations in the text of a section, in order, including those without code or title.

    `this act` is never read; the rest as far as the context allows.
    """
    source = SourceText.of(text, enacted=True)
    absolute = parse_source(source, grammar, within=context.scheme)
    code = grammar.code(context.scheme)
    if code is None:
        return absolute
    cited = CitedCode(code.scheme, context.title, context.appendix, 0, 0)
    return list(_merged(absolute, _RelativeReader(source, code, context, cited, absolute)))


class _RelativeReader:
    """Reads the citations that need a context, which stand between those that do not."""

    def __init__(
        self,
        source: SourceText,
        code: CodeName,
        context: CitingContext,
        cited: CitedCode,
        absolute: Sequence[Citation],
    ) -> None:
        self._source = source
        self._code, self._context, self._cited = code, context, cited
        self._absolute = absolute
        self._floor = 0

    def __iter__(self) -> Iterator[Citation]:
        position, taken = 0, 0
        while match := _ANCHOR.search(self._source.folded, position):
            position = match.end()
            while taken < len(self._absolute) and self._absolute[taken].end <= match.start():
                self._floor = max(self._floor, self._absolute[taken].end)
                taken += 1
            following = self._absolute[taken] if taken < len(self._absolute) else None
            if following is not None and following.start < match.end():
                position = max(position, following.end)
                continue
            read = self._at(match)
            if read and (following is None or read[-1].end <= following.start):
                yield from read
                self._floor = position = max(position, read[-1].end)

    def _at(self, match: re.Match[str]) -> Sequence[Citation]:
        if match.group("mark"):
            return self._without_code(match)
        if match.group("part"):
            return self._lone_part(match)
        if match.group("unit") == "section":
            return self._part_of_this(match) if self._context.num else ()
        cited = self._cited_at(match.start(), match.end())
        before = numbers_before(self._source, match.start(), floor=self._floor, reader=self._code.numbers)
        if before:
            return cite_sections(cited, before.numbers, before=before)
        if match.group("unit") == "title" and cited.title is not None:
            inside, start = containers_before(self._source, match.start(), self._floor)
            if inside:
                return cite_container(cited, inside, start=start, end=match.end())
        return self._own_container(match.group("unit"), cited)

    def _own_container(self, unit: str, cited: CitedCode) -> Sequence[Citation]:
        """Read `this chapter` where the context tells which chapter that is."""
        containers = self._context.containers
        if containers is None:
            return ()
        if unit == "title" and cited.title is not None:
            return cite_container(cited, (), end=cited.end)
        words = [word for word, _ in containers]
        short = ABBREVIATIONS.get(unit)
        return (
            cite_container(cited, containers[: words.index(short) + 1], end=cited.end)
            if short in words
            else ()
        )

    def _without_code(self, match: re.Match[str]) -> Sequence[Citation]:
        """Read `§ 29-802`: where numbers include the title, or where the title is implicit."""
        if self._code.scheme.has_title and not self._context.implicit_title:
            return ()
        if self._source.folded.endswith(_SUCH, 0, match.start()):
            return ()
        begin = match.end() + (self._source.folded[match.end()] == " ")
        numbers, listed = (
            self._code.numbers.read(self._source, begin, several=several, forward=False)
            for several in (_is_plural(self._source, match.start()), True)
        )
        if numbers is None or listed is None or _CONTINUES.match(self._source.folded, listed.end):
            return ()
        if listed.several and _is_joined(self._source, listed):
            numbers = listed
        labels, start = parts_before(self._source, match.start(), self._floor)
        cited = self._cited_at(match.start(), numbers.end)
        return cite_sections(cited, numbers, before=PrecedingNumbers(numbers, start, labels))

    def _lone_part(self, match: re.Match[str]) -> Sequence[Citation]:
        """Read `paragraph (2)` where the outline shows which parts hold it."""
        if not self._context.outline or self._source.folded.endswith(_SUCH, 0, match.start()):
            return ()
        begin = match.end() + (self._source.folded[match.end()] == " ")
        pins = read_pins(self._source, begin)
        if not pins or _OF_SOMETHING.match(self._source.folded, pins[-1].end):
            return ()
        outer, start = parts_before(self._source, match.start(), self._floor)
        pins = complete_labels(self._context.outline, match.start(), match.group("part"), pins)
        if not pins:
            return ()
        members = tuple(CitedNumber(pin.start, pin.end, self._context.num, pin=pin) for pin in pins)
        numbers = CitedNumbers(members, pins[-1].end, several=False)
        return cite_sections(
            self._cited_at(start, pins[-1].end), numbers, before=PrecedingNumbers(numbers, start, outer)
        )

    def _part_of_this(self, match: re.Match[str]) -> Sequence[Citation]:
        """Read `subsections (a) and (b)(1) of this section`."""
        begin = max(self._floor, match.start() - _PARTS_WINDOW)
        words = None
        for found in _PARTS.finditer(self._source.folded, begin, match.start()):
            words = found
        if words is None:
            return ()
        pins = read_pins(self._source, words.end())
        if not pins or not _OF.fullmatch(self._source.folded, pins[-1].end, match.start()):
            return ()
        members = tuple(CitedNumber(pin.start, pin.end, self._context.num, pin=pin) for pin in pins)
        numbers = CitedNumbers(members, pins[-1].end, several=False)
        labels, start = parts_before(self._source, words.start(), self._floor)
        cited = self._cited_at(match.start(), match.end())
        return cite_sections(cited, numbers, before=PrecedingNumbers(numbers, start, labels))

    def _cited_at(self, start: int, end: int) -> CitedCode:
        return CitedCode(self._cited.scheme, self._cited.title, self._cited.appendix, start, end)


def _is_plural(source: SourceText, position: int) -> bool:
    mark = MARK.match(source.folded, position)
    return mark is not None and mark.group("many") is not None


def _is_joined(source: SourceText, numbers: CitedNumbers) -> bool:
    """Return True where a word joins the last number to the others: `544, 545, or 547`."""
    between = source.folded[numbers.members[-2].end : numbers.members[-1].start]
    return "and" in between or "or" in between


def _merged(absolute: Sequence[Citation], relative: _RelativeReader) -> list[Citation]:
    return sorted([*absolute, *relative], key=lambda citation: citation.start)
