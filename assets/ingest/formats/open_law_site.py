"""A site of an Open Law Library document: one page per container and section, bound by tables of contents."""

import json
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from time import strptime
from typing import Any

from assets.errors import MalformedFileError
from assets.ingest.duplicates import tell_apart
from assets.ingest.formats.law_xml_code import TOP, enacting_law
from assets.ingest.formats.law_xml_hierarchy import Subheadings
from assets.ingest.formats.law_xml_names import Caption, Naming, Place, subheading_caption
from assets.ingest.formats.law_xml_tree import problem_of
from assets.ingest.formats.open_law_page import CONTAINER, DOCUMENT, SECTION, Entry, Page, open_page
from assets.ingest.formats.open_law_page_text import read_page
from assets.ingest.formats.open_law_sources import is_day, lies_at
from assets.ingest.model import Currency, Problem, Provision, SourceFiles, Unit
from assets.ingest.unplaced import unplaced
from assets.registry import CodeBody

_ENDINGS = (".html", "/index.html")
_WHOLE = ".full.html"
"""Ends the names of pages that repeat the pages of a container."""
_METADATA = "metadata.json"
_DAYS = ("codified-date", "build-date")
_CURRENT = "current through"


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of one document.

    Attributes:
        base: path of the files of what lies below the document, without a slash at its end.
        address: where the library keeps the document.
        day: ISO date through which its pages say what the law is; None where nothing tells.
    """

    files: SourceFiles
    top: Page
    base: str
    address: str
    day: str | None


def read_site(site: Site, body: CodeBody, naming: Naming, wanted: Callable[[str], bool]) -> Iterator[Unit]:
    """Yield a unit for the divisions, then one for each title whose key is wanted."""
    yield from _Reading(site, body, naming).units(wanted)


def sites(files: SourceFiles, address: str | None) -> tuple[list[Site], list[Problem]]:
    """Return the sites of a document that a source holds, and the pages that may begin one and are broken.

    Args:
        files: of the source.
        address: where the library keeps the document; None: it has one document.
    """
    paths = files.paths()
    known = frozenset(paths)
    folders = {folder for path in paths for folder in _above(path)}
    found: list[Site] = []
    problems: list[Problem] = []
    for path in paths:
        base = _stem(path)
        if base == path or base not in folders or path.endswith(_WHOLE):
            continue
        file = files.get(path) if address is None or lies_at(base, address) else None
        if file is None:
            continue
        try:
            page = open_page(file)
        except MalformedFileError as error:
            problems.append(problem_of(error))
            continue
        if page.kind == DOCUMENT and address in (None, page.address):
            found.append(Site(files, page, base, page.address, _day(files, page, base, known)))
    return found, problems


def _above(path: str) -> Iterator[str]:
    while path := posixpath.dirname(path):
        yield path


def _day(files: SourceFiles, page: Page, base: str, known: frozenset[str]) -> str | None:
    """Return the day of a site: as the document's page says, else as the nearest description above does."""
    stated = page.stated.get(_CURRENT)
    if stated:
        try:
            return date(*strptime(stated, "%B %d, %Y")[:3]).isoformat()
        except ValueError:  # in other words: the description tells too
            pass
    folder = base
    while folder:
        folder = posixpath.dirname(folder)
        path = posixpath.join(folder, _METADATA)
        if path in known and (file := files.get(path)) is not None:
            return _described_day(file.content)
    return None


def _described_day(content: bytes) -> str | None:
    try:
        described: Any = json.loads(content)
        build = described["meta"]["build"]
        return next((build[name] for name in _DAYS if is_day(build.get(name, ""))), None)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


