"""Occurrences of a quotation in a text, with brackets and dots read as lawyers use them.

Blanks, dashes and marks are folded first. Where the quotation alters or leaves out words it is split into
segments, which must occur in the text in their order, each beginning and ending at the bounds of words.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serving.services.quotations.folding import FoldedText, Normalisation, needed_normalisations
from serving.services.quotations.readings import OPTIONAL_HYPHEN, Reading, TrailingCitation, readings
from serving.services.quotations.segments import (
    Elision,
    Segment,
    is_split,
    letters,
    segments,
    whole_segment,
)

ALTERED = 120
"""Characters of the source that brackets may replace."""
_MAX_SEGMENTS = 64
"""Segments of a quotation: what has more dots and brackets quotes nothing."""
_MAX_PLACES = 20_000
"""Positions examined for all segments of a quotation, in a text that repeats them."""
_LEAST_PLACES = 100
"""Positions examined for one segment, however many segments there are."""
_LEAST_LETTERS = 3
"""Least letters and figures of the longest segment: fewer are found anywhere and prove nothing."""
_HYPHENS = "-\u2010\u2011"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_WHOLE = re.compile(
    rf"(?<![\w.])\.\d+|\d+(?: \d+[/⁄]\d+|[{_FRACTIONS}])"
    rf"|[^\W_]+(?:(?:(?<=\d)[.,/:⁄](?=\d)|[{_HYPHENS}{_INVISIBLE}](?=[^\W_]))[^\W_]+)*"
)
"""A number or compound, which no quotation may cut: `$10` is no quotation of `$10,000`, `3` none of `3½`."""
_BETWEEN_DIGITS = ".,/:⁄"
_CUTTING = frozenset(_BETWEEN_DIGITS + _HYPHENS + _INVISIBLE + _FRACTIONS + " ")
"""Marks that stand within numbers and compounds."""
_REST_OF_WORD = re.compile(r"[^\W\d_]*[\W_]*")
_AROUND = 24
"""Characters on either side of a place that show whether it lies within a number or compound."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Gap:
    """Characters [start, end) of the text, perhaps none, for which dots or brackets stand."""

    start: int
    end: int
    elision: Elision


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a quotation in a text.

    Attributes:
        spans: characters [start, end) of the text, one for each segment.
        steps: normalisations that were needed; empty where it stands there to the letter.
        places: number of occurrences, counted by the first segments.
        gaps: what its dots and brackets stand for, in their order.
    """

    spans: tuple[Span, ...]
    steps: tuple[Normalisation, ...]
    places: int
    gaps: tuple[Gap, ...] = ()


def _no_citation(_: str) -> None:
    return None


def find_quotation(
    text: FoldedText,
    quote: str,
    *,
    within: Sequence[Span] = (),
    trailing_citation: TrailingCitation = _no_citation,
) -> Occurrence | None:
    """Find a quotation in a text; None where it does not occur.

    Args:
        text: text of the provision.
        quote: the quotation as it is written.
        within: spans of the text that are preferred where there are several occurrences.
        trailing_citation: tells where a citation begins that ends the quotation and is no part of it.
    """
    stripped = quote.strip()
    if not letters(stripped):
        return None
    exact = _exact(text, stripped)
    if exact:
        return Occurrence((_preferred(exact, within),), (), len(exact))
    for reading, parts in _attempts(stripped, trailing_citation):
        found = _find_segments(text, parts, within)
        if found is not None:
            steps = {*found.steps, *reading.steps}
            kept = tuple(step for step in Normalisation if step in steps)
            return Occurrence(found.spans, kept, found.places, found.gaps)
    return None


def _attempts(quote: str, trailing_citation: TrailingCitation) -> Iterator[tuple[Reading, list[Segment]]]:
    """Yield the readings of a quotation in one segment each, brackets and dots included, then in several."""
    every = list(readings(quote, trailing_citation))
    yield from ((reading, [whole_segment(reading.text)]) for reading in every)
    # A footnote's mark in brackets is no alteration: the readings without it come first.
    for reading in sorted(every, key=lambda one: Normalisation.FOOTNOTE_MARKS not in one.steps):
        if is_split(reading.text):
            yield reading, segments(reading.text)


def _exact(text: FoldedText, quote: str) -> list[Span]:
    """Return the occurrences of a quotation to the letter."""
    if text.skips or OPTIONAL_HYPHEN in quote:
        return []
    return [
        span
        for span in _occurrences(text.source, quote, (False, False), _MAX_PLACES // 10)
        if not _is_cut(text.source, span) and not _is_across_rows(text.source, span)
    ]


def _find_segments(text: FoldedText, parts: Sequence[Segment], within: Sequence[Span]) -> Occurrence | None:
    if not parts or not parts[0].text:
        return None
    if len(parts) > _MAX_SEGMENTS:
        return None
    if len(parts) > 1 and not any(letters(part.written) >= _LEAST_LETTERS for part in parts):
        return None
    most = max(_LEAST_PLACES, _MAX_PLACES // max(10, len(parts)))
    chains = [_placements(text, chain, most) for chain in _chains(parts)]
    if not all(chains):
        return None
    placed = _in_order(chains) if len(chains) > 1 else _one_of(text, chains[0], within)
    if placed is None:
        return None
    source = tuple(text.span(start, end) for start, end in placed)
    return Occurrence(source, _steps(text, parts, source), len(chains[0]), tuple(_gaps(parts, source)))


def _one_of(text: FoldedText, places: Sequence[list[Span]], within: Sequence[Span]) -> list[Span]:
    """Return the first placement within some spans of the source, else the first."""
    for place in places if within else ():
        if any(_holds(span, text.span(place[0][0], place[-1][1])) for span in within):
            return place
    return places[0]


def _gaps(parts: Sequence[Segment], spans: Sequence[Span]) -> list[Gap]:
    first = parts[0].elision
    gaps = [] if first is None else [Gap(spans[0][0], spans[0][0], first)]
    for index, part in enumerate(parts[1:], 1):
        if part.elision is not None:
            gaps.append(Gap(spans[index - 1][1], spans[index][0], part.elision))
    last = parts[-1].after
    return gaps if last is None else [*gaps, Gap(spans[-1][1], spans[-1][1], last)]


def _steps(text: FoldedText, parts: Sequence[Segment], spans: Sequence[Span]) -> tuple[Normalisation, ...]:
    pairs, steps = [], set[Normalisation]()
    for part, (start, end) in zip(parts, spans, strict=True):
        piece, written = text.read(start, end), _with_hyphens(text, part, (start, end))
        if part.altered and piece[:1].casefold() == written[:1].casefold():
            written = piece[:1] + written[1:]
        pairs.append((written, piece))
        steps |= {skip.kind for skip in text.skipped(start, end)}
        steps |= {one.kind for one in (part.elision, part.after) if one is not None}
        steps |= {Normalisation.BRACKETS} if part.altered else set()
    return (*needed_normalisations(pairs), *steps)


def _with_hyphens(text: FoldedText, part: Segment, span: Span) -> str:
    """Return a segment as it is written, with the hyphens at its lines' ends that the text has."""
    written = part.written.strip()
    if OPTIONAL_HYPHEN not in written:
        return written
    there = _pattern(part.text, grouped=True).search(FoldedText(text.read(*span)).text)
    for hyphen in there.groups() if there else ():
        written = written.replace(OPTIONAL_HYPHEN, hyphen, 1)
    return written


