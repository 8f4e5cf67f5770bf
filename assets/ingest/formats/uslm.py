"""Reader for USLM 1 and 2: whole titles with their hierarchy, appendix titles, and single section files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.byte_ranges import element_ranges
from assets.ingest.collection import pausing_collection
from assets.ingest.duplicates import slug, tell_apart
from assets.ingest.formats import uslm_names as names
from assets.ingest.formats.uslm_elements import caption, effective, local_name, operative_text
from assets.ingest.formats.uslm_files import files_by_title
from assets.ingest.formats.uslm_names import Title
from assets.ingest.formats.uslm_text import USLM_1, USLM_2, ProvisionText, TextWalker
from assets.ingest.kept_titles import read_once
from assets.ingest.model import (
    Currency,
    Problem,
    Provision,
    SourceFile,
    SourceFiles,
    Unit,
)
from assets.ingest.xml import line_of, parse_xml
from assets.registry import CodeBody

LEAVES = frozenset({"section", "courtRule", "reorganizationPlan"})
CONTAINERS = frozenset(
    {
        *("title", "appendix", "subtitle", "division", "subdivision", "part", "subpart", "chapter"),
        *("subchapter", "article", "subarticle", "courtRules", "reorganizationPlans", "compiledAct", "level"),
    }
)
_NODES = LEAVES | CONTAINERS
_DOCUMENTS = frozenset({"uscDoc", "lawDoc"})
_DOCUMENT = re.compile(rb"<(?:\w+:)?(?:%b)[\s>]" % "|".join(sorted(_DOCUMENTS)).encode())
_HEAD_BYTES = 4096
_NUMBER_RESETS = frozenset({"compiledAct", "courtRules", "reorganizationPlans"})

_CURRENT = re.compile(r"^Current through\s+(\S+)", re.IGNORECASE)
_RELEASE = re.compile(r"@(\S+)")


@pausing_collection
def read(files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
    """Yield one unit a title. See `assets.ingest.model.Reader`."""
    for title, paths in sorted(files_by_title(files).items(), key=lambda item: item[0].order):
        unit = read_once(files, paths, partial(_read_title, title, paths, files, body))
        if unit.provisions or unit.problems:
            yield unit


@dataclass(slots=True)
class _Draft:
    """A unit while it is read."""

    title: Title
    body: CodeBody
    provisions: list[Provision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    currency: Currency | None = None


def _read_title(title: Title, paths: list[str], files: SourceFiles, body: CodeBody) -> Unit:
    draft = _Draft(title, body)
    sections: list[Provision] = []
    for path in paths:
        file = files.get(path)
        if file is None:
            continue
        try:
            sections.extend(_read_file(file, draft))
        except MalformedFileError as error:
            draft.problems.append(Problem(error.file, error.reason, error.line, error.column))
    whole = any(provision.identifier == title.identifier(body) for provision in draft.provisions)
    unread: list[str] = []
    rest_is_whole = whole or not any(_is_document(files, problem.file) for problem in draft.problems)
    if sections and whole:
        # Two versions of one title: mixed, they would be law that was in force on no day.
        first, *unread = sorted({section.file for section in sections})
        reason = (
            f"holds a section of {title.label}, which another file gives whole: {len(unread) + 1} set aside"
        )
        draft.problems.append(Problem(first, reason, 1, 1))
        sections = []
    elif sections:
        draft.provisions.append(_title_of_sections(title, body, sections[0]))
    sections.sort(key=lambda section: (names.natural_order(section.num), section.file))
    return Unit(
        key=f"t{title.number}",
        label=title.label,
        provisions=tuple(tell_apart([*draft.provisions, *sections], enacting_law)),
        problems=tuple(draft.problems),
        currency=draft.currency,
        unread=tuple(unread),
        rest_is_whole=rest_is_whole,
        title=title.number if whole else None,
    )


def _is_document(files: SourceFiles, path: str) -> bool:
    """Return whether a file, which may be broken, begins as one that gives a title whole."""
    file = files.get(path)
    return file is not None and _DOCUMENT.search(file.content[:_HEAD_BYTES]) is not None


def _read_file(file: SourceFile, draft: _Draft) -> list[Provision]:
    """Add a whole title's provisions to the draft; return the provisions of a file that holds a section."""
    root = parse_xml(file)
    name = local_name(root)
    wrong = None
    if name not in LEAVES | _DOCUMENTS or not str(root.tag).startswith((USLM_1, USLM_2)):
        wrong = f"has the root element {root.tag!r}, which is no USLM document"
    elif name in _DOCUMENTS and draft.provisions:
        wrong = f"is another file of the whole of {draft.title.label}"
    if wrong:
        raise MalformedFileError(file.path, wrong, line=line_of(root), column=1)
    reading = _FileReading(file, root, draft)
    if name in LEAVES:
        reading.node(root, _Enclosure.of_title(draft.title, draft.body))
        return reading.provisions
    reading.document(root)
    draft.provisions.extend(reading.provisions)
    return []


