"""The oracle for the Open Law Library's publishers: their law-xml, and the pages of their sites."""

import re

from lxml import etree

from assets.ingest.accounting import Account, Fate, Ruling, keep_account
from assets.ingest.model import SourceFile
from assets.ingest.oracles import law_xml

_FRAME: Ruling = (Fate.DISCARDED, "frame of the site around its page")
_CONTENTS: Ruling = (Fate.DISCARDED, "table of contents")
_MESSAGE: Ruling = (Fate.DISCARDED, "message of the site on changes to come")
_BY_NAME: dict[str, Ruling] = {"h1": (Fate.HEADING, ""), "s": (Fate.DISCARDED, "struck text")}
_ANNOTATIONS = "annotations"
_TITLES = ("h2", "h3", "h4", "h5")


def account(file: SourceFile) -> Account:
    """Return the account of a file of the library: a page of its site, or law-xml."""
    if file.path.endswith(".html"):
        return keep_account(file, _rule_of_page)
    return law_xml.account(file)


def _rule_of_page(element: etree._Element, path: list[str], inherited: Ruling) -> Ruling:
    if "article" not in path:
        return _FRAME
    name = path[-1]
    if name == "article":
        return Fate.OPERATIVE, ""
    inside = path[path.index("article") + 1 :]
    if "nav" in inside:
        return _rule_in_contents(element, name)
    block = element.getparent()
    if inherited[0] is Fate.NOTE and block is not None and _ANNOTATIONS in (block.get("class") or "").split():
        return _rule_of_annotation(element, block, inherited)
    if inherited[0] is not Fate.OPERATIVE:
        return inherited
    if name in _BY_NAME:
        return _BY_NAME[name]
    marked = _rule_by_mark(element)
    if marked is not None:
        return marked
    if len(inside) == 2 and law_xml.is_remark("".join(map(str, element.itertext()))):
        return Fate.NOTE, ""
    return inherited


def _rule_by_mark(element: etree._Element) -> Ruling | None:
    """Return the ruling on an element by its class or role; None where these say nothing."""
    classes = (element.get("class") or "").split()
    if "footnote-anchor" in classes:
        return Fate.DISCARDED, "mark of a footnote"
    if _ANNOTATIONS in classes or element.get("role") == "doc-endnotes":
        return Fate.NOTE, ""
    return _MESSAGE if "message" in classes else None


def _rule_in_contents(element: etree._Element, name: str) -> Ruling:
    """Return the ruling on what lists the pages below: words among its items are the container's own."""
    if name == "ul":
        own = " ".join([element.text or "", *(item.tail or "" for item in element)])
        return (Fate.NOTE if law_xml.is_remark(own) else Fate.OPERATIVE), ""
    return (Fate.HEADING, "") if name in _TITLES else _CONTENTS


def _rule_of_annotation(element: etree._Element, block: etree._Element, inherited: Ruling) -> Ruling:
    """Return the ruling on a line beside the text: a history stands first, or under a title so named.

    Beside a container, what stands first is one if it is in brackets with a number, and no link to the code.
    """
    if element.tag in _TITLES:
        return inherited
    titles = list(element.itersiblings(*_TITLES, preceding=True))
    if titles:
        is_history = re.search(r"history\s*$", "".join(map(str, titles[0].itertext())), re.IGNORECASE)
        return (Fate.CREDIT, "") if is_history else inherited
    words = "".join("".join(map(str, element.itertext())).split())
    bracketed = re.fullmatch(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", words)
    leads_inside = any("/code/" in (link.get("href") or "") for link in element.iter("a"))
    if block.tag == "aside" or (bracketed and re.search(r"\d", words) and not leads_inside):
        return Fate.CREDIT, ""
    return inherited