def _chains(parts: Sequence[Segment]) -> list[list[Segment]]:
    """Group the segments between ellipses: only brackets part those of one chain."""
    chains: list[list[Segment]] = []
    for part in parts:
        of_dots = part.elision is not None and part.elision.kind is Normalisation.ELLIPSES
        if not chains or of_dots:
            chains.append([])
        chains[-1].append(part)
    return chains


def _placements(text: FoldedText, chain: Sequence[Segment], most: int) -> list[list[Span]]:
    """Return the occurrences of a chain in a text, in their order, each as the spans of its segments."""
    heads = [[span] for span in _spans_of(text, chain[0], most)]
    for part in chain[1:]:
        spans = _spans_of(text, part, most)
        starts = [start for start, _ in spans]
        longer = []
        for head in heads:
            index = bisect_left(starts, head[-1][1])
            if index < len(starts) and starts[index] - head[-1][1] <= ALTERED:
                longer.append([*head, spans[index]])
        heads = longer
        if part.elision is not None and part.elision.ending is not None:
            heads = [one for one in longer if _is_one_word_on(text.text, one)] or longer
    return heads


def _is_one_word_on(text: str, spans: Sequence[Span]) -> bool:
    """Return True where only the rest of a word stands between the last two spans."""
    return _REST_OF_WORD.fullmatch(text, spans[-2][1], spans[-1][0]) is not None


