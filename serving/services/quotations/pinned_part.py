"""The place of a quotation: in the part of a provision that its citation pins, or outside it."""

from collections.abc import Sequence

from serving.services.citations.resolution import PinCite
from serving.services.quotations.occurrences import Span
from serving.services.quotations.sentences import OutlineEntry


def spans_of(pin: PinCite | None) -> tuple[Span, ...]:
    """Return the spans of the parts that a pin cite names: none where the provision has no such part."""
    if pin is None:
        return ()
    if pin.found:
        return ((pin.start, pin.end),)
    return tuple((part.start, part.end) for part in pin.candidates)


def part_around(outline: Sequence[OutlineEntry], spans: Sequence[Span]) -> str:
    """Return the label of the smallest part that holds all of a quotation; "" where none is known to."""
    start, end = spans[0][0], spans[-1][1]
    around = [one for one in outline if one["start"] <= start and end <= one["end"] and not one["uncertain"]]
    inmost = min(around, key=lambda one: one["end"] - one["start"], default=None)
    return "" if inmost is None else str(inmost["label"])


def is_in_part(outline: Sequence[OutlineEntry], spans: Sequence[Span], parts: Sequence[Span]) -> bool:
    """Return True where a quotation stands in one of some parts, perhaps with what leads in to it.

    `The Board shall— . . . (2) lease` is of part (2): the words before it lead in to that part too.
    """
    return any(_is_in(outline, spans, part) for part in parts)


def _is_in(outline: Sequence[OutlineEntry], spans: Sequence[Span], part: Span) -> bool:
    start, end = part
    last = spans[-1]
    if not start < last[1] <= end:
        return False
    return all(start <= first or _leads_in(outline, first, part) for first, _ in spans)


def _leads_in(outline: Sequence[OutlineEntry], place: int, part: Span) -> bool:
    """Return True where a place lies in a part above, before the first of the parts that divide it."""
    above = [one for one in outline if one["start"] <= part[0] and part[1] <= one["end"]]
    starts = [0, *(one["start"] for one in above)]
    ends = [_first_inside(outline, one["start"], one["end"]) for one in above]
    first = min((one["start"] for one in outline), default=part[0])
    return any(start <= place < end for start, end in zip(starts, [first, *ends], strict=True))


def _first_inside(outline: Sequence[OutlineEntry], start: int, end: int) -> int:
    inside = (one["start"] for one in outline if start <= one["start"] and one["end"] <= end)
    return min((one for one in inside if one > start), default=end)