def _title_of_sections(title: Title, body: CodeBody, first: Provision) -> Provision:
    """Return the title above sections that came as single files: the first of them attests its number."""
    return Provision(
        identifier=title.identifier(body),
        parent=None,
        level="appendix" if title.is_appendix else "title",
        num=title.number,
        heading=body.titles.get(title.number, ""),
        citation=title.citation(body),
        citable=False,
        file=first.file,
        byte_start=first.byte_start,
        byte_end=first.byte_end,
        source_sha256=first.source_sha256,
    )


@dataclass(frozen=True, slots=True)
class _Enclosure:
    """The surroundings of a node: its parent, and what its identifier and citation build on.

    Attributes:
        numbering: identifier below which leaves are numbered: the title, an act or a set of rules.
        act: heading of the act or set of rules that numbers its own provisions.
        headings: of the containers above, innermost first.
    """

    identifier: str
    citation: str
    numbering: str
    act: str | None = None
    headings: tuple[str, ...] = ()
    is_title: bool = False

    @classmethod
    def of_title(cls, title: Title, body: CodeBody) -> "_Enclosure":
        identifier = title.identifier(body)
        return cls(identifier, title.citation(body), identifier, is_title=True)


class _FileReading:
    """One pass over a parsed file that turns its nodes into provisions, in document order."""

    def __init__(self, file: SourceFile, root: etree._Element, draft: _Draft) -> None:
        self._file = file
        self._draft = draft
        self._body = draft.body
        nodes = root.iter(*(f"{{*}}{name}" for name in sorted(_NODES)))
        self._ranges = dict(zip(nodes, element_ranges(file, _NODES), strict=True))
        self._containers_read: set[str] = set()
        self.provisions: list[Provision] = []

    def document(self, root: etree._Element) -> None:
        """Read a whole title; what precedes it only describes the file."""
        for element in root.iterfind("{*}main"):
            self._containers(element)
        self._containers(root)
        self._draft.currency = self._currency(root)

    def _containers(self, element: etree._Element) -> None:
        for child in element:
            if local_name(child) in CONTAINERS:
                self._container(child, None)

    def _currency(self, root: etree._Element) -> Currency | None:
        release = _RELEASE.search(root.findtext("{*}meta/{*}docPublicationName") or "")
        for provision in self.provisions[:1]:
            for note in provision.notes:
                current = _CURRENT.search(note.text)
                if current:
                    point = current.group(1).translate(names.DASHES)
                    return Currency(self._body.currency.format(release_point=point), point)
        if release:
            point = release.group(1)
            return Currency(self._body.currency.format(release_point=point), point)
        return None

    def node(self, element: etree._Element, enclosure: _Enclosure) -> None:
        """Read a container with all that it holds, or a leaf."""
        if local_name(element) in LEAVES:
            self._leaf(element, enclosure)
        else:
            self._container(element, enclosure)

    def _leaf(self, element: etree._Element, enclosure: _Enclosure) -> None:
        name = local_name(element)
        number_text, number, heading = caption(element)
        text = operative_text(element)
        citation = self._leaf_citation(name, number, heading, enclosure)
        self._add(
            element,
            identifier=self._identifier(
                element, enclosure.numbering, names.leaf_segment(name, number, heading)
            ),
            parent=enclosure.identifier,
            number=number,
            number_text=number_text,
            heading=heading,
            citation=citation,
            citable=True,
            text=text,
        )

    def _leaf_citation(self, name: str, number: str | None, heading: str, enclosure: _Enclosure) -> str:
        own = names.own_name(self._body, number, [heading, *enclosure.headings])
        if own is not None:
            return own
        title = self._draft.title
        if name == "section" and number is not None:
            if enclosure.act is None:
                return names.section_citation(self._body, title, number)
            return names.act_citation(enclosure.act, number, title.citation(self._body))
        level = names.LEVELS.get(name, name)
        source = names.title_case(enclosure.act) if enclosure.act else enclosure.citation
        return f"{source}, {level} {number}" if number else f"{source}, {names.title_case(heading)}"

    def _container(self, element: etree._Element, enclosure: _Enclosure | None) -> None:
        name = local_name(element)
        number_text, number, heading = caption(element)
        if enclosure is None:
            heading = self._title_heading(element, heading)
            inside = self._title_enclosure(element, number, heading)
            parent = None
        else:
            inside = self._inner_enclosure(element, name, number, heading, enclosure)
            parent = enclosure.identifier
        nodes, walker = [], TextWalker()
        for child in element:
            child_name = local_name(child)
            if child_name in _NODES:
                nodes.append(child)
            elif child_name not in ("num", "heading"):
                walker.child(child)
        self._add(
            element,
            identifier=inside.identifier,
            parent=parent,
            number=self._draft.title.number if enclosure is None else number,
            number_text=number_text,
            heading=heading,
            citation=inside.citation,
            citable=False,
            text=walker.finish(),
        )
        for child in nodes:
            self.node(child, inside)

    def _title_heading(self, element: etree._Element, heading: str) -> str:
        """Return the heading of a title. For that of an appendix, sources give its first act's."""
        if not self._draft.title.is_appendix:
            return heading
        first = next((child for child in element if local_name(child) in CONTAINERS), None)
        if first is None or caption(first)[2] != heading:
            return heading
        return self._body.titles.get(self._draft.title.number, heading)

    def _title_enclosure(self, element: etree._Element, number: str | None, heading: str) -> _Enclosure:
        found = Title.parse(element.get("identifier") or number or "")
        if found is not None and found != self._draft.title:
            raise MalformedFileError(
                self._file.path,
                f"holds {found.label} but was taken for {self._draft.title.label}",
                line=line_of(element),
                column=1,
            )
        return replace(_Enclosure.of_title(self._draft.title, self._body), headings=(heading,))

    def _inner_enclosure(
        self, element: etree._Element, name: str, number: str | None, heading: str, enclosure: _Enclosure
    ) -> _Enclosure:
        word = element.get("role") if name == "level" and number is None and not heading else name
        segment = names.container_segment(word or name, number, heading)
        identifier = self._identifier(element, enclosure.identifier, segment)
        if identifier in self._containers_read:
            # Two containers with one number: the heading tells them apart, and their contents follow.
            identifier = f"{identifier}@{slug(heading)}"
        self._containers_read.add(identifier)
        resets = name in _NUMBER_RESETS
        return _Enclosure(
            identifier=identifier,
            citation=names.container_citation(
                enclosure.citation, name, number, heading, below_title=enclosure.is_title
            ),
            numbering=identifier if resets else enclosure.numbering,
            act=heading if resets else enclosure.act,
            headings=(heading, *enclosure.headings),
        )

    def _identifier(self, element: etree._Element, base: str, segment: str) -> str:
        """Return the source's identifier where it lies below the title's; else one built from the place."""
        source = (element.get("identifier") or "").translate(names.DASHES)
        source_root = self._body.source_root or self._body.root
        if source.startswith(f"{source_root}/t{self._draft.title.number}/") and not re.search(
            r"[\s@]", source
        ):
            return self._body.root + source.removeprefix(source_root)
        return f"{base}/{segment}"

    def _add(
        self,
        element: etree._Element,
        *,
        identifier: str,
        parent: str | None,
        number: str | None,
        number_text: str,
        heading: str,
        citation: str,
        citable: bool,
        text: ProvisionText,
    ) -> None:
        name = local_name(element)
        start, end = self._ranges[element]
        self.provisions.append(
            Provision(
                identifier=identifier,
                parent=parent,
                level=names.LEVELS.get(name, name.lower()),
                num=number,
                heading=names.clean_heading(heading),
                citation=citation,
                citable=citable,
                file=self._file.path,
                byte_start=start,
                byte_end=end,
                source_sha256=self._file.sha256,
                text=text.text,
                status=names.status_of(
                    element.get("status"), number_text=number_text, heading=heading, has_text=bool(text.text)
                ),
                outline=text.outline,
                source_credit=text.source_credit,
                notes=text.notes,
                references=text.references,
                effective=effective(element),
            )
        )


def enacting_law(provision: Provision) -> str | None:
    """Return the slug of the first law in the source credit, such as `pl-117-263`."""
    return names.law_slug(provision.source_credit or "")
