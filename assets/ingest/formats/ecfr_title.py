"""The provisions of a title of the eCFR: its divisions, in one volume or several, in document order."""

import re
from dataclasses import dataclass, replace

from lxml import etree

from assets.ingest.byte_ranges import element_ranges
from assets.ingest.duplicates import slug, tell_apart
from assets.ingest.formats import ecfr_names as names
from assets.ingest.formats.ecfr_names import APPENDIX, PART, SECTION, TITLE
from assets.ingest.formats.ecfr_text import DivisionText, TextWalker, heading_words
from assets.ingest.model import Provision, SourceFile
from assets.registry import CodeBody
from serving.contract.citations import format_container, format_section
from serving.contract.citations.containers import ABBREVIATIONS, is_container_number

DIVISIONS = frozenset(f"DIV{number}" for number in range(1, 10))
_HEADINGS = ("HEAD", "RESERVED")
_SEGMENTS = {
    TITLE: "t",
    "subtitle": "st",
    "chapter": "ch",
    "subchapter": "sch",
    PART: "pt",
    "subpart": "spt",
}
_OF_THE_TITLE = frozenset({"subtitle", "chapter", PART})
"""Levels that are numbered through a title, whatever stands between."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A division that others may stand in: what their identifiers and citations begin with.

    Attributes:
        part: the part that it is or stands in; None where it stands in none.
    """

    identifier: str
    citation: str
    level: str
    part: "tuple[str, str] | None" = None

    @property
    def of_appendices(self) -> tuple[str, str]:
        """Identifier and citation of what an appendix here belongs to, unless it says more."""
        return self.part or (self.identifier, self.citation)


@dataclass(frozen=True, slots=True)
class _Division:
    """An element of a division with its heading and its own text."""

    element: etree._Element
    level: str
    heading: str
    own: DivisionText
    extent: tuple[int, int]
    inner: tuple[etree._Element, ...]

    @property
    def number(self) -> str:
        return self.element.get("N") or ""

    @property
    def is_empty(self) -> bool:
        return not (self.heading or self.own.text or self.own.notes or self.own.credits)


