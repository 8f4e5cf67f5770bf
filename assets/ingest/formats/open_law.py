"""Reader for the Open Law Library's publishers: codes and regulations in its XML, or as its sites of pages.

A source may hold a document several times: in XML, in an XML file that newer ones replaced (`index.xml.bak`),
and as a site of one page per section. The newest of these *editions* says which titles there are. A title
that it lists and does not hold comes from the newest edition that does; that title then says its own day, and
the gap is named. So does a title whose newest file is broken, which stays a problem until the file is whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assets.ingest.collection import pausing_collection
from assets.ingest.formats import law_xml_vocabulary
from assets.ingest.formats.law_xml_code import TOP
from assets.ingest.formats.law_xml_tree import INDEX
from assets.ingest.formats.open_law_editions import Edition, editions_of
from assets.ingest.formats.open_law_names import OpenLawNaming, is_bare
from assets.ingest.model import Problem, SourceFiles, Unit
from assets.registry import CodeBody

SIGN = re.compile(rb"%b|itemprop=[\"']doc-type[\"']" % law_xml_vocabulary.SIGN.pattern)
"""The namespace of its XML, or what every page of a site says of itself."""


@pausing_collection
def read(files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
    """Yield a unit for what stands above the titles, then one a title. See `assets.ingest.model.Reader`."""
    editions, problems = editions_of(files, body)
    if not editions:
        where = f"of {body.source_root} " if body.source_root else ""
        none = Problem(INDEX, f"the source holds no document {where}in XML or as a site")
        yield Unit(TOP, body.name, (), tuple(problems) or (none,))
        return
    naming = OpenLawNaming(body)
    units = _read(editions, naming)
    if _numbers_restart(units):
        units = _read(editions, replace(naming, restarts=True))
    aside = _replaced(files, units, editions[0])
    for number, unit in enumerate(units):
        # What begins an edition and cannot be read may be newer than all of this.
        whole = unit.rest_is_whole and not problems
        told = replace(unit, problems=(*unit.problems, *problems), rest_is_whole=whole)
        yield told if number else replace(told, unread=(*unit.unread, *aside))


def _read(editions: Sequence[Edition], naming: OpenLawNaming) -> list[Unit]:
    """Return the newest edition's units, those without provisions from the editions before it."""
    newest, *older = editions
    units = list(newest.units(naming, _any))
    lacking = {unit.key for unit in units if not unit.provisions and unit.key != TOP}
    substitutes: dict[str, Unit] = {}
    for edition in older:
        wanted = lacking - substitutes.keys()
        if not wanted:
            break
        for unit in edition.units(naming, wanted.__contains__):
            if unit.key in wanted and unit.provisions:
                shared = {provision.file for provision in unit.provisions} if edition.is_one_file else set()
                substitutes[unit.key] = replace(unit, partly=tuple(sorted(shared)))
    return [
        unit if unit.key not in substitutes else _from_earlier(unit, substitutes[unit.key], newest)
        for unit in units
    ]


def _any(_key: str) -> bool:
    return True


def _numbers_restart(units: Sequence[Unit]) -> bool:
    """Return whether one bare number stands for sections of several containers."""
    parents: dict[str, str | None] = {}
    for unit in units:
        for provision in unit.provisions:
            if provision.num is None or not provision.citable or not is_bare(provision.num):
                continue
            if parents.setdefault(provision.num, provision.parent) != provision.parent:
                return True
    return False


def _from_earlier(unit: Unit, earlier: Unit, newest: Edition) -> Unit:
    """Return a title of an older edition in the place of one that the newest lists and does not hold.

    What only says that its file is missing is a gap, not a problem: nothing is there that could be repaired.
    """
    day = newest.day
    named = f"the edition of {day}" if day else "the newest edition"
    own = earlier.currency.current_through if earlier.currency else None
    gap = f"{earlier.label} is as of {own or 'an earlier day'}: {named} lists it and does not hold it."
    is_as_old = own is not None and own == day
    problems = tuple(problem for problem in unit.problems if problem.file != newest.top)
    return replace(
        earlier,
        problems=(*earlier.problems, *problems),
        gaps=earlier.gaps if is_as_old else (gap, *earlier.gaps),
        rest_is_whole=earlier.rest_is_whole and not problems,
    )


def _replaced(files: SourceFiles, units: Sequence[Unit], newest: Edition) -> list[str]:
    """Return the XML files of other documents, and of editions that newer ones replace."""
    used = {provision.file for unit in units for provision in unit.provisions}
    return [
        path for path in files.paths() if path.endswith(".xml") and path not in used and not newest.owns(path)
    ]
