"""Reader for the eCFR's XML: a file for each title, as the bulk data and the point-in-time service give it.

A title of several volumes has a `DIV1` for each; they may stand in several files.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from functools import partial
from time import strptime

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.collection import pausing_collection
from assets.ingest.formats.ecfr_text import folded
from assets.ingest.formats.ecfr_title import TitleReading, heading_of
from assets.ingest.kept_titles import read_once
from assets.ingest.model import Currency, Problem, SourceFile, SourceFiles, Unit
from assets.ingest.xml import line_of, parse_xml
from assets.registry import CodeBody

__all__ = ["SIGN", "read"]

SIGN = re.compile(rb"<(?:DLPSTEXTCLASS|ECFRBRWS|ECFR)[\s>]")

_HEAD_BYTES = 8192
_NUMBERS = (
    re.compile(rb"<HEAD>\s*Title\s+(\d+)\b"),
    re.compile(rb'<IDNO TYPE="title">\s*(\d+)'),
    re.compile(rb'<DIV1 [^>]*NODE="(\d+):'),
    re.compile(rb'<DIV1 [^>]*N="(\d+)"'),
)
"""Signs of a title's number, the surest first: the number of a `DIV1` may be that of the volume."""
_NO_TITLE = 0
_DAY = re.compile(r"([A-Z][a-z]{2})[a-z]*\.? (\d{1,2}), (\d{4})")


@pausing_collection
def read(files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
    """Yield a unit a title. See `assets.ingest.model.Reader`."""
    titles: defaultdict[int, list[str]] = defaultdict(list)
    for file in files:
        if file.path.lower().endswith(".xml"):
            titles[_title_of(file)].append(file.path)
    for number, paths in sorted(titles.items()):
        yield read_once(files, paths, partial(_title, number, paths, files, body))


def _title_of(file: SourceFile) -> int:
    head = file.content[:_HEAD_BYTES]
    found = (match for sign in _NUMBERS if (match := sign.search(head)))
    first = next(found, None)
    return int(first[1]) if first else _NO_TITLE


def _title(number: int, paths: list[str], files: SourceFiles, body: CodeBody) -> Unit:
    reading = TitleReading(str(number), body)
    problems: list[Problem] = []
    volumes: dict[str, str] = {}
    days: list[str] = []
    for path in paths:
        file = files.get(path)
        if file is None:
            continue
        try:
            root = parse_xml(file)
            wrong = _misfit(root, volumes)
            if wrong is not None:
                raise MalformedFileError(path, wrong, line=line_of(root), column=1)
            reading.volume(file, root)
        except MalformedFileError as error:
            problems.append(Problem(error.file, error.reason, error.line, error.column))
            continue
        volumes.update(dict.fromkeys(_volumes(root), path))
        days += _days(root)
    label = f"Title {number}" if number != _NO_TITLE else "A file that names no title"
    currency = Currency(body.currency.format(release_point=max(days)), max(days)) if days else None
    return Unit(
        key=f"t{number}",
        label=label,
        provisions=reading.provisions(),
        problems=tuple(problems),
        currency=currency,
        rest_is_whole=not problems,  # a file that is set aside may be the newer edition of a volume
    )


def _misfit(root: etree._Element, held: dict[str, str]) -> str | None:
    """Return what is wrong with a file; None where nothing is."""
    volumes = _volumes(root)
    if not volumes:
        return f"has the root element {root.tag!r} and no title of the eCFR in it"
    if sum(heading_of(volume) is None for volume in root.iter("DIV1")):
        return "holds a title without a heading"
    again = [volume for volume in volumes if volume in held]
    return f"holds the same volume of a title as {held[again[0]]}" if again else None


def _volumes(root: etree._Element) -> list[str]:
    return [volume.get("N") or "" for volume in root.iter("DIV1")]


def _days(root: etree._Element) -> list[str]:
    """Return the days on which volumes were last amended."""
    said = [folded(element) for element in root.iter("AMDDATE")]
    said += [element.get("AMDDATE") or "" for element in root.iter("VOLUME")]
    days = []
    for words in said:
        match = _DAY.search(words)
        if match:
            try:
                day = date(*strptime(" ".join(match.groups()), "%b %d %Y")[:3])
            except ValueError:
                continue
            days.append(day.isoformat())
    return days
