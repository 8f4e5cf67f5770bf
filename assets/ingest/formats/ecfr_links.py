"""Links of the eCFR: it marks up none. What its words cite is read from them, as in every code."""

from assets.ingest.links import NOT_FOUND, FollowLink, HeldBody, HeldLaw, LinkTarget, NamedSection
from serving.contract.citations import CitationScheme


def follow_links(_law: HeldLaw, _held: HeldBody) -> FollowLink:
    """Return what follows the links of a code body, of which there are none."""
    return lambda _target: LinkTarget(None, NOT_FOUND)


def named_section(_target: str, _scheme: CitationScheme, _root: str) -> NamedSection | None:
    """Return None: no link names a section. See `assets.ingest.links.SectionNamer`."""
    return None
