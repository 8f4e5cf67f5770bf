"""The oracle for USLM: says of every character of a file what it is, by rules of its own over plain lxml."""

from collections import Counter

from lxml import etree

from assets.ingest.accounting import Account, Fate, squeeze
from assets.ingest.model import SourceFile
from assets.ingest.xml import parse_xml

_PROVISIONS = frozenset({"section", "courtRule", "reorganizationPlan"})
_ADDRESSED = _PROVISIONS | frozenset(
    {
        *("title", "appendix", "subtitle", "division", "subdivision", "part", "subpart", "chapter"),
        *("subchapter", "article", "subarticle", "courtRules", "reorganizationPlans", "compiledAct", "level"),
    }
)
_OUTSIDE = frozenset({"uscDoc", "lawDoc", "main", *_ADDRESSED})

_Ruling = tuple[Fate, str]
_OPERATIVE: _Ruling = (Fate.OPERATIVE, "")


def account(file: SourceFile) -> Account:
    """Return the account of a USLM file: a whole title or a single section."""
    counts: Counter[Fate] = Counter()
    discarded: Counter[str] = Counter()
    operative: list[str] = []
    rulings: list[_Ruling] = []

    def book(text: str | None, ruling: _Ruling) -> None:
        characters = squeeze(text) if text else ""
        if not characters:
            return
        fate, reason = ruling
        counts[fate] += len(characters)
        if fate is Fate.DISCARDED:
            discarded[reason] += len(characters)
        elif fate is Fate.OPERATIVE:
            operative.append(characters)

    for event, element in etree.iterwalk(parse_xml(file), events=("start", "end")):
        if event == "start":
            rulings.append(_rule(element, rulings[-1] if rulings else _OPERATIVE))
            book(element.text, rulings[-1])
        else:
            rulings.pop()
            if rulings:
                book(element.tail, rulings[-1])
    return Account(file.path, "".join(operative), counts, discarded)


def _rule(element: etree._Element, inherited: _Ruling) -> _Ruling:
    name = etree.QName(element).localname
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
