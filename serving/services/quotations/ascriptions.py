"""Quotations of a draft, and the citations beside them to which they are ascribed: rightly, or not at all.

A quotation belongs to the citation that leads in to it in its own sentence, to the one right behind it, or to
the sentence of citations that follows. A block of Markdown without marks belongs to the one of the paragraph
above that leads in to it, else to the one that stands alone below. Where one leads in, another behind a
signal (`See also § 2`) is more law, and not the source of the words. Where other words stand between, the
ascription is a guess: worth a confirmation, and no reproach.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from serving.services.quotations.blocks import (
    block_quotations,
    blocks_in,
    leads_in,
    paragraph_above,
    series_of,
)
from serving.services.quotations.marked_quotations import MAX_QUOTED, quotations_in, with_double_marks
from serving.services.quotations.sentences import sentence_ends

_REACH = 600
"""Characters between a quotation and a citation that may still be of one sentence."""
_BETWEEN = 60
"""Characters of marks and signals between them, where no other words stand there."""
_MAX_STRING = 4
"""Citations of one sentence that a quotation before it may be from."""
_BULLET = re.compile(r"\n(?![ \t]*(?:[-*•|]|\d+[.)]|\n|$))")
_TAG = re.compile(r"</?\w{1,6}>")
_SIGNAL = r"(?:(?:see(?:,? also|,? e\.g\.,?| generally)?|accord|e\.g\.,?|quoting|citing|under)[\s,]*)?"
_SUPPORTS = re.compile(r"\b(?:see|accord|e\.g|cf)\b", re.IGNORECASE)
"""Signals that introduce support. A citation that is the source of the words has none, or `quoting`."""
_SEVERAL = re.compile(r"\bet seq\b", re.IGNORECASE)
"""A citation with this names a run of provisions: the source of the words is one of them."""
_RIGHT_BEHIND = re.compile(
    rf"[\s.,;:*_”\"]*(?:</?\w{{1,6}}>)*[\s(\[]*{_SIGNAL}[*_]*(?:<\w{{1,6}}>)*", re.IGNORECASE
)
_CITATION_SENTENCE = re.compile(rf"[\s>*_(\[]*(?:<\w{{1,6}}>)*{_SIGNAL}[*_]*(?:<\w{{1,6}}>)*$", re.IGNORECASE)
_AFTER_CITATION = re.compile(r"[*_\s]*+(?:</\w{1,6}>)*+\s*+(?:$|[.;,()\]]|(?:and|or|&|et seq)\b)")
_BELOW_BLOCK = re.compile(rf"[ \t>]*(?:\n[ \t>]*){{0,2}}[—–*_(\[ -]*{_SIGNAL}[*_ ]*", re.IGNORECASE)
_ALONE = re.compile(
    r"[*_)\]]*(?: ?\([^()\n]{1,40}\)[*_)\]]*)?(?:[.;](?=[\s*_)]|$)|[ \t]*(?:\n(?![ \t]*[a-z])|$))"
)
"""Text behind a citation that is all of its sentence."""
_OPENS_ALONE = re.compile(r"[*_\s]*(?:</\w{1,6}>)*\s*\(\s*[“\"]")
_CLOSES_ALONE = re.compile(r"[.,;]?[”\"][.,;]?\s*\)")
"""Text before and behind a quotation that is all of the parenthesis right behind a citation."""
_CELL_BEFORE = re.compile(r"(?:^|\|)[ \t*_]*[“\"]\Z", re.MULTILINE)
_CELL_BEHIND = re.compile(r"[”\"][ \t*_.,;]*(?:\||$)", re.MULTILINE)
"""Text before and behind a quotation that has a cell of a table for itself."""
_EDGE = 20
"""Characters between the edge of a cell and its words."""
_ROW = 2 * MAX_QUOTED
"""Characters of a row of a table that is looked at."""
_STRING = re.compile(r"[\s,;&]*(?:and|or|see also|accord)?[\s,]*", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:,|(?:,\s*)?(?:and|or|&))\s*", re.IGNORECASE)
_STATUTE_SPEAKS = re.compile(
    r"\b(?:add|allow|appl|ask|authori[sz]|ban|bar|call|command|contain|cover|declar|defin|demand|descri|direct"
    r"|entitl|establish|exclud|exempt|explain|forbid|give|grant|impos|includ|limit|list|mak|mandat|mean|order"
    r"|permit|prescrib|prohibit|protect|provid|punish|reach|read|refer|requir|say|set|speak|specif|stat|tell|use)"
    r"\w*\b",
    re.IGNORECASE,
)
_OTHERS_SPEAK = re.compile(
    r"\b(?:according to(?! C{3})|alleg\w+|argu\w+|assert\w+|claim(?:s|ed)|complain\w*|contend\w*|held"
    r"|insist\w*|put it|said|shout\w*|testif\w+|told|witness|wrote|writes)\b|\bv\. ",
    re.IGNORECASE,
)
"""Signs that a person or a case is quoted, and no statute. Citations are masked as `CCC`."""
_REPORTER = re.compile(r"\bv\. |\b\d{1,4} [A-Z][\w.]*(?: [\w.]+){0,3} \d{1,5}\b")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ascription:
    """A quotation of a draft, characters [start, end) without its marks, and the citations it may be from.

    Attributes:
        citations: their positions among the draft's citations, the likeliest first.
        certain: the draft says so; if False, other words stand between them.
        alone: nothing else stands in the parenthesis right behind the citation: `§ 107 (“fair use”)`.
    """

    start: int
    end: int
    citations: tuple[int, ...]
    certain: bool
    alone: bool = False


class Ascribed(NamedTuple):
    """The quotations of a draft, in their order: those that stand beside a citation, and the others."""

    ascriptions: tuple[Ascription, ...]
    others: tuple[Span, ...]


def ascribe(text: str, cited: Sequence[Span]) -> Ascribed:
    """Return the quotations of a draft, and the citations beside them.

    Args:
        text: the draft.
        cited: spans of its citations, in their order.
    """
    draft = _Draft(text, cited)
    ascriptions = tuple(draft.ascriptions())
    known = {(one.start, one.end) for one in ascriptions}
    return Ascribed(ascriptions, tuple(one for one in draft.all if one not in known))


def _outside(spans: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return the spans that have no character in common with others, which come in their order."""
    starts = [start for start, _ in others]
    before = [bisect_left(starts, end) - 1 for _, end in spans]
    return [
        span for span, index in zip(spans, before, strict=True) if index < 0 or others[index][1] <= span[0]
    ]


