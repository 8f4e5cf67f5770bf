"""Citations in the text of a law that lean on where they stand: `section 106 of this title`, `§ 29-802`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serving.contract.citations.citation import Citation, container, sections
from serving.contract.citations.context import (
    ABBREVIATIONS,
    Before,
    Containers,
    Place,
    containers_before,
    numbers_before,
    parts_before,
)
from serving.contract.citations.grammar import Grammar, NamedCode
from serving.contract.citations.numbers import MARK, Numbered, Numbers
from serving.contract.citations.parser import parse_source
from serving.contract.citations.pins import Part, read_pins, with_what_holds_them
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
"""What shows that a section without a code is of another: ` of the`, behind a footnote or a lettered part."""
_SUCH = ("such ", "said ", "former ")
_PARTS_WINDOW = 120


@dataclass(frozen=True, slots=True)
class Home:
    """Where a text stands.

    Attributes:
        scheme: key of the citation scheme of its code.
        title: of the section; None where the scheme has none.
        num: of the section.
        bare: a section without a code is one of this title, as in titles that are enacted as law.
        containers: that the section stands in, as the citation of the innermost has them; None: not known,
            and `this chapter` is not read.
        outline: the section's labelled parts; without them `paragraph (2)` alone is not read.
    """

    scheme: str
    title: str | None
    num: str
    appendix: bool = False
    bare: bool = False
    containers: Containers | None = None
    outline: tuple[Part, ...] = ()


def parse_within(text: str, grammar: Grammar, home: Home) -> list[Citation]:
    """Return all citations in the text of a section, in order, those included that lean on its place.

    `this act` is not read, nor is what `Home` does not tell: the words alone do not say where they lead.
    """
    source = SourceText.of(text)
    absolute = parse_source(source, grammar, home=home.scheme)
    code = grammar.code(home.scheme)
    if code is None:
        return absolute
    place = Place(code.scheme, home.title, home.appendix, 0, 0)
    return list(_merged(absolute, _Relative(source, code, home, place, absolute)))


class _Relative:
    """Reads what leans on its place, between the citations that stand for themselves."""

    def __init__(
        self, source: SourceText, code: NamedCode, home: Home, place: Place, absolute: Sequence[Citation]
    ) -> None:
        self._source = source
        self._code, self._home, self._place = code, home, place
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
            return self._bare(match)
        if match.group("part"):
            return self._lone_part(match)
        if match.group("unit") == "section":
            return self._part_of_this(match)
        place = self._place_at(match.start(), match.end())
        before = numbers_before(self._source, match.start(), floor=self._floor, reader=self._code.numbers)
        if before:
            return sections(place, before.numbers, before=before)
        if match.group("unit") == "title" and place.title is not None:
            inside, start = containers_before(self._source, match.start(), self._floor)
            if inside:
                return container(place, inside, start=start, end=match.end())
        return self._own_container(match.group("unit"), place)

    def _own_container(self, unit: str, place: Place) -> Sequence[Citation]:
        """Read `this chapter` where it is known which that is."""
        containers = self._home.containers
        if containers is None:
            return ()
        if unit == "title" and place.title is not None:
            return container(place, (), end=place.end)
        words = [word for word, _ in containers]
        short = ABBREVIATIONS.get(unit)
        return container(place, containers[: words.index(short) + 1], end=place.end) if short in words else ()

    def _bare(self, match: re.Match[str]) -> Sequence[Citation]:
        """Read `§ 29-802`: where numbers name their title, or where the text is of a title enacted as law."""
        if self._code.scheme.has_title and not self._home.bare:
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
        place = self._place_at(match.start(), numbers.end)
        return sections(place, numbers, before=Before(numbers, start, labels))

    def _lone_part(self, match: re.Match[str]) -> Sequence[Citation]:
        """Read `paragraph (2)` where the outline shows of what it is."""
        if not self._home.outline or self._source.folded.endswith(_SUCH, 0, match.start()):
            return ()
        begin = match.end() + (self._source.folded[match.end()] == " ")
        pins = read_pins(self._source, begin)
        if not pins or _OF_SOMETHING.match(self._source.folded, pins[-1].end):
            return ()
        outer, start = parts_before(self._source, match.start(), self._floor)
        pins = with_what_holds_them(self._home.outline, match.start(), match.group("part"), pins)
        if not pins:
            return ()
        members = tuple(Numbered(pin.start, pin.end, self._home.num, pin=pin) for pin in pins)
        numbers = Numbers(members, pins[-1].end, several=False)
        return sections(self._place_at(start, pins[-1].end), numbers, before=Before(numbers, start, outer))

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
        members = tuple(Numbered(pin.start, pin.end, self._home.num, pin=pin) for pin in pins)
        numbers = Numbers(members, pins[-1].end, several=False)
        labels, start = parts_before(self._source, words.start(), self._floor)
        place = self._place_at(match.start(), match.end())
        return sections(place, numbers, before=Before(numbers, start, labels))

    def _place_at(self, start: int, end: int) -> Place:
        return Place(self._place.scheme, self._place.title, self._place.appendix, start, end)


def _is_plural(source: SourceText, position: int) -> bool:
    mark = MARK.match(source.folded, position)
    return mark is not None and mark.group("many") is not None


def _is_joined(source: SourceText, numbers: Numbers) -> bool:
    """Return True where the last number is joined on by a word: `544, 545, or 547`."""
    between = source.folded[numbers.members[-2].end : numbers.members[-1].start]
    return "and" in between or "or" in between


def _merged(absolute: Sequence[Citation], relative: _Relative) -> list[Citation]:
    return sorted([*absolute, *relative], key=lambda citation: citation.start)
