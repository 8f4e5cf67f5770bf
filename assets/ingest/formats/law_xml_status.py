"""Status of provisions: what the reason, the heading or a line in place of the text says of them."""

import re
from collections.abc import Iterable, Sequence
from datetime import date

from assets.ingest.effective import DAY, day_of
from assets.ingest.model import NOT_STATED, Effective
from serving.contract.records import IN_FORCE

STATUS_OF_WORDS: tuple[tuple[str, str], ...] = (
    # Where a provision gives several reasons, the first in this table holds.
    (r"repealed|abolished", "repealed"),
    (r"expired", "expired"),
    (r"transferred", "transferred"),
    (r"recodified|renumbered|redesignated", "renumbered"),
    # Enacted, but not applicable for want of money or before a day to come: the code leaves the text out.
    (r"omitted|not fund(?:ed)+|not applicable|applicable(?: as of)? \w+ \d+, \d{4}", "omitted"),
    (r"reserved|vacant", "reserved"),
)
"""Words of the publisher, as a pattern, and the status they mean. Other reasons are no statuses: the source
also files corrections of a heading under `reason` (`Subpoenas`, `Commissioner`), and leaves some empty."""

_WORDS = "|".join(f"(?P<{status}>{words})" for words, status in STATUS_OF_WORDS)
_PLACE = r"(?: (?:to|as|at) §[^\]}]*?)?"
"""The place where it is now, after words such as `Transferred`."""
_REASON = re.compile(rf"[\[{{]?(?:{_WORDS}){_PLACE}[\]}}]?\.?", re.IGNORECASE)
_LINE = re.compile(rf"\[?(?:{_WORDS})(?: (?:to|as|at) §.*| for future codification)?[\]. ]*", re.IGNORECASE)
_EDITORS_LINE = re.compile(
    r"\[(?:Pursuant to .*\bshall apply as of |This \w+ has been removed from ).*\]\.?"
    r"|[\[(]?de-?codified\b.{0,80}",
    re.IGNORECASE,
)
_BY_A_LAW = r"(?: by (?!.*\beff)[^\[\](){}]{1,80}(?=[\])}]))?"
"""The law that did it. One that is to do it on a day to come leaves the provision in force until then."""
_HEADING_END = re.compile(rf"(?:\[|\(|\{{|\s[-–—]\s)(?:{_WORDS})\.?{_BY_A_LAW}[\])}}]?\.?$", re.IGNORECASE)
_HEADING = re.compile(rf"(?:{_WORDS})(?:\.?|(?: and \w+)? (?:provisions|sections)\b.*)", re.IGNORECASE)
_GOES_ON = re.compile(
    rf"[—–-]\s*(?P<last>\.?\d[\w.:-]*?)[.:]?\s+(?P<rest>\[?(?:{_WORDS})[\]. ]*)", re.IGNORECASE
)
_REMOVED = re.compile(r"\[This \w+ has been removed from |[\[(]?de-?codified\b", re.IGNORECASE)

SHELVED = "(Perm)"
"""Ends the number of a text that is kept for when temporary legislation expires, and is not law meanwhile."""

_DAY = rf"({DAY})"
_APPLICABLE = re.compile(rf"Applicable(?: as of)? {_DAY}")
_ENDS = re.compile(rf"This section (?:was created by \w+ legislation that )?will expire on {_DAY}\.")
_HEADING_ENDS = re.compile(rf"\[Expires {_DAY}\]")


def is_status_line(text: str) -> bool:
    """Return whether a block of a section is no law, but says why there is none: `Recodified as § 1-152.`."""
    return bool(_LINE.fullmatch(text) or _EDITORS_LINE.fullmatch(text))


def whole_number(number: str, heading: str) -> tuple[str, str]:
    """Return number and heading of a section, the heading without the last number of a range.

    Of `.06 — .08 Recodified` a source may have only `.06` in the place of the number.
    """
    match = _GOES_ON.fullmatch(heading) if number else None
    return (number, heading) if match is None else (f"{number}—{match['last']}", match["rest"])


def status(*, number: str, heading: str, reasons: Sequence[str], lines: Sequence[str]) -> str:
    """Return the status of a provision: by its reasons, else its heading, else the lines in its text's place.

    Args:
        number: as the source writes it.
        heading: may end with the status in brackets or after a dash, or consist of it.
        reasons: contents of its `reason` elements.
        lines: blocks of text for which `is_status_line` holds.
    """
    if reasons:
        found = {match.lastgroup for reason in reasons if (match := _REASON.fullmatch(reason))}
        for _, name in STATUS_OF_WORDS:
            if name in found:
                return name
    words = heading.lstrip(" .:—–-")
    match = _HEADING_END.search(heading) or _REASON.fullmatch(words) or _HEADING.fullmatch(words)
    if match is not None:
        return match.lastgroup or IN_FORCE
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is not None:
            return match.lastgroup or IN_FORCE
        if _REMOVED.match(line):
            return "omitted"
    return "reserved" if number.endswith(SHELVED) else IN_FORCE


def effective(heading: str, reasons: Iterable[str], remarks: Iterable[str]) -> Effective:
    """Return the days from which and until which a provision is said to apply.

    Args:
        heading: may say on which day it expires.
        reasons: contents of its `reason` elements, which may say from when it applies.
        remarks: of the editors, which may say on which day it expires.
    """
    start = _first_day(_APPLICABLE, reasons)
    end = _first_day(_HEADING_ENDS, (heading,)) or _first_day(_ENDS, remarks)
    stated = [said for said in (start, end) if said is not None]
    if not stated:
        return NOT_STATED
    return Effective(start and start[0], end and end[0], " ".join(words for _, words in stated))


def _first_day(pattern: re.Pattern[str], texts: Iterable[str]) -> tuple[date, str] | None:
    """Return the first day that is stated, with the words that do; misspelt days are passed over."""
    for text in texts:
        match = pattern.search(text) if "," in text else None  # a day has one
        day = day_of(match[1]) if match is not None else None
        if match is not None and day is not None:
            return day, match[0]
    return None
