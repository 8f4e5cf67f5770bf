"""Codes in law-xml: a top document over titles, in one file or included from many, to units."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.duplicates import slug, tell_apart
from assets.ingest.formats.law_xml_hierarchy import Hierarchy, Source, Subheadings
from assets.ingest.formats.law_xml_names import Naming, Place
from assets.ingest.formats.law_xml_section import caption_of, own_text
from assets.ingest.formats.law_xml_tree import INDEX, Document, SourceTree, problem_of
from assets.ingest.formats.law_xml_vocabulary import XINCLUDE, local_name, vocabulary_of
from assets.ingest.kept_titles import read_once
from assets.ingest.model import Currency, Problem, Provision, Unit
from assets.ingest.unplaced import unplaced
from assets.ingest.xml import line_of
from assets.registry import CodeBody

TOP = "top"
"""Key of the unit that holds what stands above the titles: the divisions of the code."""

_LAW = re.compile(r"(?:D\.C\. (?:Law|Act)|Pub\. L\.|(?:Ord|Res)\.(?: No\.)?) \d+-\d+")


@dataclass(frozen=True, slots=True)
class CodeFiles:
    """A code in law-xml, and how it is to be read.

    Attributes:
        currency: of all its units; None where the source does not say.
    """

    tree: SourceTree
    body: CodeBody
    naming: Naming
    currency: Currency | None


def read_code(code: CodeFiles) -> Iterator[Unit]:
    """Yield a unit for the divisions, then one a title; no two with one key.

    The top document is the shallowest `index.xml` whose root is `document`; without one, every `index.xml`
    that no other includes is read as a title.
    """
    keys: set[str] = set()
    for unit in _units(code):
        yield unit if unit.key not in keys else _second(unit)
        keys.add(unit.key)


def _units(code: CodeFiles) -> Iterator[Unit]:
    tree = code.tree
    if tree.top is not None:
        yield from _Code(code, tree.top).units()
    elif tree.titles:
        for path in sorted(tree.titles, key=_natural_order):
            yield _title_file(code, path, Place.top(code.body))
    else:
        missing = Problem(INDEX, "the source holds no index.xml with a code or a title")
        yield Unit(TOP, code.body.name, (), (missing,))


@dataclass(frozen=True, slots=True)
class _Title:
    """A child of the top document that is a unit of its own.

    Attributes:
        element: the container itself, or what includes it.
        path: of the file that is included; what is wrong with the inclusion; None for the container itself.
        place: where it stands.
    """

    element: etree._Element
    path: str | Problem | None
    place: Place


class _Code:
    """Reads a source with a top document."""

    def __init__(self, code: CodeFiles, top: Document) -> None:
        self._code = code
        self._tree = code.tree
        self._body = body = code.body
        self._source = Source(top)
        self._label = own_text(top.root.find(self._source.vocabulary.heading)) or body.name

    def units(self) -> Iterator[Unit]:
        hierarchy = _hierarchy(self._code)
        titles = self._above_titles(hierarchy)
        paths: dict[str, _Title] = {}
        for title in titles:
            if isinstance(title.path, str):
                paths.setdefault(title.path, title)
        hierarchy.problems += self._repeated(titles, paths)
        strays = tuple(self._tree.outside([_folder(path) for path in paths if _folder(path)]))
        if hierarchy.provisions or hierarchy.problems or strays:
            top = _unit(TOP, self._label, hierarchy, self._code.currency)
            yield replace(top, unread=strays, gaps=unplaced(self._label, strays, "index"))
        for title in titles:
            if title.path is None:
                yield self._inline(title)
            elif isinstance(title.path, Problem):
                key, label = _name_of_path(title.element.get("href") or "")
                yield Unit(key, label, (), (title.path,), self._code.currency)
            elif paths[title.path] is title:
                yield _title_folder(self._code, title.path, title.place)

    def _repeated(self, titles: list[_Title], paths: dict[str, _Title]) -> Iterator[Problem]:
        """Yield the titles that are included again."""
        for title in titles:
            if isinstance(title.path, str) and paths[title.path] is not title:
                reason = f"includes {title.path!r} more than once"
                yield Problem(self._source.file.path, reason, line_of(title.element), 1)

    def _above_titles(self, hierarchy: Hierarchy) -> list[_Title]:
        """Read what stands above the titles; return these."""
        names = self._source.vocabulary
        subheadings = Subheadings(Place.top(self._body), self._body, [])
        titles = []
        for child in self._source.root:
            if child.tag == names.subheading:
                hierarchy.subheading(self._source, child, subheadings)
            elif child.tag == names.section:
                hierarchy.section(self._source, child, subheadings.here.below_division(self._body))
            elif child.tag in (XINCLUDE, names.container):
                place = subheadings.here.below_division(self._body)
                titles.append(_Title(child, self._path(child), place))
        return titles

    def _path(self, element: etree._Element) -> str | Problem | None:
        if element.tag != XINCLUDE:
            return None
        try:
            return self._tree.target(self._source.file, element)
        except MalformedFileError as error:
            return problem_of(error)

    def _inline(self, title: _Title) -> Unit:
        caption = caption_of(title.element, self._source.vocabulary)
        hierarchy = _hierarchy(self._code)
        hierarchy.container(self._source, title.element, title.place)
        unit = _unit(caption.segment, caption.label, hierarchy, self._code.currency)
        return replace(unit, title=caption.title)


def _hierarchy(code: CodeFiles) -> Hierarchy:
    return Hierarchy(code.tree, code.body, code.naming)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A title as it was read, without the currency of the whole, and the files that were read for it."""

    unit: Unit
    files: frozenset[str]


