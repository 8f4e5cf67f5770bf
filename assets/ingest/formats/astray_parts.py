"""Parts that markup nests at a level other than their designators': put where the numbering goes on.

Publishers nest by hand. Where a table interrupts a list, what follows may stand a level too high; where an
end tag is late, a level too deep: `(c)(1)`, `(c)(2)`, `(c)(d)`, though the text cites subsection (d).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assets.ingest.designators import Reading, readings_of
from assets.ingest.formats.law_xml_names import joined_label
from serving.contract.records import Outline

_STYLES = ("(1)", "(a)", "(A)", "(i)", "(I)")

NOTHING = -1
"""Index of what holds the parts that stand in no other."""


@dataclass(slots=True)
class _Part:
    """A part of the outline, in the place that it has so far.

    Attributes:
        own: its own designator, such as `(2)`; what its label adds to that of the part it stands in.
        above: index of the part that it stands in, or `NOTHING`.
        closed: a part that stood in it goes on a list outside, so that nothing more can belong to it.
    """

    own: str
    above: int
    start: int
    end: int
    readings: tuple[Reading, ...]
    moved: bool = False
    closed: bool = False


def reseat(outline: Sequence[Outline], text: str) -> tuple[Outline, ...]:
    """Return an outline with the parts that its markup nests astray in their own places, as uncertain.

    A part is astray that is not the first of its list, has no part of its style before it in the part that it
    stands in, and goes on exactly one list beside: that of the part before it, or one that it stands in
    itself. Where its own place is taken, or what stands beside it would be left in two places, all stay as
    the markup has them, and the astray ones are uncertain.

    Args:
        outline: of a provision, parts in document order, each within those that its label names.
        text: of the provision.
    """
    parts = _nested(outline)
    if not _may_be_astray(parts):
        return tuple(outline)
    found = _Found(parts, text)
    if found.conflict:
        return tuple(
            replace(own, uncertain=own.uncertain or number in found.astray)
            for number, own in enumerate(outline)
        )
    return tuple(found.outline(outline))


class _Found:
    """The places that the parts of one outline belong in.

    Attributes:
        astray: indices of the parts that the markup nests wrongly.
        conflict: their own places cannot be told, or are taken.
    """

    def __init__(self, parts: list[_Part], text: str) -> None:
        self._parts = parts
        self._text = text
        self._markup = [part.above for part in parts]
        self._below: dict[int, list[int]] = {}
        self.astray: set[int] = set()
        self.conflict = False
        for number in range(len(parts)):
            self._place(number)

    def outline(self, before: Sequence[Outline]) -> Iterator[Outline]:
        """Yield the parts with the labels and the ends that they have in their own places."""
        labels: list[str] = []
        uncertain: list[bool] = []
        for part, old in zip(self._parts, before, strict=True):
            outer = "" if part.above == NOTHING else labels[part.above]
            labels.append(joined_label(outer, part.own))
            within = part.above != NOTHING and uncertain[part.above]
            uncertain.append(old.uncertain or part.moved or within)
            yield Outline(labels[-1], part.start, part.end, uncertain[-1])

    def _place(self, number: int) -> None:
        part = self._parts[number]
        siblings = self._below.setdefault(part.above, [])
        if _is_later(part) and not any(_alike(part, self._parts[other]) for other in siblings):
            places = [*self._places_below(number), *self._places_above(number)]
            if places:
                self.astray.add(number)
            if len(places) == 1:
                self._move(number, places[0])
            elif places:
                self.conflict = True
        above = part.above
        while above != NOTHING:
            self.conflict |= self._parts[above].closed
            above = self._parts[above].above
        self._below.setdefault(part.above, []).append(number)

    def _places_below(self, number: int) -> Iterator[int]:
        """Yield the parts whose list this one goes on, within the part before it."""
        part = self._parts[number]
        before = self._below.get(part.above, [])
        while before:
            inner = self._below.get(before[-1], [])
            if inner and _goes_on(self._parts[inner[-1]], part):
                yield before[-1]
            before = inner

    def _places_above(self, number: int) -> Iterator[int]:
        """Yield the parts whose list this one goes on, around the part that it stands in."""
        part = self._parts[number]
        inner = part.above
        while inner != NOTHING:
            outer = self._parts[inner].above
            if _goes_on(self._parts[self._below[outer][-1]], part):
                yield outer
            inner = outer

    def _move(self, number: int, place: int) -> None:
        parts, part = self._parts, self._parts[number]
        if self._is_taken(part.own, place):
            self.conflict = True
            return
        inner, outer = place, part.above
        while inner not in (outer, NOTHING):  # further in: the list that it goes on lasts as long
            parts[inner].end = max(parts[inner].end, part.end)
            inner = parts[inner].above
        if inner != outer:
            self._close(part, place)
        part.above, part.moved = place, True

    def _close(self, part: _Part, place: int) -> None:
        """End the parts between this one and its own place before it."""
        end = len(self._text[: part.start].rstrip())
        inner = part.above
        while inner != place:
            self._parts[inner].closed = True
            self._parts[inner].end = min(self._parts[inner].end, end)
            inner = self._parts[inner].above

    def _is_taken(self, own: str, place: int) -> bool:
        """Return whether the markup has a part of this designator in a place."""
        held = zip(self._parts, self._markup, strict=True)
        return any(above == place and other.own == own for other, above in held)


def _nested(outline: Sequence[Outline]) -> list[_Part]:
    parts: list[_Part] = []
    opened: list[int] = []
    for number, entry in enumerate(outline):
        while opened and not _is_within(entry, outline[opened[-1]]):
            opened.pop()
        above = opened[-1] if opened else NOTHING
        own = entry.label[len(outline[above].label) if opened else 0 :].strip()
        readings = readings_of(own, _STYLES) if own.startswith("(") else ()
        parts.append(_Part(own, above, entry.start, entry.end, readings))
        opened.append(number)
    return parts


def _is_within(inner: Outline, outer: Outline) -> bool:
    return (
        len(inner.label) > len(outer.label)
        and inner.label.startswith(outer.label)
        and outer.start <= inner.start
        and inner.end <= outer.end
    )


def _may_be_astray(parts: list[_Part]) -> bool:
    """Return whether any part begins a list within another, in the markup, and not as the first of it."""
    before: dict[int, set[str]] = {}
    for part in parts:
        styles = before.setdefault(part.above, set())
        own = {reading.style for reading in part.readings}
        if _is_later(part) and styles.isdisjoint(own):
            return True
        styles |= own
    return False


def _is_later(part: _Part) -> bool:
    """Return whether a part is not the first of a list, however it is read."""
    return bool(part.readings) and all(
        reading.number > 1 or bool(reading.suffix) for reading in part.readings
    )


def _alike(one: _Part, other: _Part) -> bool:
    return any(own.style == held.style for own in one.readings for held in other.readings)


def _goes_on(before: _Part, part: _Part) -> bool:
    """Return whether a part's designator is the next after that of another."""
    return any(
        held.style == own.style and _is_next(held, own) for held in before.readings for own in part.readings
    )


def _is_next(held: Reading, own: Reading) -> bool:
    if own.suffix:  # `1A` goes on after `1`; `1.1` is a part of it
        return own.number == held.number and own.suffix > held.suffix and own.suffix[0] != "."
    return own.number == held.number + 1
