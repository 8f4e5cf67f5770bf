"""Parts that are cited in words: `45 U.S.C. § 152, Fourth`, `Minn. Stat. § 609.185, subd. 1`."""

import re
from typing import NamedTuple

from serving.contract.citations.lists import ends_plainly
from serving.contract.citations.source import SourceText

ORDINALS = (
    *("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"),
    *("Eleventh", "Twelfth", "Thirteenth", "Fourteenth", "Fifteenth", "Sixteenth", "Seventeenth"),
    *("Eighteenth", "Nineteenth", "Twentieth"),
)
PLAIN_LABEL = rf"(?:{'|'.join(ORDINALS)}|subd\. \d)"
"""Begins a label that stands behind a comma and not in parentheses."""

_ANY = "|".join(ORDINALS)
_SUBDIVISION = re.compile(r",? {0,2}subd(?:\.|ivision) ?(\d{1,3}[a-z]?)(?![0-9a-z])", re.ASCII)
_ONE = re.compile(rf",? {{0,2}}\(?({_ANY})(?![a-z])\)?", re.ASCII | re.IGNORECASE)
_NEXT = re.compile(rf",? ?(?:and |or |& ?)?(?=\(?(?:{_ANY})(?![a-z]))", re.ASCII | re.IGNORECASE)
_OF = re.compile(r" (?:of|to) ")
_MOST = 20


class Ordinal(NamedTuple):
    """One of them, as it is cited, over [start, end) of the text."""

    word: str
    start: int
    end: int


def read_ordinals(source: SourceText, position: int) -> list[Ordinal]:
    """Return the ordinals after a number; empty where there are none.

    A noun behind them shows that they count something else: `§ 1983, First and Fourteenth Amendments`.
    """
    subdivision = _SUBDIVISION.match(source.folded, position)
    if subdivision is not None:
        return [Ordinal(f"subd. {subdivision.group(1)}", subdivision.start(1), subdivision.end())]
    found: list[Ordinal] = []
    while len(found) < _MOST:
        match = _ONE.match(source.folded, position)
        if match is None:
            break
        found.append(Ordinal(match.group(1).capitalize(), match.start(1), match.end()))
        following = _NEXT.match(source.folded, match.end())
        position = following.end() if following else match.end()
    if not found:
        return []
    end = found[-1].end
    capital = all(source.original[ordinal.start].isupper() for ordinal in found)
    whole = capital and (ends_plainly(source, end) or _OF.match(source.folded, end) is not None)
    return found if whole or end == len(source) else []
