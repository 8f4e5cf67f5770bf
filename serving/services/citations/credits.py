"""Source credits: the year since which a section of federal law bears its number, and its last amendment."""

import re

_DATE = re.compile(
    r"\b(?P<month>Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec)\.? \d{1,2}, (?P<year>\d{4})(?!\d)"
)
_STATUTES = re.compile(r"\d+[A-Z]? Stat\. ")
_OLDER = re.compile(r"\bR\.S\.|\A\W*As amended\b")
"""Law of which a credit gives no date of enactment: the Revised Statutes, and rules of courts."""
_NAMES_A_LAW = r"(?:Pub\. L\.|ch\. |;)"


def numbered_since(credit: str, number: str) -> int | None:
    """Return the year of the first edition in which a section bears its number; None where that is not said.

    It is that of the law that enacted it, or that renumbered it so. What bore the number before was another
    section, of the same words or not: a title that was enacted anew took the place of the law before it.

    Args:
        credit: the source credit of a section, in the form of the Statutes at Large.
        number: number of the section.
    """
    known = [year for year in (_enacted(credit), renumbered_since(credit, number)) if year is not None]
    return max(known, default=None)


def _enacted(credit: str) -> int | None:
    """Return the year of the earliest law of a credit, where that is the one that enacted the section."""
    first = credit.partition(";")[0]
    if _STATUTES.search(first) is None or _DATE.search(first) is None or _OLDER.search(credit):
        return None
    return min(map(_year, _DATE.finditer(credit)))


def renumbered_since(credit: str, number: str) -> int | None:
    """Return the year of the last law that gave a section its number: `renumbered § 701, Pub. L. 115–282`.

    None where it has the number with which it was enacted.
    """
    anew = rf"\b(?:renumbered|redesignated)(?:(?!{_NAMES_A_LAW}).){{0,60}}§ ?{re.escape(number)}(?![\w–-])"
    last = None
    for match in re.finditer(anew, credit):
        date = _DATE.search(credit, match.end())
        last = _year(date) if date else last
    return last


def amended_after(credit: str, edition: int) -> int | None:
    """Return the year of the last law of a credit that an edition cannot hold; None without one."""
    younger = (date for date in _DATE.finditer(credit) if _year(date) > edition)
    return max((int(date["year"]) for date in younger), default=None)


def _year(date: re.Match[str]) -> int:
    """Return the year whose edition first holds a law: editions end with sessions, some in January."""
    return int(date["year"]) - (date["month"] == "Jan")