def _title_folder(code: CodeFiles, path: str, place: Place) -> Unit:
    """Return the unit of a title's own file, read once for the same files in its folder.

    That is kept of titles alone that are read whole from their folder: in others, files elsewhere have a say.
    """
    tree, folder = code.tree, _folder(path)
    below = tree.below(folder) if folder else ()
    if not below or not tree.read.isdisjoint(below):
        return _title_file(code, path, place)

    def read() -> _Reading:
        before = tree.read
        unit = _title_file(replace(code, currency=None), path, place)
        return _Reading(unit, tree.read - before)

    reading = read_once(
        tree.files,
        below,
        read,
        given=(path, place, code.naming, tree.led_to(below)),
        keeps=lambda reading: not reading.unit.problems and reading.files.issubset(below),
    )
    tree.note_read(reading.files)
    return replace(reading.unit, currency=code.currency)


def _title_file(code: CodeFiles, path: str, place: Place) -> Unit:
    """Return the unit of a title's own file and of those that it leads to."""
    tree, currency = code.tree, code.currency
    hierarchy = _hierarchy(code)
    try:
        document = tree.document(path)
    except MalformedFileError as error:
        above = tree.is_above_titles(path)
        key, label = (TOP, f"The top index of {code.body.name}") if above else _name_of_path(path)
        unread = () if above else _unread(tree, path)
        return Unit(key, label, (), (problem_of(error),), currency, unread)
    number = None
    if local_name(document.root) == "container":
        caption = caption_of(document.root, vocabulary_of(document.root))
        key, label, number = caption.segment, caption.label, caption.title
    else:
        key, label = _name_of_path(path)
    hierarchy.document(document, place)
    unit = _unit(key, label, hierarchy, currency)
    if not (hierarchy.provisions and hierarchy.rest_is_whole):
        return replace(unit, unread=_unread(tree, path))
    folder = _folder(path)
    strays = tree.not_led_to(folder) if folder else ()
    return replace(unit, unread=strays, gaps=unplaced(label, strays, "index"), title=number)


def _unread(tree: SourceTree, index: str) -> tuple[str, ...]:
    """Return the files that only an index which cannot be used could have placed."""
    folder = _folder(index)
    return tree.unread(folder) if folder else ()


def _second(unit: Unit) -> Unit:
    """Return a title that has the number of one before it as a problem: which is meant is not ours to say."""
    paths = sorted({provision.file for provision in unit.provisions} | {p.file for p in unit.problems})
    first = unit.provisions[0].file if unit.provisions else unit.problems[0].file
    problem = Problem(first, f"has the number of an index before it, {unit.label}")
    unread = (*(path for path in paths if path != first), *unit.unread)
    return Unit(
        f"{unit.key}@{first}", f"Another {unit.label}", (), (problem, *unit.problems), unit.currency, unread
    )


def _unit(key: str, label: str, hierarchy: Hierarchy, currency: Currency | None) -> Unit:
    provisions = tell_apart(hierarchy.provisions, enacting_law)
    return Unit(
        key,
        label,
        tuple(provisions),
        tuple(hierarchy.problems),
        currency,
        rest_is_whole=hierarchy.rest_is_whole,
    )


def enacting_law(provision: Provision) -> str | None:
    """Return the slug of the first law in a provision's history, such as `d-c-law-18-378`."""
    match = _LAW.search(provision.source_credit or "")
    return slug(match.group()) if match else None


def _folder(path: str) -> str:
    """Return the folder that belongs to an index alone, with a slash; empty where there is none."""
    folder, name = posixpath.split(path)
    return f"{folder}/" if folder and name == INDEX else ""


def _name_of_path(path: str) -> tuple[str, str]:
    """Return key and label of a title that cannot be read, from where its file is or should be."""
    folder, name = posixpath.split(path)
    number = posixpath.basename(folder) if name == INDEX else name.removesuffix(".xml")
    return (f"t{number}", f"Title {number}") if number else (TOP, path)


def _natural_order(path: str) -> list[tuple[int, str]]:
    parts = re.findall(r"\d+|\D+", path)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
