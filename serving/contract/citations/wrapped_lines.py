"""Labels that begin a line: the rest of a citation that a draft wraps, or the next item of a list."""

import re
from itertools import takewhile

from serving.contract.citations.label_series import PLACES
from serving.contract.citations.source import SourceText

LABEL = r"\((?:\d{1,3}[a-z]{0,2}|[a-z]{1,2}|[ivxl]{1,7})\)"
"""A label that a draft may cite, in folded text."""
_CLOSES = re.compile(
    rf"(?: ?{LABEL}){{1,12}}+(?:\Z|[.,;)\]\"”!?]| ?- ?\(| (?:and|or|&|to|through|thru) (?:§|\d|\()| ?§"
    r"| \((?:1[789]|20)\d\d\))",
    re.ASCII,
)
"""Labels behind which a citation ends or goes on as one does, in folded text."""
_JOINED = re.compile(
    rf"(?:,? ?(?:and |or |& ?)?| ?- ?| (?:to|through|thru) )(?P<label>{LABEL})(?! ?\d{{4}})", re.ASCII
)
"""A label that may go on with a citation, with the join before it, in folded text."""
_DASHES_OF_WORDS = "—―"
_BULLET = re.compile(r"[ \r]*\n[ \r\n]*[-‐‑‒–—―−]")
"""Mark of the next item of a list."""
_BEGINS_LINE = re.compile(r"(?:\A|(?P<before>[^\n]?)\n) ?\((?P<label>\d{1,3}|[A-Za-z]{1,5})\)", re.ASCII)
_FIGURES = re.compile(r"[\d)]", re.ASCII)
_WINDOW = 1_000


def goes_on_in_line(source: SourceText, start: int, label: int) -> bool:
    """Return True where labels at a position plainly go on with what ends at another.

    Without a line's end between them they do. What begins a line of enacted text is a part of it; in a draft
    labels there are the rest of a citation where they close as one: `17 U.S.C. § 512` and below it `(c)(1).`

    Args:
        source: the text.
        start: position where what was read ends.
        label: position of the first label.
    """
    if not source.breaks_line(start, label):
        return True
    if source.enacted or _BULLET.match(source.original, start, label):
        return False
    return ends_citation(source, label) and not _is_item(source, label)


def ends_citation(source: SourceText, label: int) -> bool:
    """Return True where the labels that begin at a position end a citation, or it goes on behind them."""
    return _CLOSES.match(source.folded, label) is not None


def cut_by_line(source: SourceText, end: int) -> int | None:
    """Return the end of a label below a citation in a draft, where it may be the rest of that."""
    if source.enacted or source.original.find("\n", end, end + 8) < 0:
        return None
    joined = _JOINED.match(source.folded, end)
    label = joined.start("label") if joined else end
    if joined is None or not source.breaks_line(end, label) or _BULLET.match(source.original, end, label):
        return None
    # A dash between words opens a list: `section 512(c)—`, below it `(1) a service provider`.
    opens = any(dash in source.original[end:label] for dash in _DASHES_OF_WORDS)
    return None if opens or (_is_item(source, label) and not ends_citation(source, label)) else joined.end()


def _is_item(source: SourceText, label: int) -> bool:
    """Return True where lines near a label begin with others of its series, as those of a list do.

    One of them must surely be no rest of a citation, which ends the line before with figures or parentheses.
    """
    own = _BEGINS_LINE.match(source.original, source.original.rfind("\n", 0, label))
    if own is None:
        return False
    begin, end = max(0, label - _WINDOW), label + _WINDOW
    lines: dict[str, bool] = {}
    for line in _BEGINS_LINE.finditer(source.original, begin, end):
        is_sure = _FIGURES.match(line["before"] or "") is None
        lines[line["label"]] = is_sure or lines.get(line["label"], False)
    for series, place in PLACES.get(own["label"], ()):
        before = takewhile(lines.__contains__, series[:place][::-1])
        after = takewhile(lines.__contains__, series[place + 1 :])
        if any(lines[one] for one in (*before, *after)):
            return True
    return False