class TitleReading:
    """Reads the volumes of one title, in their order."""

    def __init__(self, number: str, body: CodeBody) -> None:
        """Begin the title of this number."""
        self._body = body
        self._scheme = body.citation_schemes()[0]
        self._shape = re.compile(self._scheme.number, re.IGNORECASE | re.ASCII)
        self._number = number
        identifier = f"{body.root}/t{number}"
        citation = format_container(self._scheme, (), title=number)
        self._top = _Place(identifier, citation, TITLE)
        self._places: dict[str, tuple[_Place, int, int]] = {}
        self._volume = 0
        self._provisions: list[Provision] = []

    def volume(self, file: SourceFile, root: etree._Element) -> None:
        """Read a file of the title.

        Raises:
            MalformedFileError: its bytes cannot be pointed at.
        """
        ranges = dict(zip(root.iter(*sorted(DIVISIONS)), element_ranges(file, DIVISIONS), strict=True))
        reading = _Volume(file, ranges)
        for element in root.iter("DIV1"):
            self._volume += 1
            self._division(reading, element, None)

    def provisions(self) -> tuple[Provision, ...]:
        """Return all provisions; those of one number are told apart."""
        return tuple(tell_apart(self._provisions, version))

    def _division(self, volume: "_Volume", element: etree._Element, above: _Place | None) -> None:
        division = volume.division(element)
        if above is None:
            place = self._container(volume, division, None)
        elif division.is_empty:
            place = above  # sets off what stands in it, under no name
        elif division.level == SECTION:
            place = self._section(volume, division, above)
        elif division.level == APPENDIX:
            place = self._appendix(volume, division, above)
        else:
            place = self._container(volume, division, above)
        for child in division.inner:
            self._division(volume, child, place)

    def _container(self, volume: "_Volume", division: _Division, above: _Place | None) -> _Place:
        caption = names.container_caption(division.level, division.heading, division.number)
        place = self._inside(division.level, caption, above)
        known = self._places.get(place.identifier)
        if known is not None and known[1] != self._volume and not division.own.text:
            # A further volume begins with the headings under which the last one ended.
            self._go_on(known[2], division.own)
            return known[0]
        if known is not None:
            place = self._told_apart(place, caption.heading)
        self._places[place.identifier] = (place, self._volume, len(self._provisions))
        self._add(
            volume,
            division,
            identifier=place.identifier,
            parent=above.identifier if above else None,
            num=self._number if above is None else caption.num,
            heading=caption.heading,
            citation=place.citation,
            citable=False,
        )
        return place

    def _inside(self, level: str, caption: names.Caption, above: _Place | None) -> _Place:
        """Return the place of a container: titles number chapters and parts, and these what they hold."""
        if above is None:
            return self._top
        outer = self._top if level in _OF_THE_TITLE and caption.num else above
        if caption.num and level in _SEGMENTS:
            segment = _SEGMENTS[level] + names.compact(caption.num)
            cited = f"{ABBREVIATIONS[level]} {caption.num}"
        else:
            segment, cited = slug(caption.heading) or level.replace(" ", "-"), caption.heading or level
        identifier = f"{outer.identifier}/{segment}"
        citation = _joined(outer.citation, cited, of_title=outer is self._top)
        return _Place(identifier, citation, level, (identifier, citation) if level == PART else above.part)

    def _told_apart(self, place: _Place, heading: str) -> _Place:
        """Return a place with a mark: another container of its number stands elsewhere in the title."""
        mark = slug(heading) or place.level
        identifier, copy = f"{place.identifier}@{mark}", 1
        while identifier in self._places:
            copy += 1
            identifier = f"{place.identifier}@{mark}-copy-{copy}"
        part = (identifier, place.citation) if place.level == PART else place.part
        return replace(place, identifier=identifier, part=part)

    def _go_on(self, position: int, own: DivisionText) -> None:
        held = self._provisions[position]
        credit = " ".join(filter(None, (held.source_credit, *own.credits))) or None
        self._provisions[position] = replace(held, notes=held.notes + own.notes, source_credit=credit)

    def _section(self, volume: "_Volume", division: _Division, above: _Place) -> _Place:
        caption = names.section_caption(division.heading, division.number)
        numbers = re.split(" to |, ", caption.num or "")
        if all(map(self._shape.fullmatch, numbers)):
            num = caption.num or ""
            identifier = f"{self._top.identifier}/s{names.compact(num)}"
            citation = format_section(self._scheme, num, title=self._number)
            citable = True
        else:
            # A number such as `Sec. 1-1` counts within its part alone, where it is read as a heading.
            caption = names.Caption(None, division.heading)
            identifier = f"{above.identifier}/{slug(division.heading) or SECTION}"
            citation = _joined(above.citation, division.heading or SECTION, of_title=above is self._top)
            citable = False
        self._add(
            volume,
            division,
            identifier=identifier,
            parent=above.identifier,
            num=caption.num,
            heading=caption.heading,
            citation=citation,
            citable=citable,
        )
        return _Place(identifier, citation, SECTION, above.part)

    def _appendix(self, volume: "_Volume", division: _Division, above: _Place) -> _Place:
        caption = names.appendix_caption(division.heading)
        identifier, citation = above.of_appendices
        if not caption.belongs and above.level in _SEGMENTS:
            identifier, citation = above.identifier, above.citation
        citable = caption.kind is not None and caption.section is None and identifier != self._top.identifier
        if caption.section is not None:
            identifier = f"{self._top.identifier}/s{caption.section}"
            citation = format_section(self._scheme, caption.section, title=self._number)
        elif caption.subpart is not None:
            identifier = f"{identifier}/spt{caption.subpart}"
            citation = f"{citation}, subpt. {caption.subpart}"
            citable = citable and is_container_number(caption.subpart)
        if caption.kind is None:
            own, segment = caption.heading, slug(caption.heading) or APPENDIX
        else:
            own = f"{caption.kind.cited} {caption.num or ''}".strip()
            segment = caption.kind.segment + names.compact(caption.num or "")
            citable = citable and (caption.num is None or is_container_number(caption.num))
        identifier = f"{identifier}/{segment}"
        citation = _joined(citation, own or APPENDIX, of_title=citation == self._top.citation)
        self._add(
            volume,
            division,
            identifier=identifier,
            parent=above.identifier,
            num=caption.num,
            heading=caption.heading or division.heading,
            citation=citation,
            citable=citable,
        )
        return _Place(identifier, citation, APPENDIX, above.part)

    def _add(
        self,
        volume: "_Volume",
        division: _Division,
        *,
        identifier: str,
        parent: str | None,
        num: str | None,
        heading: str,
        citation: str,
        citable: bool,
    ) -> None:
        own = division.own
        self._provisions.append(
            Provision(
                identifier=identifier,
                parent=parent,
                level=division.level,
                num=num,
                heading=heading,
                citation=citation,
                citable=citable,
                file=volume.file.path,
                byte_start=division.extent[0],
                byte_end=division.extent[1],
                source_sha256=volume.file.sha256,
                text=own.text,
                status=names.status_of(heading, has_text=bool(own.text)),
                source_credit=" ".join(own.credits) or None,
                notes=own.notes,
            )
        )


@dataclass(frozen=True, slots=True)
class _Volume:
    """A file of a title, with the byte ranges of its divisions."""

    file: SourceFile
    ranges: dict[etree._Element, tuple[int, int]]

    def division(self, element: etree._Element) -> _Division:
        """Return a division with its heading and its own text."""
        head = heading_of(element)
        words, marks = ("", ()) if head is None else heading_words(head)
        walker = TextWalker()
        for mark in marks:
            walker.mark(mark)
        walker.words(element.text)
        inner = []
        for child in element:
            if child.tag in DIVISIONS:
                inner.append(child)
                walker.words(child.tail)
            elif child is head:
                walker.words(child.tail)
            else:
                walker.child(child)
        kind = element.get("TYPE") or ""
        level = names.LEVELS.get(kind, kind.lower() or "division")
        return _Division(element, level, words, walker.finish(), self.ranges[element], tuple(inner))


def heading_of(element: etree._Element) -> etree._Element | None:
    """Return the heading of a division: `RESERVED` stands in its place where there is nothing else."""
    for child in element:
        if child.tag in _HEADINGS:
            return child
        if child.tag in DIVISIONS:
            return None
    return None


def _joined(outer: str, own: str, *, of_title: bool) -> str:
    return f"{outer}{'' if of_title else ','} {own}"


def version(provision: Provision) -> str | None:
    """Return what tells sections of one number apart: where each was first published."""
    return names.first_register_page(provision.source_credit or "")