class _Reading:
    """Reads one site from its table of contents on."""

    def __init__(self, site: Site, body: CodeBody, naming: Naming) -> None:
        self._site = site
        self._body = body
        self._naming = naming
        self._currency = None if site.day is None else Currency(site.day, site.day)
        self._seen = {site.top.file.path}
        self._known = frozenset(site.files.paths())
        self._provisions: list[Provision] = []
        self._problems: list[Problem] = []
        self._missing: list[str] = []

    def units(self, wanted: Callable[[str], bool]) -> Iterator[Unit]:
        """Yield the units; see `read_site`."""
        titles: list[tuple[Entry, Place]] = []
        subheadings = Subheadings(Place.top(self._body), self._body, [])
        for entry in self._site.top.contents():
            if entry.href is None:
                self._subheading(self._site.top, entry, subheadings)
            else:
                titles.append((entry, subheadings.here.below_division(self._body)))
        read = [unit for entry, place in titles if (unit := self._title(entry, place, wanted)) is not None]
        top = self._taken(TOP, self._site.top.caption.heading)
        if top.provisions or top.problems:
            yield top
        yield from read

    def _title(self, entry: Entry, place: Place, wanted: Callable[[str], bool]) -> Unit | None:
        above = self._provisions, self._problems
        self._provisions, self._problems = [], []
        try:
            page = self._page(self._site.top, entry)
            caption = _caption_of(page)
            if not wanted(caption.segment):
                return None
            self._read(page, place)
            lost, unlisted = self._left_over(caption.num or "")
            return replace(
                self._taken(caption.segment, caption.label),
                unread=(*lost, *unlisted),
                gaps=unplaced(caption.label, unlisted, "table of contents"),
                rest_is_whole=not lost,
                title=None if lost else caption.title,
            )
        except MalformedFileError as error:
            number = (entry.href or "").rpartition("/")[2]
            lost, unlisted = self._left_over(number)
            problems = (problem_of(error),)
            return Unit(f"t{number}", entry.text, (), problems, self._currency, (*lost, *unlisted))
        finally:
            self._provisions, self._problems = above

    def _left_over(self, number: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return pages with a title's number: what only a lost page lists, and what none does."""
        below = rf"{re.escape(self._site.base)}/(?:.*/)?{re.escape(number)}[.:-][^/]*(?:/index)?\.html"
        read = {provision.file for provision in self._provisions}
        broken = tuple(f"{_stem(problem.file)}." for problem in self._problems if problem.file not in read)
        broken += tuple(f"{base}." for base in self._missing)
        paths = [
            path
            for path in sorted(self._known - self._seen)
            if number and not path.endswith(_WHOLE) and re.fullmatch(below, path)
        ]
        lost = tuple(path for path in paths if path.startswith(broken))
        return lost, tuple(path for path in paths if path not in lost)

    def _taken(self, key: str, label: str) -> Unit:
        provisions = tell_apart(self._provisions, enacting_law)
        return Unit(key, label, tuple(provisions), tuple(self._problems), self._currency)

    def _page(self, above: Page, entry: Entry) -> Page:
        """Return the page that a line of contents leads to, which is then read.

        Raises:
            MalformedFileError: it leads to none, to one that was read, or to one that cannot be.
        """
        path = self._path_of(entry.href or "")
        if path is None or path in self._seen:
            why = "is no page of the source" if path is None else "is listed before"
            reason = f"lists {entry.href!r}, which {why}"
            raise MalformedFileError(above.file.path, reason, line=entry.line, column=1)
        self._seen.add(path)
        file = self._site.files.get(path)
        if file is None:
            raise MalformedFileError(path, "is missing from the source")
        return open_page(file)

    def _path_of(self, href: str) -> str | None:
        address = f"{self._site.address}/"
        if not href.startswith(address):
            return None
        base = f"{self._site.base}/{href.removeprefix(address).partition('#')[0]}"
        path = next((base + ending for ending in _ENDINGS if base + ending in self._known), None)
        if path is None:
            self._missing.append(base)
        return path

    def _read(self, page: Page, place: Place) -> None:
        if page.kind == SECTION:
            self._provisions.append(self._section(page, place))
            return
        if page.kind != CONTAINER:
            raise MalformedFileError(page.file.path, "is no page of a container or section", line=1, column=1)
        inside = place.inside(_caption_of(page), self._body)
        self._provisions.append(self._container(page, place, inside))
        subheadings = Subheadings(inside, self._body, [])
        for entry in page.contents():
            if entry.href is None:
                self._subheading(page, entry, subheadings)
                continue
            try:
                self._read(self._page(page, entry), subheadings.here)
            except MalformedFileError as error:
                self._problems.append(problem_of(error))

    def _container(self, page: Page, place: Place, inside: Place) -> Provision:
        caption = _caption_of(page)
        own = read_page(page, self._site.address)
        return Provision(
            identifier=inside.identifier or inside.path,
            parent=place.identifier,
            level=caption.level,
            num=caption.num,
            heading=caption.heading,
            citation=inside.citation or "",
            citable=False,
            file=page.file.path,
            byte_start=page.extent[0],
            byte_end=page.extent[1],
            source_sha256=page.file.sha256,
            text=own.text,
            status=own.status(caption.num or "", caption.heading),
            outline=own.outline,
            source_credit=own.source_credit,
            notes=tuple(own.notes),
            references=own.references,
        )

    def _section(self, page: Page, place: Place) -> Provision:
        caption = page.caption
        name = self._naming.section(caption.num or "", caption.heading, page.file.path, place)
        if name is None:
            raise MalformedFileError(page.file.path, "has a section without a number", line=1, column=1)
        own = read_page(page, self._site.address)
        return Provision(
            identifier=name.identifier,
            parent=place.identifier,
            level=caption.level or "section",
            num=name.num,
            heading=caption.heading,
            citation=name.citation,
            citable=name.num is not None,
            file=page.file.path,
            byte_start=page.extent[0],
            byte_end=page.extent[1],
            source_sha256=page.file.sha256,
            text=own.text,
            status=own.status(name.num or "", caption.heading),
            outline=own.outline,
            source_credit=own.source_credit,
            notes=tuple(own.notes),
            references=own.references,
        )

    def _subheading(self, page: Page, entry: Entry, subheadings: Subheadings) -> None:
        caption = subheading_caption(entry.text)
        place = subheadings.open(caption)
        inside = subheadings.here
        self._provisions.append(
            Provision(
                identifier=inside.identifier or inside.path,
                parent=place.identifier,
                level=caption.level,
                num=caption.num,
                heading=caption.heading,
                citation=inside.citation or "",
                citable=False,
                file=page.file.path,
                byte_start=page.extent[0],
                byte_end=page.extent[1],
                source_sha256=page.file.sha256,
            )
        )


def _stem(path: str) -> str:
    """Return the path of a page without its ending: the pages below it begin so."""
    return next((path.removesuffix(end) for end in reversed(_ENDINGS) if path.endswith(end)), path)


def _caption_of(page: Page) -> Caption:
    caption = page.caption
    return Caption(caption.level or "container", caption.num, caption.heading)
