"""The editions of one document in an Open Law Library source: XML, what it replaced, sites, loose titles."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from assets.ingest.formats.law_xml_code import CodeFiles, read_code
from assets.ingest.formats.law_xml_names import Naming
from assets.ingest.formats.law_xml_tree import INDEX, SourceTree
from assets.ingest.formats.open_law_site import Site, read_site, sites
from assets.ingest.formats.open_law_sources import SelectedFiles, XmlDocument, below, xml_documents
from assets.ingest.model import Currency, Problem, SourceFiles, Unit
from assets.registry import CodeBody


class Edition(Protocol):
    """One edition of a document, read anew each time it is asked."""

    @property
    def day(self) -> str | None:
        """ISO date through which it says what the law is."""
        ...

    @property
    def is_one_file(self) -> bool:
        """Return whether all its titles stand in one file."""
        ...

    @property
    def top(self) -> str | None:
        """Path of the file that lists its titles, whose problem it is where one of them is not there."""
        ...

    def units(self, naming: Naming, wanted: Callable[[str], bool], /) -> Iterator[Unit]:
        """Yield at least those of its units whose keys are wanted."""
        ...

    def owns(self, path: str, /) -> bool:
        """Return whether an XML file at this path would be a part of it."""
        ...


def editions_of(files: SourceFiles, body: CodeBody) -> tuple[list[Edition], list[Problem]]:
    """Return the editions of the body's document, newest first, and what may be one and cannot be read.

    Of one day, a file that holds all titles comes last. Where the registry does not say where the library
    keeps the document (`source_root`), there must be one document.
    """
    documents, problems = xml_documents(files, body.source_root)
    found_sites, broken = sites(files, body.source_root)
    problems += broken
    names = {posixpath.basename(posixpath.dirname(document.path)) for document in documents}
    names |= {posixpath.basename(site.base) for site in found_sites}
    if body.source_root is None and len(names) > 1:
        reason = f"the source holds several documents ({', '.join(sorted(names))}); name one as source_root"
        return [], [Problem(INDEX, reason)]
    found: list[Edition] = [_XmlEdition(files, body, document) for document in documents]
    found += [_SiteEdition(site, body) for site in found_sites]
    if not found and not problems and _holds_only_titles(files):
        found.append(_LooseTitles(files, body))
    return sorted(
        found, key=lambda edition: (edition.day or "", not edition.is_one_file), reverse=True
    ), problems


def _holds_only_titles(files: SourceFiles) -> bool:
    """Return whether a source has XML and no document: the titles of others are not the body's."""
    has_xml = any(path.endswith(".xml") for path in files.paths())
    return has_xml and not xml_documents(files, None)[0]


@dataclass(frozen=True, slots=True)
class _XmlEdition:
    """A document in XML."""

    files: SourceFiles
    body: CodeBody
    document: XmlDocument

    @property
    def day(self) -> str | None:
        """See `Edition`."""
        return self.document.day

    @property
    def is_one_file(self) -> bool:
        """See `Edition`."""
        return self.document.is_backup

    @property
    def top(self) -> str | None:
        """See `Edition`."""
        return self.document.path

    def units(self, naming: Naming, _wanted: Callable[[str], bool], /) -> Iterator[Unit]:
        """See `Edition`."""
        path = self.document.path
        alone = self.is_one_file
        beside = () if alone else below(self.files, self.document.folder).paths()
        files = SelectedFiles(self.files, {path, *beside})
        currency = None if self.day is None else Currency(self.day, self.day)
        yield from read_code(CodeFiles(SourceTree(files, path), self.body, naming, currency))

    def owns(self, path: str, /) -> bool:
        """See `Edition`."""
        folder = self.document.folder
        within = not folder or path.startswith(f"{folder}/")
        return path == self.document.path or (not self.is_one_file and within)


@dataclass(frozen=True, slots=True)
class _SiteEdition:
    """A site of pages."""

    site: Site
    body: CodeBody
    is_one_file: bool = False

    @property
    def day(self) -> str | None:
        """See `Edition`."""
        return self.site.day

    @property
    def top(self) -> str | None:
        """See `Edition`."""
        return self.site.top.file.path

    def units(self, naming: Naming, wanted: Callable[[str], bool], /) -> Iterator[Unit]:
        """See `Edition`."""
        yield from read_site(self.site, self.body, naming, wanted)

    def owns(self, _path: str, /) -> bool:
        """See `Edition`. None of its pages is XML."""
        return False


@dataclass(frozen=True, slots=True)
class _LooseTitles:
    """XML files of titles without a document that lists them."""

    files: SourceFiles
    body: CodeBody
    day: str | None = None
    is_one_file: bool = False
    top: str | None = None

    def units(self, naming: Naming, _wanted: Callable[[str], bool], /) -> Iterator[Unit]:
        """See `Edition`."""
        yield from read_code(CodeFiles(SourceTree(self.files), self.body, naming, None))

    def owns(self, _path: str, /) -> bool:
        """See `Edition`."""
        return True
