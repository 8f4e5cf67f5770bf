"""Links of law-xml to sections: `§42-404|(a)` is a section and its paragraphs."""

import re

from assets.ingest.formats.pin_labels import pin_of
from assets.ingest.links import NamedSection
from serving.contract.citations import CitationScheme, format_section
from serving.contract.citations.source import fold_dashes

_SECTION = re.compile(r"§ ?(?P<num>[^|§\s]+)(?P<parts>(?:\|[^|]+)*)")


def named_section(target: str, scheme: CitationScheme, _root: str) -> NamedSection | None:
    """Return the section that a target names. See `assets.ingest.links.SectionNamer`."""
    found = _SECTION.fullmatch(fold_dashes(target.strip()))
    if found is None or scheme.has_title:
        return None
    if re.fullmatch(scheme.number, found["num"], re.IGNORECASE | re.ASCII) is None:
        return None
    citation = format_section(scheme, found["num"])
    pin = pin_of(found["parts"].split("|"))
    return NamedSection(found["num"], pin, citation + pin)
