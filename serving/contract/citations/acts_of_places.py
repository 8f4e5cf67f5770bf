"""Acts of other countries, States and years that have the name of a known act: `Copyright Act 1968 (Cth)`."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from serving.contract.citations.asides import asides_behind
from serving.contract.citations.grammar import ActName
from serving.contract.citations.places import is_place

_YEAR = r"(?:1[789]|20)\d\d"
_YEAR_BEHIND = re.compile(
    rf"(?:\s+of|,)?\s{{1,2}}(?P<year>{_YEAR})(?![\w(-])(?!,? ed(?:\.|ition))"
    r"(?! (?!Sec|Art|Ch|Pt|Part|Tit|Reg)[A-Z][\w.]*(?: [A-Z][\w.]*){0,4} \d)"
)
"""Year behind the name of an act. One before a reporter is its volume: `the Act, 1976 U.S.C.C.A.N. 5659`."""
_STATUTES = re.compile(
    rf",? \(?(?:(?:[A-Z]\.? ?){{2,6}},? (?:c\. ?)?(?:{_YEAR}\b(?:/\d+)?|[A-Z]-?\d[\w.-]*)|[Cc]ap\.? ?\d+\w*"
    rf"|(?:Act )?No\. \d+ of {_YEAR}|c\. ?[A-Z]-?\d[\w.-]*)(?:,? (?:c|ch|art|s)\. ?[A-Z]?-?\d[\w.-]*\b)?\)?"
)
"""Statutes of another country, where an act is found in them: `R.S.C. 1985, c. P-4`, `Cap. 528`."""
_BARE_PLACE = re.compile(r",\s(?P<place>[A-Z][\w.]*(?: [A-Z][\w.]*){0,2})(?=[,;:)]|\s*\Z|\s§|(?<=\.)\s)")
_JOINTS = re.compile(rf"[,;/&]|\band\b|(?<!\w){_YEAR}(?!\w)")
_BEFORE = re.compile(
    r"(?<![\w.])(?:(?P<place>(?:[A-Z]\.? ?){2,4}|[A-Z][a-z]{1,4}\.)"
    r"|(?P<owner>[A-Z][\w.]*(?: [A-Z][\w.]*){0,2})['’]s?(?: (?:[a-z-]+|\d{4})){0,3}) \Z"
)
"""An abbreviated place before the name of an act, or one whose act it is: `Ohio's own Arbitration Act`."""
_WINDOW = 60


class YearOfAct(NamedTuple):
    """Year behind the name of an act, and where it ends."""

    year: str
    end: int


def year_behind(text: str, position: int) -> YearOfAct | None:
    """Return the year behind the name of an act: `of 1909`, `, 1909` or, as in England, `1996` alone."""
    match = _YEAR_BEHIND.match(text, position)
    return YearOfAct(match["year"], match.end()) if match else None


def end_of_place(text: str, position: int, acts: Iterable[ActName]) -> int | None:
    """Return the end of what says, behind the name of an act, that it is of another place than those meant.

    None where nothing says so. An act of the District of Columbia may bear the name of its own place.
    """
    for aside in asides_behind(text, position):
        place = _place(aside.inner)
        if place and not any((act.popular.citation or "").startswith(place) for act in acts):
            return aside.end
    bare = _BARE_PLACE.match(text, position)
    if bare is not None and is_place(bare["place"]):
        return bare.end()
    match = _STATUTES.match(text, position)
    return match.end() if match else None


def is_of_place_before(text: str, start: int) -> bool:
    """Return True where a place before the name of an act says whose it is: `the N.Y. Arbitration Act`."""
    before = _BEFORE.search(text, max(0, start - _WINDOW), start)
    words = before[before.lastgroup or 0].split() if before else []
    return any(is_place(" ".join(words[first:])) for first in range(len(words)))


def _place(said: str) -> str | None:
    """Return the first place in words that name places and years alone: `India`, `Ontario, Canada`."""
    named = [part.strip() for part in _JOINTS.split(said) if part.strip()]
    return named[0] if named and all(map(is_place, named)) else None
