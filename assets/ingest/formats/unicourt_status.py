"""Status of provisions and the days from and until which they apply, as headings and lines say it."""

import re
from datetime import date

from assets.ingest.effective import DAY, MONTHS, day_of
from assets.ingest.model import NOT_STATED, Effective
from serving.contract.records import IN_FORCE

_NEVER_LAW = r"not (?:in effect|effective)(?=\W*$)|(?:defeated|rejected) (?:at|by)(?: a| the)? referendum"
_STATUSES = (
    ("repealed", r"repealed|abolished|superseded|rescinded|deleted|stricken|unconstitutional|terminated"),
    ("transferred", r"transferred|relocated|moved"),
    ("renumbered", r"(?:amended and )?(?:renumbered|redesignated|recodified)"),
    ("expired", r"expired"),
    ("omitted", rf"omitted|obsolete|executed|not set out|{_NEVER_LAW}"),
    ("reserved", r"reserved|vacant|unassigned|not used|blank"),
)
_WORDS = "|".join(f"(?P<{status}>{words})" for status, words in _STATUSES)
_LAWS = r"\d+|acts?\b|c+h?s?\.|laws?\b|l\.|s\.l\.|p\.a\.|e\.\s?o\.|sec\w*\b"
_BY = (
    r"by|as|to|eff\w*|per|pursuant|under|for future|and (?:repealed|reserved|renumbered|recodified)"
    rf"|(?:{MONTHS}) \d+"
)
_WHOLLY = re.compile(
    rf"[\W\d_]*(?:reserved[\W_]+(?=repealed))?(?:{_WORDS})(?:[\W\d_]*$|[\W_]+(?:{_LAWS}|(?:{_BY})\b).*$)",
    re.IGNORECASE | re.DOTALL,
)
_LINE = re.compile(rf"\[\s*(?:{_WORDS})\b[^\[\]]*\]?\.?", re.IGNORECASE)
_IN_BRACKETS = re.compile(rf"[\[(]\s*(?:{_WORDS})\b[^\[]*$", re.IGNORECASE)
_LAST_WORD = re.compile(rf"(?:\.|[—–]|\s-)\s*(?:{_WORDS})\s*[.\])]*$", re.IGNORECASE)

_DAY = rf"({DAY})"
_UNTIL = re.compile(
    rf"\b(?:(?:effective )?(?:until|through)|repealed|expires|expired|terminates|terminated|deleted),?"
    rf"(?: (?:effective|on|by law))?,? {_DAY}",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"\b(?<!repealed )(?<!repealed, )(?<!expired )(?<!deleted )"
    rf"effective (?:on and after |on or after |from and after |from |beginning |on |after )?{_DAY}",
    re.IGNORECASE,
)
_NOTED = re.compile(
    rf"(?:\(\w{{1,4}}\)\s*)*(?P<words>\[\s*Editor[’']s note: This (?:version of this )?section is effective"
    rf" (?P<until>until )?(?P<day>{DAY})\.?\s*\])"
)
"""Stands before the law: a note on the whole of it, not on one of its subsections."""
_ASIDE = re.compile(r"[\[(][^\[\]()]*(?:\([^()]*\)[^\[\]()]*)*[\])]")
_ON_OTHERS = re.compile(r"\b(?:See|For)\b")


def status_of(heading: str, text: str) -> str:
    """Return the status that a heading gives.

    Args:
        heading: without the number.
        text: of the provision. Where law is printed, only brackets say that it is gone: a heading such as
            `Reserved powers` does not.
    """
    match = _IN_BRACKETS.search(heading)
    if match is None and (not text or status_of_line(text) != IN_FORCE):
        match = _WHOLLY.match(heading) or _LAST_WORD.search(heading)
    return IN_FORCE if match is None else match.lastgroup or IN_FORCE


def status_of_line(line: str) -> str:
    """Return the status that a line in the place of law gives: `Repealed by Acts 1995, c. 281.`."""
    match = _WHOLLY.match(line) or _LINE.fullmatch(line)
    return IN_FORCE if match is None else match.lastgroup or IN_FORCE


def status_of_text(text: str) -> str:
    """Return the status that a text gives, none of whose lines is law."""
    statuses = [status_of_line(line) for line in text.split("\n")]
    return IN_FORCE if IN_FORCE in statuses else statuses[0]


def days_of(heading: str) -> Effective:
    """Return the days from which and until which a provision applies, as its heading says in brackets.

    What follows in the same brackets on other versions is passed over:
    `[Effective until July 1, 2021. See the version effective on July 1, 2021.]`. A heading of two versions,
    `(Effective through July 31, 2023) (Effective after July 31, 2023)`, states no day of the whole.
    """
    stated: list[Effective] = []
    for aside in _ASIDE.findall(heading):
        own = _ON_OTHERS.split(aside)[0]
        start, end = _day(_FROM, own), _day(_UNTIL, own)
        if start or end:
            stated.append(Effective(start, end, aside))
    starts = {one.start for one in stated if one.start}
    ends = {one.end for one in stated if one.end}
    if not stated or len(starts) > 1 or len(ends) > 1:
        return NOT_STATED
    start, end = min(starts, default=None), min(ends, default=None)
    if start and end and start >= end:
        return NOT_STATED
    return Effective(start, end, " ".join(one.words or "" for one in stated))


def days_of_text(text: str) -> Effective:
    """Return the day from or until which a provision applies, as a note says that its text begins with.

    `[Editor's note: This version of this section is effective until July 1, 2024.] No person shall`.
    """
    match = _NOTED.match(text)
    day = day_of(match["day"]) if match else None
    if match is None or day is None:
        return NOT_STATED
    return Effective(None, day, match["words"]) if match["until"] else Effective(day, None, match["words"])


def _day(pattern: re.Pattern[str], words: str) -> date | None:
    match = pattern.search(words)
    return None if match is None else day_of(match[1])
