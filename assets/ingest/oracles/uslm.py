"""The oracle for USLM: says of every character of a file what it is, by rules of its own over plain lxml."""

from lxml import etree

from assets.ingest.accounting import Account, Fate, Ruling, keep_account
from assets.ingest.model import SourceFile

_PROVISIONS = frozenset({"section", "courtRule", "reorganizationPlan"})
_ADDRESSED = _PROVISIONS | frozenset(
    {
        *("title", "appendix", "subtitle", "division", "subdivision", "part", "subpart", "chapter"),
        *("subchapter", "article", "subarticle", "courtRules", "reorganizationPlans", "compiledAct", "level"),
    }
)
_OUTSIDE = frozenset({"uscDoc", "lawDoc", "main", *_ADDRESSED})


def account(file: SourceFile) -> Account:
    """Return the account of a USLM file: a whole title or a single section."""
    return keep_account(file, _rule)


def _rule(element: etree._Element, path: list[str], inherited: Ruling) -> Ruling:
    name = path[-1]
    if inherited[0] is Fate.DISCARDED:
        return inherited
    if name in ("meta", "toc"):
        return Fate.DISCARDED, {"meta": "description of the file", "toc": "table of contents"}[name]
    if name == "ref" and element.get("class") == "footnoteRef":
        return Fate.DISCARDED, "footnote mark"
    if inherited[0] is not Fate.OPERATIVE:
        return inherited
    if name in ("note", "notes", "footnote"):
        return Fate.NOTE, ""
    if name == "sourceCredit":
        return Fate.CREDIT, ""
    if name in ("num", "heading") and _captions_a_node(element):
        return (Fate.NUMBER if name == "num" else Fate.HEADING), ""
    return inherited


def _captions_a_node(caption: etree._Element) -> bool:
    """Return whether this is the number or heading of a node of the tree, not of a part of its text."""
    parent = caption.getparent()
    if parent is None or etree.QName(parent).localname not in _ADDRESSED:
        return False
    return all(etree.QName(above).localname in _OUTSIDE - _PROVISIONS for above in parent.iterancestors())
