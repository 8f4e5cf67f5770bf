"""Brackets in which the quoter makes plain what the law says at their place, and nothing else."""

import re
from collections.abc import Sequence

from serving.services.quotations.sentences import OutlineEntry

_THIS = re.compile(r"this (title|section)", re.IGNORECASE)
_OF_CODE = r"(?:,? (?:of the )?(?:U\.? ?S\.? ?C(?:ode|\.)?|United States Code))?"
_CITED = re.compile(r"(?P<title>\d+[A-Za-z]?) \S+ (?:§ )?(?P<section>\d\S*)")
"""A section's citation: `17 U.S.C. § 107`."""
_JOINS = re.compile(r"[;,] *(and|or)\s*\Z", re.IGNORECASE)
"""The word at the end of one part that joins the next to it."""


def names_reference(words: str, put: str, citation: str) -> bool:
    """Return True where brackets name what words of a provision refer to: `[Title 17]` for `this title`.

    Args:
        words: of the law.
        put: in the brackets.
        citation: of the provision.
    """
    this, cited = _THIS.fullmatch(words), _CITED.fullmatch(citation)
    if this is None or cited is None:
        return False
    kind = this.group(1).lower()
    number = re.escape(cited[kind])
    sign = "(?:section|sec\\.|§)" if kind == "section" else "title"
    named = rf"{sign} ?{number}{_OF_CODE}"
    if kind == "section":
        named += rf"|{re.escape(citation)}"
    return re.fullmatch(named, put, re.IGNORECASE) is not None


def joins_items(text: str, outline: Sequence[OutlineEntry], start: int, end: int, put: str) -> bool:
    """Return True where brackets before a part hold the word that joins the last two parts of its list.

    `(1) a fee; [or] (2) a tax` of a list `(1) a fee; (2) a tax; or (3) a toll`.

    Args:
        text: of the provision.
        outline: of the text.
        start: where what is quoted before the brackets ends.
        end: where what is quoted behind them begins.
        put: in the brackets.
    """
    entered = [one for one in outline if start <= one["start"] <= end < one["end"]]
    if not entered:
        return False
    entry = max(entered, key=lambda one: one["end"])
    above = _above(entry)
    items = [one for one in outline if _above(one) == above]
    joining = {word.lower() for one in items for word in _JOINS.findall(text[one["start"] : one["end"]])}
    return items[0] is not entry and joining == {put.lower()}


def _above(part: OutlineEntry) -> str:
    """Return the label of the part above a part."""
    return str(part["label"]).rpartition("(")[0]
