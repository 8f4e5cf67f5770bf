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
    if name == "sup" and _repeats_a_mark(element):
        return Fate.DISCARDED, "footnote mark"
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


def _repeats_a_mark(raised: etree._Element) -> bool:
    """Return whether a superscript is the number of a footnote above it in its provision, and set off."""
    number = "".join(map(str, raised.itertext())).strip()
    set_off = raised.xpath("string(preceding-sibling::node()[1][self::text()])")
    if str(set_off)[-1:] not in tuple("\u202f,.;:") or (raised.tail or "").startswith(("\u2044", "\u2215")):
        return False
    above = [one for one in raised.iterancestors() if etree.QName(one).localname in _ADDRESSED]
    within = next((one for one in reversed(above) if etree.QName(one).localname in _PROVISIONS), above[0])
    for element in within.iter("{*}note", "{*}footnote", "{*}sup"):
        if element is raised:
            return False
        if "footnote" in (element.get("type"), etree.QName(element).localname):
            mark = element.find("{*}num")
            if mark is not None and "".join(map(str, mark.itertext())).strip() == number:
                return True
    return False
