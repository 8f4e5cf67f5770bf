"""Editions of a document in the XML of an Open Law Library source, with their days."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.formats.law_xml_tree import INDEX, problem_of
from assets.ingest.formats.law_xml_vocabulary import local_name
from assets.ingest.model import Problem, SourceFile, SourceFiles
from assets.ingest.xml import parse_xml

_XML = ".xml"
_BACKUP = re.compile(r"index\.xml\.\w+$")
_FIRST_YEAR = 1900
"""Publishers date what has no date of its own into the first year of the calendar."""


@dataclass(frozen=True, slots=True)
class XmlDocument:
    """A document of a library in XML.

    Attributes:
        path: of its top file.
        day: ISO date through which it says what the law is; None where nothing tells.
        is_backup: the file was put aside when newer files took its place.
    """

    path: str
    day: str | None
    is_backup: bool

    @property
    def folder(self) -> str:
        """Folder of its other files: its own, or for `charter.xml` the folder `charter` beside it."""
        folder, name = posixpath.split(self.path)
        return folder if name == INDEX or self.is_backup else self.path.removesuffix(_XML)


class SelectedFiles:
    """Some of the files of a source, by their paths in it."""

    def __init__(self, files: SourceFiles, paths: Iterable[str]) -> None:
        self._files = files
        self._paths = sorted(paths)
        self._known = frozenset(self._paths)

    def paths(self) -> list[str]:
        """Return the paths of all files, sorted."""
        return list(self._paths)

    def get(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None where it was not selected."""
        return self._files.get(path) if path in self._known else None

    def __iter__(self) -> Iterator[SourceFile]:
        """Iterate over all files in the order of their paths."""
        return (file for path in self._paths if (file := self._files.get(path)) is not None)


def below(files: SourceFiles, folder: str) -> SelectedFiles:
    """Return the files below a folder; the empty name means the source itself."""
    prefix = f"{folder}/" if folder else ""
    return SelectedFiles(files, (path for path in files.paths() if path.startswith(prefix)))


def lies_at(folder: str, address: str) -> bool:
    """Return whether a folder of the source may be where a library keeps the document of this address.

    A source may begin above the address or within it: `code-xml/us/ca/code`, `code` and the root itself all
    fit `/us/ca/code`, while `us/ca/charter` does not.
    """
    have = [part for part in folder.split("/") if part]
    want = [part for part in address.split("/") if part]
    length = min(len(have), len(want))
    return not length or have[-length:] == want[-length:]


def xml_documents(files: SourceFiles, address: str | None) -> tuple[list[XmlDocument], list[Problem]]:
    """Return the editions of a document, in the order of their paths, and the indexes that cannot be read.

    Args:
        files: of the source.
        address: where the library keeps the document, such as `/us/ca/cities/san-mateo/code`; None: it has
            one document.
    """
    found: list[XmlDocument] = []
    problems: list[Problem] = []
    for path in files.paths():
        folder, name = posixpath.split(path)
        backup = _BACKUP.match(name) is not None
        if name == INDEX or backup:
            is_there = address is None or lies_at(folder, address)
        else:
            is_there = _is_named(path, address)
        if not is_there:
            continue
        file = files.get(path)
        if file is None:
            continue
        try:
            root = parse_xml(file)
        except MalformedFileError as error:
            problems += () if backup else (problem_of(error),)
            continue
        if local_name(root) == "document":
            found.append(XmlDocument(path, _day_of(files, path, root), backup))
    return found, problems


def _is_named(path: str, address: str | None) -> bool:
    """Return whether a file may be the top file of the document of an address: `charter.xml`."""
    stem = path.removesuffix(_XML)
    is_last = address is not None and posixpath.basename(stem) == posixpath.basename(address)
    return is_last and stem != path and lies_at(stem, address or "")


def _day_of(files: SourceFiles, path: str, root: etree._Element) -> str | None:
    """Return the day of a document.

    As it says itself, else as the build of its library does. A library that is not built keeps its documents
    as they were when its history starts, and later acts beside them: they are of that day.
    """
    for element in root.iterfind("{*}meta/{*}recency"):
        if element.get("through"):
            return element.get("through")
    library = _library(files, path)
    built = [] if library is None else _days(library, ("codified-date", "build-date"))
    start = [] if library is None else _days(library, ("history-start",))
    return next(iter([*built, *_days(root, ("effective",)), *start]), None)


def _library(files: SourceFiles, path: str) -> etree._Element | None:
    """Return the root of the library that a document belongs to: the nearest above it."""
    folder = posixpath.dirname(path)
    while folder:
        folder = posixpath.dirname(folder)
        root = _root(files, posixpath.join(folder, INDEX))
        if root is not None and local_name(root) == "library":
            return root
    return None


def _days(root: etree._Element, names: Iterable[str]) -> list[str]:
    """Return the dates in a file's description, in the order of the names of their elements."""
    return [
        text
        for name in names
        for element in root.iterfind(f"{{*}}meta//{{*}}{name}")
        if is_day(text := (element.text or "").strip())
    ]


def is_day(text: str) -> bool:
    """Return whether a text is an ISO date that means one."""
    try:
        return date.fromisoformat(text).year >= _FIRST_YEAR
    except ValueError:
        return False


def _root(files: SourceFiles, path: str) -> etree._Element | None:
    file = files.get(path)
    if file is None:
        return None
    try:
        return parse_xml(file)
    except MalformedFileError:
        return None