def _in_order(chains: Sequence[list[list[Span]]]) -> list[Span] | None:
    """Return one occurrence of each chain, in order and as near as possible to that of the last chain."""
    after, chosen = 0, []
    for places in chains:
        index = next((index for index, one in enumerate(places) if one[0][0] >= after), None)
        if index is None:
            return None
        chosen.append(index)
        after = places[index][-1][1]
    before = chains[-1][chosen[-1]][0][0]
    placed = list(chains[-1][chosen[-1]])
    for places in reversed(chains[:-1]):
        nearest = [one for one in places if one[-1][1] <= before][-1]
        placed[:0] = nearest
        before = nearest[0][0]
    return placed


def _spans_of(text: FoldedText, part: Segment, most: int) -> list[Span]:
    # The source tells a hyphen from a dash between clauses, which is folded to the same.
    return [
        (start, end)
        for start, end in _occurrences(text.text, part.text, part.joins, most)
        if not _is_cut(text.source, text.between(start, end), part.joins)
        and not _is_across_rows(text.source, text.between(start, end))
    ]


def _is_cut(source: str, span: Span, joins: tuple[bool, bool] = (False, False)) -> bool:
    """Return True where a span begins or ends inside a number or a compound."""
    start, end = span
    figure = source[start].isalnum()
    begins = (
        not joins[0] and figure and (source[start - 1 : start] in _CUTTING or source[start] in _FRACTIONS)
    )
    if begins and start and _is_within(source, start):
        return True
    ends = not joins[1] and (source[end - 1] in _BETWEEN_DIGITS or source[end : end + 1] in _CUTTING)
    return ends and _is_within(source, end)


def _is_within(source: str, place: int) -> bool:
    first = max(0, place - _AROUND)
    around = _WHOLE.finditer(source[first : place + _AROUND])
    return any(match.start() < place - first < match.end() for match in around)


def _is_across_rows(source: str, span: Span) -> bool:
    """Return True where a span goes from one row of a table to the next without the head of the first.

    Its words would put the end of one row beside the head of another.
    """
    start, end = span
    line_end = source.find("\n", start, end)
    if line_end < 0:
        return False
    line_start = source.rfind("\n", 0, start) + 1
    return "|" in source[line_start:start]


def _pattern(wanted: str, *, grouped: bool = False) -> re.Pattern[str]:
    """Return the pattern of a folded segment, in which a hyphen at a line's end may be there or not."""
    return re.compile(("(-?)" if grouped else "-?").join(map(re.escape, wanted.split(OPTIONAL_HYPHEN))))


def _occurrences(text: str, wanted: str, joins: tuple[bool, bool], most: int) -> list[Span]:
    """Return the occurrences of `wanted` between bounds of words, except at ends that join brackets."""
    found: list[Span] = []
    for start, end in _matches(text, wanted):
        begins = joins[0] or not (wanted[0].isalnum() and text[start - 1 : start].isalnum())
        if begins and (joins[1] or not (wanted[-1].isalnum() and text[end : end + 1].isalnum())):
            found.append((start, end))
            if len(found) >= most:
                break
    return found


def _matches(text: str, wanted: str) -> Iterator[Span]:
    if OPTIONAL_HYPHEN in wanted:
        for match in _pattern(wanted).finditer(text):
            yield match.span()
        return
    place = text.find(wanted)
    while place >= 0:
        yield place, place + len(wanted)
        place = text.find(wanted, place + 1)


def _preferred(spans: Sequence[Span], within: Sequence[Span]) -> Span:
    return next((span for span in spans for whole in within if _holds(whole, span)), spans[0])


def _holds(whole: Span, span: Span) -> bool:
    return whole[0] <= span[0] and span[1] <= whole[1]
