"""Occurrences of a quotation in a text, with brackets and dots read as lawyers use them.

Blanks, dashes and marks are folded first. Where the quotation alters or leaves out words it is split into
segments, which must occur in the text in their order, each beginning and ending at the bounds of words.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from serving.services.quotations.folding import (
    FoldedText,
    Normalisation,
    fold_quotation,
    needed_normalisations,
)

ALTERED = 120
"""Characters of the source that brackets may replace."""
_MAX_PLACES = 50_000
"""Positions examined for all segments of a quotation, in a text that repeats them."""
_LEAST_PLACES = 100
"""Positions examined for one segment, however many segments there are."""
_LEAST_LETTERS = 3
"""Least letters and figures of the longest segment: fewer are found anywhere and prove nothing."""
_HYPHENS = "-\u2010\u2011"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_WHOLE = re.compile(
    rf"(?<![\w.])\.\d+|[^\W_]+(?:(?:(?<=\d)[.,/:](?=\d)|[{_HYPHENS}{_INVISIBLE}](?=[^\W_]))[^\W_]+)*"
)
"""A number or compound, which no quotation may cut: `$10` is no quotation of `$10,000`."""
_BETWEEN_DIGITS = ".,/:"
_CUTTING = frozenset(_BETWEEN_DIGITS + _HYPHENS + _INVISIBLE)
"""Marks that stand within numbers and compounds."""
_OUTER = re.compile(r"""\s*["“”„«'‘](.*)["“”»'’]\s*""", re.DOTALL)
_GAP = re.compile(
    r"(?P<dots>(?:\[\s*)?(?:…|(?:\.\s*){3,4}|(?:\*\s*){3,})\s*\]?)|\[(?P<inside>[^\[\]]{0,200})\]", re.DOTALL
)
_FINAL = re.compile(r"(?<![,.;:])[,.;:]+(?=['\"”’]?\s*$)")
_LETTER = re.compile(r"(?<!\w)\[([^\W\d_])\](?=\w|\s)")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a quotation that is quoted word for word.

    Attributes:
        text: folded.
        written: the same text as it is written.
        gap: between it and the segment before: ELLIPSES allow any number of characters, BRACKETS at most
            `ALTERED`, None none. Nothing is compared before the first segment.
        altered: its first letter is in brackets: a capital for a small letter, or the reverse.
        joins: True where brackets stand right beside a letter of it, within a word: before it, after it.
        after: elision after the last segment, where nothing is compared either.
    """

    text: str
    written: str
    gap: Normalisation | None
    altered: bool
    joins: tuple[bool, bool]
    after: Normalisation | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a quotation in a text.

    Attributes:
        spans: characters [start, end) of the text, one for each segment.
        steps: normalisations that were needed; empty where it stands there to the letter.
        places: number of occurrences, counted by the first segments.
    """

    spans: tuple[Span, ...]
    steps: tuple[Normalisation, ...]
    places: int


def find_quotation(text: FoldedText, quote: str, *, within: Span | None = None) -> Occurrence | None:
    """Find a quotation in a text; None where it does not occur.

    Args:
        text: text of the provision.
        quote: the quotation as it is written.
        within: span of the text that is preferred where there are several occurrences.
    """
    stripped = quote.strip()
    if not any(letter.isalnum() for letter in stripped):
        return None
    exact = [
        place
        for place in _occurrences(text.source, stripped, (False, False), _MAX_PLACES // 10)
        if not _is_cut(text.source, (place, place + len(stripped)))
    ]
    if exact:
        spans = [(place, place + len(stripped)) for place in exact]
        return Occurrence((_preferred(spans, within),), (), len(spans))
    for inside, passed_over in _readings(stripped):
        for parts in _splits(inside):
            found = _find_segments(text, parts, within)
            if found is not None:
                steps = {*found.steps, *passed_over}
                return Occurrence(
                    found.spans, tuple(step for step in Normalisation if step in steps), found.places
                )
    return None


def segments(quote: str) -> list[Segment]:
    """Split a quotation at its dots and brackets."""
    parts: list[Segment] = []
    gap: Normalisation | None = None
    letter, position, joined = "", 0, False
    for match in [*_GAP.finditer(quote), None]:
        end = len(quote) if match is None else match.start()
        written = letter + quote[position:end]
        joins_after = match is not None and match.group("dots") is None and quote[:end][-1:].isalnum()
        if _letters(written):  # the least of them may be a `no` or a figure
            parts.append(Segment(fold_quotation(written), written, gap, bool(letter), (joined, joins_after)))
            gap = None
        if match is None:
            break
        of_word = _LETTER.match(quote, match.start())
        letter = of_word.group(1) if of_word else ""
        position = match.end()
        joined = match.group("dots") is None and not letter and quote[position : position + 1].isalpha()
        if gap is not Normalisation.ELLIPSES:  # brackets beside dots leave out as the dots do
            gap = Normalisation.ELLIPSES if match.group("dots") else Normalisation.BRACKETS
    if parts and gap is not None:
        parts[-1] = replace(parts[-1], after=gap)
    return parts


def _readings(quote: str) -> list[tuple[str, tuple[Normalisation, ...]]]:
    """Return the readings of a quotation, each with the normalisations it needs, the plainest first."""
    outer = _OUTER.fullmatch(quote)
    readings: list[tuple[str, tuple[Normalisation, ...]]] = [(quote, ())]
    if outer:
        readings.append((outer.group(1).strip(), (Normalisation.OUTER_MARKS,)))
    for inside, steps in list(readings):
        shorter = _FINAL.sub("", inside).rstrip()
        if shorter != inside:
            readings.append((shorter, (*steps, Normalisation.FINAL_PUNCTUATION)))
    return readings


def _splits(quote: str) -> list[list[Segment]]:
    """Return the quotation as one segment, brackets and dots included, then in segments if it has them."""
    whole = [Segment(fold_quotation(quote), quote, None, False, (False, False))]
    return [whole, segments(quote)] if _GAP.search(quote) else [whole]


def _find_segments(text: FoldedText, parts: Sequence[Segment], within: Span | None) -> Occurrence | None:
    if not parts or not parts[0].text:
        return None
    if len(parts) > 1 and not any(_letters(part.written) >= _LEAST_LETTERS for part in parts):
        return None
    most = max(_LEAST_PLACES, _MAX_PLACES // max(10, len(parts)))
    chains = [_placements(text, chain, most) for chain in _chains(parts)]
    if not all(chains):
        return None
    placed = _in_order(chains) if len(chains) > 1 else None
    if len(chains) > 1 and placed is None:
        return None
    if placed is None:
        spans = [(one[0][0], one[-1][1]) for one in chains[0]]
        wanted = None if within is None else _folded_bounds(text, spans, within)
        placed = chains[0][0 if wanted is None else wanted]
    source = tuple(text.span(start, end) for start, end in placed)
    return Occurrence(source, _steps(text.source, parts, source), len(chains[0]))


def _folded_bounds(text: FoldedText, spans: Sequence[Span], within: Span) -> int | None:
    for index, (start, end) in enumerate(spans):
        first, last = text.span(start, end)
        if within[0] <= first and last <= within[1]:
            return index
    return None


def _steps(source: str, parts: Sequence[Segment], spans: Sequence[Span]) -> tuple[Normalisation, ...]:
    pairs = []
    for part, (start, end) in zip(parts, spans, strict=True):
        piece, written = source[start:end], part.written.strip()
        if part.altered and piece[:1].casefold() == written[:1].casefold():
            written = piece[:1] + written[1:]
        pairs.append((written, piece))
    gaps = {gap for part in parts for gap in (part.gap, part.after) if gap is not None}
    altered = {Normalisation.BRACKETS} if any(part.altered for part in parts) else set()
    return (*needed_normalisations(pairs), *gaps, *altered)


def _chains(parts: Sequence[Segment]) -> list[list[Segment]]:
    """Group the segments between ellipses: only brackets part those of one chain."""
    chains: list[list[Segment]] = []
    for part in parts:
        if not chains or part.gap is Normalisation.ELLIPSES:
            chains.append([])
        chains[-1].append(part)
    return chains


def _placements(text: FoldedText, chain: Sequence[Segment], most: int) -> list[list[Span]]:
    """Return the occurrences of a chain in a text, in their order, each as the spans of its segments."""
    heads = [[(place, place + len(chain[0].text))] for place in _places_of(text, chain[0], most)]
    for part in chain[1:]:
        places = _places_of(text, part, most)
        longer = []
        for head in heads:
            index = bisect_left(places, head[-1][1])
            if index < len(places) and places[index] - head[-1][1] <= ALTERED:
                longer.append([*head, (places[index], places[index] + len(part.text))])
        heads = longer
    return heads


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


def _places_of(text: FoldedText, part: Segment, most: int) -> list[int]:
    # The source tells a hyphen from a dash between clauses, which is folded to the same.
    return [
        place
        for place in _occurrences(text.text, part.text, part.joins, most)
        if not _is_cut(text.source, text.between(place, place + len(part.text)), part.joins)
    ]


def _is_cut(source: str, span: Span, joins: tuple[bool, bool] = (False, False)) -> bool:
    """Return True where a span begins or ends inside a number or a compound."""
    start, end = span
    begins = not joins[0] and source[start].isalnum() and source[start - 1 : start] in _CUTTING
    if begins and _is_within(source, start):
        return True
    ends = not joins[1] and (source[end - 1] in _BETWEEN_DIGITS or source[end : end + 1] in _CUTTING)
    return ends and _is_within(source, end)


def _is_within(source: str, place: int) -> bool:
    first = max(0, place - 3)
    around = _WHOLE.finditer(source[first : place + 3])
    return any(match.start() < place - first < match.end() for match in around)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _occurrences(text: str, wanted: str, joins: tuple[bool, bool], most: int) -> list[int]:
    """Return the positions of `wanted` between bounds of words, except at ends that join brackets."""
    found: list[int] = []
    place = text.find(wanted)
    while place >= 0 and len(found) < most:
        end = place + len(wanted)
        begins = joins[0] or not (wanted[0].isalnum() and text[place - 1 : place].isalnum())
        if begins and (joins[1] or not (wanted[-1].isalnum() and text[end : end + 1].isalnum())):
            found.append(place)
        place = text.find(wanted, place + 1)
    return found


def _preferred(spans: Sequence[Span], within: Span | None) -> Span:
    if within is not None:
        for start, end in spans:
            if within[0] <= start and end <= within[1]:
                return start, end
    return spans[0]
