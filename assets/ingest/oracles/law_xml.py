"""The oracle for law-xml: says of every character of a file what it is, by rules of its own."""

import re

from lxml import etree

from assets.ingest.accounting import Account, Fate, Ruling, keep_account
from assets.ingest.model import SourceFile

_RULES: dict[tuple[str, str], Ruling] = {
    # (parent, element), read only outside a section's text
    ("document", "heading"): (Fate.HEADING, ""),
    ("document", "meta"): (Fate.DISCARDED, "description of the file"),
    ("document", "subheading"): (Fate.HEADING, ""),
    ("container", "subheading"): (Fate.HEADING, ""),
    ("container", "heading"): (Fate.HEADING, ""),
    ("container", "num"): (Fate.NUMBER, ""),
    ("container", "prefix"): (Fate.NUMBER, ""),
    ("section", "heading"): (Fate.HEADING, ""),
    ("section", "num"): (Fate.NUMBER, ""),
    ("section", "prefix"): (Fate.DISCARDED, "section sign before the number"),
    ("section", "reason"): (Fate.NOTE, ""),
    ("container", "reason"): (Fate.NOTE, ""),
}
_HIERARCHY = frozenset({"document", "container", "section"})

_STATUS = re.compile(
    r"(repealed|expired|omitted|reserved|vacant|abolished|transferred|not applicable|not fund(ed)+"
    r"|applicable( as of)? [a-z]+ \d+, \d+|(recodified|renumbered|redesignated) (as|at) §.*"
    r"|transferred (to|as|at) §.*|recodified|renumbered|redesignated|reserved for future codification)"
)
_FILED = re.compile(r"\(?de-?codified\b.{0,80}")
_REMARK = re.compile(r"\[(pursuant to .* shall apply as of |this [a-z]+ has been removed from )")


def account(file: SourceFile) -> Account:
    """Return the account of a file of law-xml: an index of containers or a single section."""
    return keep_account(file, _rule)


def _rule(element: etree._Element, path: list[str], inherited: Ruling) -> Ruling:
    name = path[-1]
    if path[0] not in _HIERARCHY:
        return Fate.DISCARDED, "catalogue of the library, no part of the code"
    if inherited[0] is Fate.DISCARDED:
        return inherited
    if (etree.QName(element).namespace or "").endswith("/codify"):
        return Fate.DISCARDED, "instruction to the codifiers"
    if name == "fn":
        return Fate.DISCARDED, "mark of a footnote"
    if name == "footnotes":
        return Fate.NOTE, ""
    if name == "annotation" or path[-2:-1] == ["annotations"]:
        return _rule_of_annotation(element)
    if inherited[0] is not Fate.OPERATIVE:
        return inherited
    if len(path) > 1 and _HIERARCHY.issuperset(path[:-1]) and "section" not in path[:-2]:
        if name == "text" and is_remark("".join(map(str, element.itertext()))):
            return Fate.NOTE, ""
        return _RULES.get((path[-2], name), inherited)
    return _rule_in_text(element, name, inherited)


def _rule_in_text(element: etree._Element, name: str, inherited: Ruling) -> Ruling:
    if name == "toc":
        return Fate.DISCARDED, "table of contents"
    if name == "s":
        return Fate.DISCARDED, "struck text"
    if name == "num" and element.get("undesignated") == "true":
        return Fate.DISCARDED, "number that only the publisher gave"
    return inherited


def _rule_of_annotation(element: etree._Element) -> Ruling:
    if element.get("display") == "false":
        return Fate.DISCARDED, "hidden by the publisher"
    return (Fate.CREDIT if element.get("type") == "History" else Fate.NOTE), ""


def is_remark(text: str) -> bool:
    """Return whether a block below a section or container is by the editors and in the place of law."""
    words = " ".join(text.lower().split())
    if words.startswith("*note:") or _REMARK.match(words) or _FILED.fullmatch(words):
        return True
    return _STATUS.fullmatch(words.strip("[]. ")) is not None
