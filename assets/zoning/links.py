"""Zone → provision: the link with its evidence, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from assets.registry import Layer
from assets.zoning.districts import District, Districts
from assets.zoning.ordinance import Ordinance, OrdinanceNode
from assets.zoning.sections import OfficialSections
from serving.contract.layers import LINK_LINKED, LINK_PLACEHOLDER, LINKED, PENDING


class Basis(StrEnum):
    """Kinds of evidence that a link rests on."""

    HEADING = "heading"
    NAME = "name"
    TEXT = "text"
    ALIAS = "alias"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Link:
    """The link of a zone to the provision that defines it, or a placeholder.

    Attributes:
        code: of the zone.
        node: the provision that defines it; None on a placeholder.
        citation: of the provision, or the official one that a placeholder carries; None: nothing tells.
        heading: likewise.
        basis: what the link rests on.
        witness: the provision that holds the quoted words: the node, or one in it.
        quote: words of the law that name the district; "" where there are none.
        reason: the evidence in words, or why there is no link.
    """

    code: str
    node: OrdinanceNode | None
    citation: str | None
    heading: str | None
    basis: Basis
    witness: OrdinanceNode | None
    quote: str
    reason: str

    @property
    def state(self) -> str:
        """`linked` or `placeholder`."""
        return LINK_PLACEHOLDER if self.node is None else LINK_LINKED


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a layer's zones, in the order of the zones.

    Attributes:
        unused: districts that the law defines and no zone has.
    """

    links: tuple[Link, ...]
    unused: tuple[District, ...]

    @property
    def citation_quality(self) -> str:
        """`linked` where every zone is, else `pending`."""
        return LINKED if self.links and all(link.node for link in self.links) else PENDING


def link_zones(
    codes: Sequence[str], layer: Layer, ordinance: Ordinance | None, sections: OfficialSections
) -> Links:
    """Link each zone code to the provision that defines its district.

    A link counts where a provision's heading names the district or its text sets the code out as one, or
    where a reviewed alias says so. A code that merely occurs is no evidence.

    Args:
        codes: of the zones.
        layer: with the reviewed aliases.
        ordinance: the code that the layer belongs to; None where its text is not held.
        sections: official section numbers for zones without a link.
    """
    if ordinance is None:
        held = (
            f"the text of {layer.code_body} is not in this build"
            if layer.code_body
            else ("the text of the ordinance is not held")
        )
        reason = f"No provision can be cited: {held}."
        return Links(tuple(_placeholder(code, reason, sections) for code in codes), ())
    districts = Districts(ordinance)
    links = tuple(_link(code, layer, ordinance, districts, sections) for code in codes)
    known = {*codes, *(alias.code for alias in layer.aliases)}
    return Links(links, tuple(districts.without(known)))


def _link(
    code: str, layer: Layer, ordinance: Ordinance, districts: Districts, sections: OfficialSections
) -> Link:
    alias = layer.alias_of(code)
    if alias is not None and alias.identifier is not None:
        node = ordinance.find(alias.identifier)
        if node is None:
            reason = f"The reviewed alias names {alias.identifier}, which is no live provision of this code."
            return _placeholder(code, reason, sections)
        reason = f"Reviewed by {alias.reviewed_by}: {alias.evidence}"
        return _linked(code, node, Basis.ALIAS, node, "", reason)
    found = districts.of_code(code)
    if found is not None:
        return _found(code, found, Basis.HEADING if found.quote == found.witness.heading else Basis.TEXT)
    named = districts.abbreviated(code) or districts.of_name(code)
    if named is not None:
        return _found(code, named, Basis.NAME)
    return _placeholder(code, _why_not(code, districts), sections)


def _found(code: str, district: District, basis: Basis) -> Link:
    where = "Text" if basis is Basis.TEXT else "Heading"
    reason = f"{where} of {district.witness.label}: “{district.quote}”"
    return _linked(code, district.node, basis, district.witness, district.quote, reason)


def _linked(
    code: str, node: OrdinanceNode, basis: Basis, witness: OrdinanceNode, quote: str, reason: str
) -> Link:
    return Link(code, node, node.citation, node.heading, basis, witness, quote, reason)


def _why_not(code: str, districts: Districts) -> str:
    mentions = districts.mentions(code)
    if not mentions:
        return f"No provision of the code names a district {code}."
    more = f" and {len(mentions) - 1} more" if len(mentions) > 1 else ""
    return f"The code mentions a district {code} ({mentions[0].label}{more}), but no provision defines it."


def _placeholder(code: str, reason: str, sections: OfficialSections) -> Link:
    official = sections.find(code)
    citation = None if official is None else official.citation
    heading = None if official is None else official.name
    return Link(code, None, citation, heading, Basis.NONE, None, "", reason)
