"""The tree of a law-xml source's files: its top document and the inclusions below it.

Inclusions are resolved here, inside the pinned files and nowhere else, not by the XML parser.
"""

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from urllib.parse import unquote, urlsplit

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.formats.law_xml_vocabulary import XINCLUDE, local_name
from assets.ingest.model import Problem, SourceFile, SourceFiles
from assets.ingest.xml import line_of, parse_xml

INDEX = "index.xml"

_CONTAINER = re.compile(
    # Atomic: else many comments could be taken for one in as many ways as there are sets of them.
    rb"(?:\xef\xbb\xbf)?\s*(?>(?:<\?[^>]*\?>\s*|(?><!--.*?-->)\s*)*)<(?:\w+:)?container[\s>]",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file."""

    file: SourceFile
    root: etree._Element


def problem_of(error: MalformedFileError) -> Problem:
    """Return an error as the problem of a unit."""
    return Problem(error.file, error.reason, error.line, error.column)


class SourceTree:
    """The pinned files of a code body in law-xml.

    Attributes:
        files: of the source.
        top: the document that holds the titles; None where the source has none.
        titles: paths of the titles' own index files where there is no top document.
        problems: index files that cannot be read, by path.
    """

    def __init__(self, files: SourceFiles, top: str | None = None) -> None:
        """Look through the indexes.

        Args:
            files: of the source.
            top: path of the top document where it is known.
        """
        self.files = files
        self._indexes: dict[str, Document] = {}
        self._known = frozenset(files.paths())
        self._paths = sorted(path for path in self._known if path.endswith(".xml"))
        self.problems: dict[str, Problem] = {}
        indexes = [path for path in self._paths if posixpath.basename(path) == INDEX] or self._loose()
        indexes.sort(key=lambda path: (path != top, path.count("/"), path))
        if top is not None and top not in indexes:
            indexes.insert(0, top)
        self.top = self._find_top(indexes)
        folder = posixpath.dirname(self.top.file.path) if self.top else ""
        self._folder = f"{folder}/" if folder else ""
        for path in indexes:
            if path.startswith(self._folder):
                self._index(path)
        self.titles = [] if self.top else self._outermost()
        self._led_to = self._reached(self.titles if self.top is None else [self.top.file.path])
        self._read: set[str] = {self.top.file.path} if self.top else set()

    def document(self, path: str) -> Document:
        """Return a file of the source, parsed.

        Raises:
            MalformedFileError: it cannot be read.
        """
        self._read.add(path)
        if path in self.problems:
            problem = self.problems[path]
            raise MalformedFileError(path, problem.reason, line=problem.line, column=problem.column)
        if path in self._indexes:
            return self._indexes[path]
        return self._parse(path)

    def target(self, including: SourceFile, include: etree._Element) -> str:
        """Return the path of the file that an inclusion names.

        Raises:
            MalformedFileError: it leads out of the source, to no file, or does not include XML whole; names
                the including file and the line.
        """
        reference = include.get("href") or ""
        path = self._resolve(including.path, include)
        if path is None:
            reason = f"includes {reference!r}, which does not lead to a file of the source"
        elif not _is_whole(include):
            reason = f"includes {reference!r} other than as a whole XML file"
        elif path in self._read:
            reason = f"includes {reference!r}, which is included already or includes this file"
        else:
            return path
        raise MalformedFileError(including.path, reason, line=line_of(include), column=1)

    def places_others(self, path: str) -> bool:
        """Return whether a file, which may be broken or missing, says where others belong."""
        if posixpath.basename(path) == INDEX:
            return True
        file = self.files.get(path)
        return file is not None and _CONTAINER.match(file.content) is not None

    def is_lost_index(self, including: SourceFile, include: etree._Element) -> bool:
        """Return whether an inclusion names an index that the source does not hold."""
        name = posixpath.basename(include.get("href") or "")
        return name == INDEX and self._resolve(including.path, include) is None

    def not_led_to(self, folder: str) -> tuple[str, ...]:
        """Return the XML files below a folder, and not already read, that the tree does not lead to."""
        return tuple(path for path in self.unread(folder) if path not in self._led_to)

    def unread(self, folder: str) -> tuple[str, ...]:
        """Return the XML files below a folder that have not been read."""
        return tuple(path for path in self.below(folder) if path not in self._read)

    def below(self, folder: str) -> tuple[str, ...]:
        """Return the XML files below a folder."""
        first = bisect_left(self._paths, folder)
        return tuple(takewhile(lambda path: path.startswith(folder), islice(self._paths, first, None)))

    def led_to(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return those of these files that the tree leads to."""
        return tuple(path for path in paths if path in self._led_to)

    @property
    def read(self) -> frozenset[str]:
        """The files that have been read so far."""
        return frozenset(self._read)

    def note_read(self, paths: Iterable[str]) -> None:
        """Take files as read that were read at another time: who includes them again is told so."""
        self._read.update(paths)

    def is_above_titles(self, path: str) -> bool:
        """Return whether this file lies above all others, as the top document does."""
        folder = path.removesuffix(INDEX)
        return len(self.titles) > 1 and all(other.startswith(folder) for other in self.titles)

    def outside(self, folders: list[str]) -> list[str]:
        """Return the XML files that the tree does not lead to and that lie in none of these folders."""
        return [path for path in self.not_led_to(self._folder) if not path.startswith(tuple(folders))]

    def _loose(self) -> list[str]:
        """Return the files that hold a container, of a source without an index."""
        return [
            path
            for path in self._paths
            if (file := self.files.get(path)) is not None and _CONTAINER.match(file.content)
        ]

    def _find_top(self, indexes: list[str]) -> Document | None:
        for path in indexes:
            document = self._index(path)
            if document is not None and local_name(document.root) == "document":
                return document
        return None

    def _index(self, path: str) -> Document | None:
        if path in self.problems:
            return None
        if path not in self._indexes:
            try:
                self._indexes[path] = self._parse(path)
            except MalformedFileError as error:
                self.problems[path] = problem_of(error)
                return None
        return self._indexes[path]

    def _parse(self, path: str) -> Document:
        file = self.files.get(path)
        if file is None:
            raise MalformedFileError(path, "is missing from the source")
        return Document(file, parse_xml(file))

    def _inclusions(self, path: str, *, only_whole: bool = True) -> Iterator[str]:
        """Yield the paths of the files that an index includes; none for any other file."""
        document = self._indexes.get(path)
        for include in () if document is None else document.root.iter(XINCLUDE):
            target = self._resolve(path, include) if _is_whole(include) or not only_whole else None
            if target is not None:
                yield target

    def _outermost(self) -> list[str]:
        """Return the indexes that no index before them includes, so that of a circle the first remains."""
        included_whole = {target for path in self._indexes for target in self._inclusions(path)}
        outermost = [path for path in self.problems if path not in included_whole]
        included: set[str] = set()
        for path in self._indexes:
            if path not in included:
                outermost.append(path)
            included.update(self._inclusions(path, only_whole=False))
        return outermost

    def _reached(self, paths: Iterable[str]) -> frozenset[str]:
        """Return these paths, those of the files that they include, and so on."""
        reached: set[str] = set()
        ahead = list(paths)
        while ahead:
            path = ahead.pop()
            if path not in reached:
                reached.add(path)
                ahead += self._inclusions(path)
        return frozenset(reached)

    def _resolve(self, including: str, include: etree._Element) -> str | None:
        """Return the path that an inclusion leads to; None where it leaves the source or finds no file."""
        reference = include.get("href") or ""
        folder = including.rpartition("/")[0]
        plain = f"{folder}/{reference.removeprefix('./')}" if folder else reference.removeprefix("./")
        if plain in self._known:
            return plain
        parts = urlsplit(reference)
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return None
        path = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
        return path if path in self._known else None


def _is_whole(include: etree._Element) -> bool:
    """Return whether an inclusion takes in a whole file, as XML."""
    return include.keys() == ["href"] or (
        include.get("parse", "xml") == "xml" and not include.get("xpointer")
    )
