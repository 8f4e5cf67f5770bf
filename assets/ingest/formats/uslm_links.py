"""Links of USLM: `/us/usc/t17/s106/a` is paragraph (a) of 17 U.S.C. § 106."""

import re

from assets.ingest.formats.pin_labels import pin_of
from assets.ingest.links import ACT, OUTSIDE_COVERAGE, FollowLink, HeldBody, HeldLaw, LinkTarget, NamedSection
from serving.contract.citations import CitationScheme, format_section
from serving.contract.citations.source import fold_dashes

_SECTION = re.compile(r"/t(?P<title>\d+)(?P<appendix>a?)/s(?P<num>[^/]+)(?P<parts>(?:/[^/]+)*)/?")
_INSTRUMENTS = frozenset({"pl", "stat", "act", "eo"})
"""Second parts of paths that name a law or an order, and no code."""


def follow_links(law: HeldLaw, _body: HeldBody) -> FollowLink:
    """Return what follows links: they name the code themselves, so that they are alike in every body."""

    def follow(target: str) -> LinkTarget:
        """Return the longest part of a path that is a provision, or all of it a container."""
        path = target.partition("..")[0].rstrip("/")
        for held in law.bodies:
            prefix = held.body.source_root or held.body.root
            if path.startswith(prefix + "/"):
                return law.longest(held.body.root, path[len(prefix) + 1 :].split("/"))
        kind = path.split("/")[2:3]
        return LinkTarget(None, ACT if kind and kind[0] in _INSTRUMENTS else OUTSIDE_COVERAGE)

    return follow


def named_section(target: str, scheme: CitationScheme, root: str) -> NamedSection | None:
    """Return the section that a target names. See `assets.ingest.links.SectionNamer`."""
    path = fold_dashes(target.strip())
    found = _SECTION.fullmatch(path.removeprefix(root)) if path.startswith(root + "/") else None
    if found is None or not scheme.has_title:
        return None
    if re.fullmatch(scheme.number, found["num"], re.IGNORECASE | re.ASCII) is None:
        return None
    citation = format_section(scheme, found["num"], title=found["title"], appendix=bool(found["appendix"]))
    pin = pin_of(found["parts"].split("/"))
    return NamedSection(found["num"], pin, citation + pin)
