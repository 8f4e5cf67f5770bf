"""Explanations: tells an aside that explains a citation from one that cites a part or section."""

import re
from collections.abc import Sequence

from serving.contract.citations.asides import Aside
from serving.contract.citations.citation import CONTAINER, Citation
from serving.contract.citations.pins import is_label

_BRACKETS = re.compile(r"[()\[\]]+")
_DESIGNATOR = re.compile(r"(?!(?:1[789]|20)\d\d\Z)(?=[^\d]*\d)[0-9A-Za-z–‑-]{1,10}")
_FIRST_WORD = re.compile(r"[0-9A-Za-z]+(?:[.‐‑–-][0-9A-Za-z]+)*")
_LETTERS = re.compile(r"[a-z]{1,3}|[A-Z]{1,2}")
_JOINED = re.compile(r"(?:\s*(?:[,;/&‐‑–—-]|\b(?:and|or|to|through|thru)\b))+\s*", re.IGNORECASE)
_UNIT = re.compile(
    r"(?:[§¶]|\b(?:sub)?(?:sections?|sect?s?|chapters?|chs?|articles?|arts?|parts?|pts?|titles?|tits?|rules?"
    r"|divisions?|divs?|paragraphs?|paras?|pars?|clauses?|cls?|subds?)\b)[.§¶\s]*(?=\d|[a-z]\b|[ivxl]+\b)",
    re.IGNORECASE,
)
"""Mark or unit before a number or label: what it begins is cited, and explains nothing."""
_OF_ACT = re.compile(r"[\w.:–-]+ of ")
"""Behind a unit: `29 U.S.C. § 158 (section 8 of the NLRA)` names the section as its act does."""


def explains(text: str, aside: Aside, cited: Citation) -> bool:
    """Return False for an aside that cites a part or section which is not understood.

    Args:
        text: the text in which it stands.
        aside: the aside.
        cited: the citation that it is behind.
    """
    inner = _BRACKETS.sub(" ", aside.inner).strip()
    glued = not text[aside.start - 1].isspace()
    return not (is_label(inner) or _is_pin_list(inner, glued=glued) or _begins_with_unit(inner, cited))


def _is_pin_list(inner: str, *, glued: bool) -> bool:
    """Return True for labels that are joined, such as `1, 2 and 5`.

    What a number or label is followed by at once cites parts already where what stands before its first joint
    is a label, or its first word one with a figure. A year is none.
    """
    words = _JOINED.split(inner)
    if len(words) > 1 and any(words) and all(is_label(word) for word in words if word):
        return True
    return glued and (_is_part(words[0]) or _begins_with_figured_part(inner) or _are_labels(inner.split()))


def _begins_with_figured_part(inner: str) -> bool:
    """Return True where the first word is a part and has a figure: `3?`, but not `I think`."""
    first = _FIRST_WORD.match(inner)
    return first is not None and re.search(r"\d", first.group()) is not None and _is_part(first.group())


def _are_labels(words: Sequence[str]) -> bool:
    """Return True for words that are labels, all of them: `a 3`."""
    return all(is_label(word) for word in words)


def _is_part(word: str) -> bool:
    """Return True for a word that can be but a label where it is glued to a number."""
    return any((is_label(word), _DESIGNATOR.fullmatch(word), _LETTERS.fullmatch(word)))


def _begins_with_unit(inner: str, cited: Citation) -> bool:
    """Return True for `§ 106` or `ch. 5`: behind a title or chapter, wherever in the aside they stand."""
    if cited.kind == CONTAINER:
        return _UNIT.search(inner) is not None
    unit = _UNIT.match(inner)
    return unit is not None and _OF_ACT.match(inner, unit.end()) is None
