"""Links of UniCourt's pages: ids of sections, `t47c18s47-18-104ol1a1`, in the same file or another.

Sections of a title that has no chapters stand where one would: `t8.5c8.5A-116`. Only the law that is held
tells these from what the publisher's program took for a section: `Precinct 2-1` of a district is `t02c2-1`.
"""

import re

from assets.ingest.formats.pin_labels import pin_of
from assets.ingest.links import (
    AMBIGUOUS,
    NOT_FOUND,
    OUTSIDE_COVERAGE,
    FollowLink,
    HeldBody,
    HeldLaw,
    LinkTarget,
    NamedSection,
)
from serving.contract.citations import CitationScheme, format_section

_TITLE = re.compile(r"t0*(\d+(?:\.\d+)?[A-Z]?|[IVXLC]+)(?=[a-z])")
_PARTS = re.compile(r"\d+|[a-z]+|[A-Z]+")
_VERSION = re.compile(r"\.0[1-9]$")
"""Ends the id of a further version of a section."""


def follow_links(law: HeldLaw, held: HeldBody) -> FollowLink:
    """Return what follows the links of a code body."""
    scheme = held.body.citation_schemes()[0]

    def holds(title: str | None) -> bool:
        return bool(title) and law.longest(held.body.root, [f"t{title}"]).reason in (None, AMBIGUOUS)

    def follow(target: str) -> LinkTarget:
        reason = NOT_FOUND
        for _, title, number in _numbers(target, scheme, before="[sc]"):
            # An id may be of another title than the number, which tells where its section stands.
            reason = NOT_FOUND if holds(title) or holds(scheme.title_in(number)) else OUTSIDE_COVERAGE
            parts = [f"t{title}", f"s{number}"] if scheme.has_title else [number]
            found = law.longest(held.body.root, parts)
            if found.position is not None or found.reason == AMBIGUOUS:
                return found
        return LinkTarget(None, reason)

    return follow


def named_section(target: str, scheme: CitationScheme, _root: str) -> NamedSection | None:
    """Return the section that a target names. See `assets.ingest.links.SectionNamer`."""
    for part, title, number in _numbers(target, scheme):
        citation = format_section(scheme, number, title=title if scheme.has_title else None)
        return NamedSection(number, part, citation + part)
    return None


def _numbers(target: str, scheme: CitationScheme, *, before: str = "s") -> list[tuple[str, str, str]]:
    """Return pin, title and number of the section that an id names, each way to read it."""
    match = re.search(rf"(?:^|{before})({scheme.number})(?:ol\d(\w+))?$", target, re.IGNORECASE | re.ASCII)
    if match is None:
        return []
    title = _TITLE.match(target)
    if scheme.has_title and title is None:
        return []
    number = match[1]
    pin = pin_of(_PARTS.findall(match[2])) if match[2] else ""
    numbers = [number, _VERSION.sub("", number)] if _VERSION.search(number) else [number]
    return [(pin, title[1] if title else "", own) for own in numbers]
