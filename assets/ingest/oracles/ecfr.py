"""The oracle for the eCFR: says of every character of a file what it is, by rules of its own."""

from collections import Counter

from lxml import etree

from assets.ingest.accounting import OPERATIVE, Account, Fate, Ruling, squeeze
from assets.ingest.model import SourceFile
from assets.ingest.xml import parse_xml

_APART: dict[str, Ruling] = {
    "CITA": (Fate.CREDIT, ""),
    **dict.fromkeys(
        ("AUTH", "SOURCE", "SECAUTH", "PARAUTH", "APPRO", "EDNOTE", "EFFDNOT", "CROSSREF", "NOTE", "XREF"),
        (Fate.NOTE, ""),
    ),
    **dict.fromkeys(("FTNT", "EFTNT"), (Fate.NOTE, "")),
    "CFRTOC": (Fate.DISCARDED, "table of contents"),
}
_OUTSIDE: Ruling = (Fate.DISCARDED, "description of the file")
_MARK: Ruling = (Fate.DISCARDED, "footnote mark")
_PICTURE: Ruling = (Fate.DISCARDED, "label of a link to a picture")
_PRINTED = {"1": "\u0301", "2": "\u0300", "3": "\u0302", "4": "\u0308", "6": "\u0303", "7": "\u030a"}
_PRINTED |= {"8": "\u0303", "9": "\u0327"}


def account(file: SourceFile) -> Account:
    """Return the account of a file: of each division its own text, and then that of the divisions in it.

    Raises:
        MalformedFileError: the file cannot be parsed.
    """
    counts: Counter[Fate] = Counter()
    discarded: Counter[str] = Counter()
    texts: list[list[str]] = [[]]
    inside = [0]
    rulings = [_OUTSIDE]

    def book(text: str | None, ruling: Ruling) -> None:
        characters = squeeze(text) if text else ""
        fate, reason = ruling
        counts[fate] += len(characters)
        if fate is Fate.DISCARDED:
            discarded[reason] += len(characters)
        elif fate is Fate.OPERATIVE:
            texts[inside[-1]].append(characters)

    for event, element in etree.iterwalk(parse_xml(file), events=("start", "end")):
        if event == "start":
            if _is_division(element):
                inside.append(len(texts))
                texts.append([])
            rulings.append(_rule(element, rulings[-1]))
            book(_printed(element), rulings[-1])
            book(element.text, rulings[-1])
        else:
            rulings.pop()
            if _is_division(element):
                inside.pop()
            book(element.tail, rulings[-1])
    return Account(file.path, "".join(run for text in texts for run in text), +counts, +discarded)


def _is_division(element: etree._Element) -> bool:
    name = str(element.tag)
    return len(name) == 4 and name.startswith("DIV") and name[3] in "123456789"


def _rule(element: etree._Element, inherited: Ruling) -> Ruling:
    name = str(element.tag)
    if name == "DIV1":
        return OPERATIVE
    is_mark = name in ("SU", "sup", "E") and _calls_a_footnote(element)
    if inherited[0] is not Fate.OPERATIVE:
        return _MARK if inherited[0] is Fate.HEADING and is_mark else inherited
    if name in ("HEAD", "RESERVED") and _heads(element):
        return Fate.HEADING, ""
    if name in _APART:
        return _APART[name]
    if is_mark:
        return _MARK
    if name == "a" and "/graphics/" in element.get("href", ""):
        return _PICTURE
    return inherited


def _heads(element: etree._Element) -> bool:
    """Return whether this is the first heading of a division, before the divisions in it."""
    above = element.getparent()
    if above is None or not _is_division(above):
        return False
    before = list(element.itersiblings(preceding=True))
    return not any(one.tag in ("HEAD", "RESERVED") or _is_division(one) for one in before)


def _calls_a_footnote(element: etree._Element) -> bool:
    following = element.getnext()
    raised = element.tag != "E" or element.get("T") == "51"
    return raised and following is not None and following.tag == "FTREF" and not (element.tail or "").strip()


def _printed(element: etree._Element) -> str:
    """Return what an element prints that has no words of its own."""
    if element.tag == "STARS":
        return "*****"
    return _PRINTED.get(element.get("T", ""), "") if element.tag == "AC" else ""
