"""Reader for the Open Law Library's publishers: codes and regulations in its XML, or as its sites of pages.

A source may hold a document several times: in XML, in an XML file that newer ones replaced (`index.xml.bak`),
and as a site of one page per section. The newest of these *editions* says which titles there are. A title
that it lists and does not hold comes from the newest edition that does; that title then says its own day, and
the gap is named. So does a title whose newest file is broken, which stays a problem until the file is whole.
"""

import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from assets.ingest.collection import collection_paused
from assets.ingest.formats.law_xml_code import TOP, CodeFiles, read_code
from assets.ingest.formats.law_xml_tree import INDEX, SourceTree
from assets.ingest.formats.open_law_names import OpenLawNaming
from assets.ingest.formats.open_law_site import sites
from assets.ingest.formats.open_law_sources import SelectedFiles, XmlDocument, below, xml_documents
from assets.ingest.model import Currency, Problem, SourceFiles, Unit
from assets.registry import CodeBody


class _Edition(Protocol):
    """One edition of the document, read anew each time it is asked."""

    @property
    def day(self) -> str | None:
        """ISO date through which it says what the law is."""
        ...

    @property
    def is_one_file(self) -> bool:
        """Return whether all its titles stand in one file."""
        ...

    def units(self, wanted: Callable[[str], bool]) -> Iterator[Unit]:
        """Yield at least those of its units whose keys are wanted.

        Titles that its index lists and that cannot be had are problems of the index.
        """
        ...

    def owns(self, path: str) -> bool:
        """Return whether every XML file at this path is a part of it."""
        ...


@collection_paused
def read(files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
    """Yield a unit for what stands above the titles, then one a title. See `assets.ingest.model.Reader`."""
    editions = _editions(files, body)
    if not editions:
        reason = f"the source holds no document of {body.source_root or 'a library'}"
        yield Unit(TOP, body.name, (), (Problem(INDEX, f"{reason}: neither XML nor pages"),))
        return
    newest, *older = editions
    units = [*_completed(list(newest.units(_any)), newest, older)]
    aside = _replaced(files, units, newest)
    for number, unit in enumerate(units):
        yield unit if number else replace(unit, unread=(*unit.unread, *aside))


def _any(key: str) -> bool:  # noqa: ARG001 - the shape of a choice
    return True


@dataclass(frozen=True, slots=True)
class _XmlEdition:
    """A document in XML."""

    files: SourceFiles
    body: CodeBody
    document: XmlDocument

    @property
    def day(self) -> str | None:
        """See `_Edition`."""
        return self.document.day

    @property
    def is_one_file(self) -> bool:
        """See `_Edition`."""
        return self.document.is_backup

    def units(self, wanted: Callable[[str], bool]) -> Iterator[Unit]:  # noqa: ARG002
        """See `_Edition`."""
        path = self.document.path
        alone = self.is_one_file
        files = SelectedFiles(self.files, [path]) if alone else below(self.files, posixpath.dirname(path))
        currency = None if self.day is None else Currency(self.day, self.day)
        yield from read_code(
            CodeFiles(SourceTree(files, path), self.body, OpenLawNaming(self.body), currency)
        )

    def owns(self, path: str) -> bool:
        """See `_Edition`."""
        folder = posixpath.dirname(self.document.path)
        return not self.document.is_backup and (not folder or path.startswith(f"{folder}/"))


@dataclass(frozen=True, slots=True)
class _LooseTitles:
    """XML files of titles without a document that lists them."""

    files: SourceFiles
    body: CodeBody
    day: str | None = None
    is_one_file: bool = False

    def units(self, wanted: Callable[[str], bool]) -> Iterator[Unit]:  # noqa: ARG002
        """See `_Edition`."""
        yield from read_code(CodeFiles(SourceTree(self.files), self.body, OpenLawNaming(self.body), None))

    def owns(self, path: str) -> bool:  # noqa: ARG002
        """See `_Edition`."""
        return True


def _editions(files: SourceFiles, body: CodeBody) -> list[_Edition]:
    """Return the editions of the body's document, newest first; of one day, XML before its backups."""
    found: list[_Edition] = [
        _XmlEdition(files, body, document) for document in xml_documents(files, body.source_root)
    ]
    found += sites(files, body)
    if not found and any(path.endswith(".xml") for path in files.paths()):
        found.append(_LooseTitles(files, body))
    return sorted(found, key=lambda edition: (edition.day or "", not edition.is_one_file), reverse=True)


def _completed(units: Sequence[Unit], newest: _Edition, older: Sequence[_Edition]) -> Iterator[Unit]:
    """Yield the newest edition's units, those without provisions from the editions before it."""
    lacking = {unit.key for unit in units if not unit.provisions and unit.key != TOP}
    substitutes: dict[str, Unit] = {}
    for edition in older:
        wanted = lacking - substitutes.keys()
        if not wanted:
            break
        for unit in edition.units(wanted.__contains__):
            if unit.key in wanted and unit.provisions:
                files = {provision.file for provision in unit.provisions} if edition.is_one_file else set()
                substitutes[unit.key] = replace(unit, partly=tuple(sorted(files)))
    for unit in units:
        earlier = substitutes.get(unit.key)
        yield unit if earlier is None else _from_earlier(unit, earlier, newest.day)


def _from_earlier(unit: Unit, earlier: Unit, day: str | None) -> Unit:
    """Return a title of an older edition in the place of one that the newest lists and does not hold.

    What only says that its file is missing is a gap, not a problem: nothing is there that could be repaired.
    """
    named = f"the edition of {day}" if day else "the newest edition"
    own = earlier.currency.current_through if earlier.currency else None
    gap = f"{earlier.label} is as of {own or 'an earlier day'}: {named} lists it and does not hold it."
    is_as_old = own is not None and own == day
    return replace(
        earlier,
        problems=tuple(problem for problem in unit.problems if posixpath.basename(problem.file) != INDEX),
        gaps=() if is_as_old else (gap,),
    )


def _replaced(files: SourceFiles, units: Sequence[Unit], newest: _Edition) -> list[str]:
    """Return the XML files of other documents, and of editions that newer ones replace."""
    used = {provision.file for unit in units for provision in unit.provisions}
    return [
        path for path in files.paths() if path.endswith(".xml") and path not in used and not newest.owns(path)
    ]
