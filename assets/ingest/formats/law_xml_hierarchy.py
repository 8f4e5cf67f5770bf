"""The provisions of one unit of law-xml: containers, the sections they include, and subheadings between."""

from collections import Counter
from dataclasses import dataclass

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.byte_ranges import element_ranges
from assets.ingest.duplicates import slug
from assets.ingest.formats.law_xml_names import Caption, Naming, Place, subheading_caption
from assets.ingest.formats.law_xml_section import (
    caption_of,
    container_status,
    own_text,
    read_container,
    read_section,
    read_subheading,
    section_range,
)
from assets.ingest.formats.law_xml_tree import Document, SourceTree, problem_of
from assets.ingest.formats.law_xml_vocabulary import XINCLUDE, Vocabulary, local_name, vocabulary_of
from assets.ingest.model import Problem, Provision
from assets.ingest.xml import line_of
from assets.registry import CodeBody
from serving.contract.records import IN_FORCE

_NODES = frozenset({"container", "section", "subheading"})


class Source:
    """A parsed file that holds containers, and where its elements lie in its bytes."""

    def __init__(self, document: Document) -> None:
        self.file = document.file
        self.root = document.root
        self.vocabulary: Vocabulary = vocabulary_of(document.root)
        nodes = document.root.iter(*(f"{{*}}{name}" for name in sorted(_NODES)))
        self._extents = dict(zip(nodes, element_ranges(document.file, _NODES), strict=True))

    def extent(self, element: etree._Element) -> tuple[int, int]:
        """Return [start, end) of a container, section or subheading in the bytes of the file."""
        return self._extents[element]


@dataclass(slots=True)
class Subheadings:
    """The subheadings open at a point among the children of a container, outermost first.

    A subheading owns what follows it, up to the next with its own word or to the end of the container:
    `Subdivision A` below `Subtitle VI`, and `Subtitle VII` ends both.
    """

    outer: Place
    body: CodeBody
    opened: list[tuple[str, Place]]

    @property
    def here(self) -> Place:
        """The place of what comes next."""
        return self.opened[-1][1] if self.opened else self.outer

    def open(self, caption: Caption) -> Place:
        """Open a subheading and return the place that it stands in itself."""
        while any(level == caption.level for level, _ in self.opened):
            self.opened.pop()
        place = self.here
        self.opened.append((caption.level, place.inside(caption, self.body)))
        return place


class Hierarchy:
    """Reads containers with all that they hold and include.

    Attributes:
        provisions: in document order.
        problems: of files that could not be read.
        rest_is_whole: none of them says where others belong.
    """

    def __init__(self, tree: SourceTree, body: CodeBody, naming: Naming) -> None:
        self._tree = tree
        self._body = body
        self._naming = naming
        self.provisions: list[Provision] = []
        self.problems: list[Problem] = []
        self.rest_is_whole = True

    def document(self, document: Document, place: Place) -> None:
        """Read a file that holds one container or section."""
        names = vocabulary_of(document.root)
        tag = document.root.tag
        try:
            if tag == names.section:
                self._section_file(document, names, place)
            elif tag == names.container:
                source = Source(document)
                self.container(source, source.root, place)
            else:
                reason = f"has the root element {local_name(document.root)!r}: no section or container"
                self.problems.append(Problem(document.file.path, reason, line_of(document.root), 1))
        except MalformedFileError as error:
            self.problems.append(problem_of(error))
            self.rest_is_whole &= tag != names.container

    def container(self, source: Source, element: etree._Element, place: Place, mark: str = "") -> None:
        """Read a container. `mark` tells it from others with its number."""
        caption = caption_of(element, source.vocabulary)
        inside = place.inside(caption, self._body, mark)
        self.provisions.append(
            read_container(
                element,
                source.extent(element),
                caption=caption,
                file=source.file,
                vocabulary=source.vocabulary,
                place=place,
                inside=inside,
            )
        )
        self._children(source, element, inside)

    def subheading(self, source: Source, element: etree._Element, subheadings: Subheadings) -> None:
        """Read a subheading, which then owns what follows it."""
        caption = subheading_caption(own_text(element))
        place = subheadings.open(caption)
        self.provisions.append(
            read_subheading(
                element,
                source.extent(element),
                caption=caption,
                file=source.file,
                vocabulary=source.vocabulary,
                place=place,
                inside=subheadings.here,
            )
        )

    def section(self, source: Source, element: etree._Element, place: Place) -> None:
        """Read a section that stands in the file of its container."""
        try:
            self.provisions.append(
                read_section(
                    element,
                    source.extent(element),
                    file=source.file,
                    vocabulary=source.vocabulary,
                    place=place,
                    naming=self._naming,
                )
            )
        except MalformedFileError as error:
            self.problems.append(problem_of(error))

    def _children(self, source: Source, element: etree._Element, inside: Place) -> None:
        subheadings = Subheadings(inside, self._body, [])
        names = source.vocabulary
        marks = _marks(element, names)
        for child in element:
            tag = child.tag
            if tag == XINCLUDE:
                self._include(source, child, subheadings.here)
            elif tag == names.container:
                self.container(source, child, subheadings.here, marks.get(child, ""))
            elif tag == names.subheading:
                self.subheading(source, child, subheadings)
            elif tag == names.section:
                self.section(source, child, subheadings.here)

    def _include(self, source: Source, include: etree._Element, place: Place) -> None:
        try:
            path = self._tree.target(source.file, include)
        except MalformedFileError as error:
            self.problems.append(problem_of(error))
            self.rest_is_whole &= not self._tree.is_lost_index(source.file, include)
            return
        try:
            document = self._tree.document(path)
        except MalformedFileError as error:
            self.problems.append(problem_of(error))
            self.rest_is_whole &= not self._tree.places_others(path)
            return
        self.document(document, place)

    def _section_file(self, document: Document, names: Vocabulary, place: Place) -> None:
        self.provisions.append(
            read_section(
                document.root,
                section_range(document.file),
                file=document.file,
                vocabulary=names,
                place=place,
                naming=self._naming,
            )
        )


def _marks(element: etree._Element, names: Vocabulary) -> dict[etree._Element, str]:
    """Return the marks of containers that share their number with a sibling: their headings.

    The only one of them in force needs none. Sections below containers are numbered without regard to them,
    so that only containers have to be told apart before what they hold is read.
    """
    group = 0
    siblings: list[tuple[tuple[int, str], etree._Element]] = []
    for child in element:
        if child.tag == names.subheading:
            group += 1
        elif child.tag == names.container:
            siblings.append(((group, caption_of(child, names).segment), child))
    counts = Counter(key for key, _ in siblings)
    shared = [(key, child) for key, child in siblings if counts[key] > 1]
    if not shared:
        return {}
    live = Counter(key for key, child in shared if container_status(child, names) == IN_FORCE)
    marks: dict[etree._Element, str] = {}
    copies: Counter[tuple[tuple[int, str], str]] = Counter()
    for key, child in shared:
        if live[key] == 1 and container_status(child, names) == IN_FORCE:
            continue
        mark = f"@{slug(own_text(child.find(names.heading)))}"
        copies[key, mark] += 1
        # Alike in number and heading, two can only be told apart by which comes first.
        marks[child] = f"{mark}-{copies[key, mark]}" if copies[key, mark] > 1 else mark
    return marks