def _row_around(text: str, start: int, end: int) -> Span | None:
    """Return the span of the row of a table around a place; None where there is none, or a very long one."""
    first = text.rfind("\n", max(0, start - _ROW), start) + 1
    last = text.find("\n", end, end + _ROW)
    if (first == 0 and start > _ROW) or (last < 0 and end + _ROW < len(text)):
        return None
    last = len(text) if last < 0 else last
    return (first, last) if "|" in text[first:start] or "|" in text[end:last] else None


class _Draft:
    """A draft with its citations and quotations masked, so that their points end no sentence."""

    def __init__(self, text: str, cited: Sequence[Span]) -> None:
        blocks = block_quotations(text, cited, most=MAX_QUOTED)
        all_blocks = blocks_in(text)
        text = with_double_marks(text)
        marked = _outside(quotations_in(text), blocks)
        self._text = text
        self._cited = cited
        self._starts = [start for start, _ in cited]
        self._series = series_of(text, blocks)
        self._quoted = sorted([*blocks, *(span for span in marked if not self._holds_citation(span))])
        quoted = sorted([*blocks, *marked])
        self.all = sorted([*quoted, *_outside(all_blocks, quoted)])
        """Quotations and other blocks, those that are but a stretch of text around citations included."""
        self._masked = self._mask(text)
        self._ends = sentence_ends(self._masked)

    def ascriptions(self) -> Iterator[Ascription]:
        """Yield the ascriptions of the quotations that stand beside a citation."""
        for start, end in self._quoted:
            is_block = (start, end) in self._series
            found = self._of_block(start, end) if is_block else self._of_quotation(start, end)
            if found is not None:
                yield found

    def _holds_citation(self, span: Span) -> bool:
        """Return True where a quotation is but a citation, or a stretch of text around several."""
        inside = bisect_left(self._starts, span[0]), bisect_left(self._starts, span[1])
        return inside[1] - inside[0] > 1

    def _mask(self, text: str) -> str:
        letters = list(_BULLET.sub(" ", text))
        for start, end in self._cited:
            letters[start:end] = "C" * (end - start)
        for start, end in self._quoted:
            # What ends the quotation may end the sentence.
            letters[start : end - 1] = "q" * (end - 1 - start)
        return "".join(letters)

    def _of_quotation(self, start: int, end: int) -> Ascription | None:
        beside = self._in_row(start, end)
        if beside is not None:
            return Ascription(start, end, (beside,), certain=True)
        place = bisect_right(self._ends, start)
        first = max(start - _REACH, self._ends[place - 1] if place else 0)
        stop = self._ends[bisect_left(self._ends, end)] if self._ends[-1] >= end else len(self._masked)
        leading = self._leading(first, start)
        behind = self._right_behind(end, stop)
        following = () if behind else self._following(stop, self._masked[first:start])
        spoken = _OTHERS_SPEAK.search(self._masked[first:start]) is not None
        lead_in = "" if leading is None else self._masked[self._cited[leading][1] : start]
        leads_in = leading is not None and self._leads_in(lead_in)
        sources = behind or following
        if leads_in and sources and self._only_supports(sources[0], end, leading):
            behind = following = ()
        if behind:
            led = () if leading is None or leading in behind else (leading,)
            return Ascription(start, end, (*behind, *led), certain=not spoken)
        if leading is not None:
            citations = (*self._string_before(leading), *following)
            is_alone = _OPENS_ALONE.fullmatch(lead_in) and _CLOSES_ALONE.match(self._text, end)
            return Ascription(start, end, citations, leads_in and not spoken, is_alone is not None)
        if following:
            return Ascription(start, end, following, certain=not spoken)
        after = bisect_left(self._starts, end)
        if after < len(self._cited) and self._cited[after][0] < stop and not self._is_foreign(end, after):
            return Ascription(start, end, (after,), certain=False)
        return None

    def _in_row(self, start: int, end: int) -> int | None:
        """Return the citation of a table's row in which a quotation has a cell for itself.

        None where that row cites nothing, or several, or has another quotation.
        """
        if not _CELL_BEFORE.search(self._text, max(0, start - _EDGE), start):
            return None
        if not _CELL_BEHIND.match(self._text, end):
            return None
        row = _row_around(self._text, start, end)
        if row is None:
            return None
        cited = range(bisect_left(self._starts, row[0]), bisect_left(self._starts, row[1]))
        quoted = bisect_left(self._quoted, (row[1], 0)) - bisect_left(self._quoted, (row[0], 0))
        if len(cited) != 1 or quoted != 1 or start <= self._starts[cited[0]] < end:
            return None
        return cited[0]

    def _of_block(self, start: int, end: int) -> Ascription | None:
        """Return the ascription of a block to the paragraph above or the citation below; None for neither.

        Of blocks that follow each other, each belongs to what leads in to the first or stands below the last.
        """
        top, bottom = self._series[start, end]
        place = bisect_right(self._ends, top)
        first = max(paragraph_above(self._text, top), self._ends[place - 1] if place else 0)
        leading = self._leading(first, top) if leads_in(self._text, top) else None
        spoken = _OTHERS_SPEAK.search(self._masked[first:top]) is not None
        below = self._below(bottom)
        if leading is None:
            return Ascription(start, end, below, certain=not spoken) if below else None
        above = tuple(self._string_before(leading))
        is_led = self._leads_in(self._masked[self._cited[leading][1] : top])
        if below and not is_led:
            return Ascription(start, end, (*below, *above), certain=not spoken)
        if below and self._only_supports(below[0], bottom, leading):
            below = ()
        return Ascription(start, end, (*above, *below), certain=is_led and not spoken)

    def _below(self, end: int) -> tuple[int, ...]:
        """Return the citations that stand alone as the last line of a block or right below it."""
        index = bisect_left(self._starts, end)
        if index == len(self._cited) or self._cited[index][0] - end > _BETWEEN:
            return ()
        if _BELOW_BLOCK.fullmatch(self._text, end, self._cited[index][0]) is None:
            return ()
        string = tuple(self._string(index))
        return string if _ALONE.match(self._text, self._cited[string[-1]][1]) else ()

    def _leading(self, first: int, start: int) -> int | None:
        """Return the last citation of the sentence before a quotation."""
        index = bisect_right(self._starts, start - 1) - 1
        if index < 0 or self._cited[index][0] < first or self._cited[index][1] > start:
            return None
        return None if _REPORTER.search(self._masked, self._cited[index][1], start) else index

    def _leads_in(self, between: str) -> bool:
        return not re.search(r"\w", _TAG.sub("", between)) or _STATUTE_SPEAKS.search(between) is not None

    def _only_supports(self, index: int, end: int, leading: int | None) -> bool:
        """Return True where a signal introduces a citation behind a quotation that another leads in to."""
        if leading is None or _SEVERAL.search(self._text, *self._cited[leading]):
            return False
        return _SUPPORTS.search(self._masked, end, self._cited[index][0]) is not None

    def _right_behind(self, end: int, stop: int) -> tuple[int, ...]:
        """Return the citations right behind a quotation, in its sentence or as a sentence of their own."""
        index = bisect_left(self._starts, end)
        if index == len(self._cited):
            return ()
        start = self._cited[index][0]
        if start - end > _BETWEEN:
            return ()
        if _RIGHT_BEHIND.fullmatch(self._masked, end, start) is None:
            return ()
        if start >= stop and not self._is_citation_sentence(index):
            return ()
        return tuple(self._string(index))

    def _following(self, stop: int, before: str) -> tuple[int, ...]:
        """Return the citations of the sentence after a quotation's, if it is one of citations."""
        index = bisect_left(self._starts, stop)
        if index == len(self._cited) or _REPORTER.search(before):
            return ()
        between = self._masked[stop : self._cited[index][0]][: _BETWEEN + 1]
        if (
            len(between) > _BETWEEN
            or not _CITATION_SENTENCE.fullmatch(between)
            or not self._is_citation_sentence(index)
        ):
            return ()
        return tuple(self._string(index))

    def _is_citation_sentence(self, index: int) -> bool:
        return _AFTER_CITATION.match(self._masked, self._cited[index][1]) is not None

    def _string(self, index: int) -> Iterator[int]:
        """Yield a citation and those that follow it in one string: `§ 1331; see also § 1332`."""
        yield index
        for following in range(index + 1, min(index + _MAX_STRING, len(self._cited))):
            if not self._is_joined(following, _STRING):
                return
            yield following

    def _string_before(self, index: int) -> Iterator[int]:
        """Yield a citation and those that it is joined to: `§§ 1331 and 1332`; the last one first."""
        yield index
        for joined in range(index, max(index + 1 - _MAX_STRING, 0), -1):
            if not self._is_joined(joined, _LIST):
                return
            yield joined - 1

    def _is_joined(self, index: int, by: re.Pattern[str]) -> bool:
        """Return True where nothing but a join of that kind stands before a citation and behind another."""
        between = self._masked[self._cited[index - 1][1] : self._cited[index][0]][:_BETWEEN]
        return by.fullmatch(between) is not None

    def _is_foreign(self, end: int, index: int) -> bool:
        """Return True where a case is cited between a quotation and a citation, or they are far apart."""
        if self._cited[index][0] - end > _REACH:
            return True
        return _REPORTER.search(self._masked, end, self._cited[index][0]) is not None
