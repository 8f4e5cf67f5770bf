"""Block quotations of a draft in Markdown and HTML, which have no quotation marks.

A block is no quotation where it is prose, as in an answer to a letter: that has quotations and citations of
its own.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence

_BLOCK = re.compile(
    r"^[ \t]*>[^\n]*(?:\n[ \t]*>[^\n]*)*"
    r"|<blockquote\b[^<>]{0,200}>(?:[^<]|<(?!/?blockquote\b))*</blockquote>",
    re.MULTILINE | re.IGNORECASE,
)
"""Lines that begin with `>`, or an innermost block of HTML."""
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_QUOTES = re.compile(r"[“”„\"]")
_ENCLOSED = re.compile(r"[\s>]*[“„\"][^“”„\"]*[”\"][\s.,;>]*")
"""A block that is one quotation between marks."""
_LEADS_IN = re.compile(
    r"(?:[:,—–]|\b(?:sa(?:y|id)s?|states?|provides?|reads?|follows|declares?|specif(?:y|ies)|that))[*_\s]*$",
    re.IGNORECASE,
)
"""End of a paragraph that goes on in the block below it."""
_BEFORE_SOURCE = re.compile(r"[\s>—–*_(\[-]*(?:see[*_]*\s[*_]*)?", re.IGNORECASE)
_BEHIND_SOURCE = re.compile(r"[\s.;)\]*_>]*")
_REACH = 600
"""Characters above a block that may be of the paragraph that leads in."""

Span = tuple[int, int]


def blocks_in(text: str) -> list[Span]:
    """Return the blocks of a text, with their marks."""
    return [match.span() for match in _BLOCK.finditer(text)]


def block_quotations(text: str, cited: Sequence[Span], *, most: int) -> list[Span]:
    """Return the blocks of a draft that are quotations, without the source that their last line names.

    Args:
        text: the draft.
        cited: spans of its citations, in their order.
        most: characters of a block that is looked at.
    """
    starts = [start for start, _ in cited]
    found = []
    for first, last in blocks_in(text):
        start, end = first, _without_source(text, first, last, cited, starts)
        has_quotes = _QUOTES.search(text, start, end) is not None
        has_citations = bisect_left(starts, start) < bisect_left(starts, end)
        is_led = leads_in(text, start) and _is_cited_above(text, start, starts)
        if has_quotes:
            is_quotation = is_led and _ENCLOSED.fullmatch(text, start, end) is None
        else:
            is_quotation = is_led or not has_citations
        if is_quotation and start < end <= start + most:
            found.append((start, end))
    return found


def series_of(text: str, blocks: Sequence[Span]) -> dict[Span, Span]:
    """Return, by block, the span of it and those beside it with but blank lines between them."""
    series: dict[Span, Span] = {}
    joined: list[Span] = []
    for block in blocks:
        if joined and text[joined[-1][1] : block[0]].strip():
            series |= _as_one(joined)
            joined = []
        joined.append(block)
    return series | _as_one(joined)


def _as_one(joined: Sequence[Span]) -> dict[Span, Span]:
    return dict.fromkeys(joined, (joined[0][0], joined[-1][1])) if joined else {}


def leads_in(text: str, start: int) -> bool:
    """Return True where the paragraph right above a block goes on in it."""
    return _LEADS_IN.search(text[max(0, start - _REACH) : start]) is not None


def paragraph_above(text: str, start: int) -> int:
    """Return where the paragraph right above a block begins, as far as that may lead in to it."""
    first = max(0, start - _REACH)
    blank = [match.end() for match in _BLANK_LINE.finditer(text[first:start].rstrip())]
    return first + (blank[-1] if blank else 0)


def _is_cited_above(text: str, start: int, starts: Sequence[int]) -> bool:
    return bisect_left(starts, paragraph_above(text, start)) < bisect_left(starts, start)


def _without_source(text: str, start: int, end: int, cited: Sequence[Span], starts: Sequence[int]) -> int:
    """Return where a block ends before a last line that is but the source: `> — 17 U.S.C. § 107`."""
    line = text.rfind("\n", start, end) + 1 or start
    inside = cited[bisect_left(starts, line) : bisect_left(starts, end)]
    if (
        inside
        and _BEFORE_SOURCE.fullmatch(text, line, inside[0][0])
        and _BEHIND_SOURCE.fullmatch(text, inside[-1][1], end)
    ):
        end = line
    marks = " \t\n" if text.startswith("<", start) else "> \t\n"
    return start + len(text[start:end].rstrip(marks))
