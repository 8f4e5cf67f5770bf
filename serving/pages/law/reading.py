"""The text of a provision as HTML for reading: its lines indented by its outline, its references as links.

Tags are as short as HTML allows, since a long provision has thousands: a paragraph ends where the next
begins, values without spaces need no quotes, and the lines of a depth stand in one element together.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from markupsafe import Markup

from serving.services.addresses import fragment_of, pinned

DEEPEST = 8
"""Levels of indentation; parts below the last stand as far in as it."""
_LABEL = re.compile(r"\([^()\s]{1,12}\)")


class Part(NamedTuple):
    """A part of the text, over [start, end): its fragment, its depth, and whether its label is a guess."""

    start: int
    end: int
    fragment: str
    depth: int
    uncertain: bool


class Link(NamedTuple):
    """A reference over [start, end) of the text, and the address that it leads to."""

    start: int
    end: int
    address: str


def parts_of(outline: Sequence[Mapping[str, Any]]) -> list[Part]:
    """Return the parts of an outline in the order of the text; each fragment is one alone."""
    found: list[Part] = []
    taken: dict[str, int] = {}
    around: list[int] = []
    for entry in sorted(outline, key=lambda entry: (entry["start"], -entry["end"])):
        start, end = entry["start"], entry["end"]
        while around and around[-1] <= start:
            around.pop()
        around.append(end)
        fragment = fragment_of(entry["label"])
        times = taken[fragment] = taken.get(fragment, 0) + 1
        if times > 1:
            fragment = f"{fragment}~{times}"
        found.append(Part(start, end, fragment, min(len(around), DEEPEST), entry["uncertain"]))
    return found


def links_of(
    references: Sequence[Mapping[str, Any]], address_of: Callable[[str], str | None]
) -> Iterator[Link]:
    """Yield the references that lead to a provision, in the order of the text, none within another.

    Args:
        references: references of a provision's answer.
        address_of: returns the path of a page by the id of its provision.
    """
    end = 0
    for entry in sorted(references, key=lambda entry: (entry["start"], -entry["end"])):
        node = entry["nodeId"]
        address = None if node is None or entry["start"] < end else address_of(node)
        if address is not None:
            end = entry["end"]
            yield Link(entry["start"], end, address + pinned(entry["citation"]))


def readable(text: str, parts: Sequence[Part], links: Sequence[Link]) -> Markup:
    """Return the text as paragraphs, one for each line; a part begins with its anchor."""
    if parts or links:
        pieces = _Writer(text, parts, links).lines()
    else:
        pieces = (f"<p>{line}" for line in escape(text, quote=False).split("\n") if line)
    return Markup("".join(pieces))  # noqa: S704 - all text in it is escaped


class _Writer:
    """Writes a text line by line; parts and links come in its order."""

    def __init__(self, text: str, parts: Sequence[Part], links: Sequence[Link]) -> None:
        self._text = text
        # Few laws have characters that stand for themselves in HTML only when they are escaped.
        self._has_signs = any(sign in text for sign in "&<>")
        self._coming = iter((*parts, Part(len(text) + 1, len(text) + 1, "", 0, False)))
        self._part = next(self._coming)
        self._around: list[Part] = []
        self._links = iter((*links, Link(len(text) + 1, len(text) + 1, "")))
        self._link = next(self._links)
        self._depth = 0

    def lines(self) -> Iterator[str]:
        """Yield the pieces of the paragraphs."""
        place = 0
        for line in self._text.split("\n"):
            end = place + len(line)
            begun = self._begin(place)
            if line:
                yield self._paragraph(begun)
                for part in begun[1:]:
                    yield _anchor(part)
                if begun and begun[-1].uncertain:
                    label, place = self._guess(place, end)
                    yield label
                if self._part.start >= end and self._link.start >= end:
                    yield self._words(place, end)
                else:
                    yield from self._rest(place, end)
            place = end + 1
        yield "</div>" * self._depth

    def _begin(self, place: int) -> list[Part]:
        """Return the parts that begin at a place or have begun before it, and note which are open there."""
        begun: list[Part] = []
        while self._part.start <= place:
            begun.append(self._part)
            self._around.append(self._part)
            self._part = next(self._coming)
        while self._around and self._around[-1].end <= place:
            self._around.pop()
        return begun

    def _paragraph(self, begun: Sequence[Part]) -> str:
        depth = self._around[-1].depth if self._around else 0
        moved = "<div>" * (depth - self._depth) + "</div>" * (self._depth - depth)
        self._depth = depth
        anchor = f" id={begun[0].fragment}" if begun and begun[0].fragment else ""
        return f"{moved}<p{anchor}>"

    def _rest(self, place: int, end: int) -> Iterator[str]:
        """Yield the words of a line after its label, with the links and the parts within them."""
        while place < end:
            while self._link.start < place:
                self._link = next(self._links)
            stop = min(self._part.start, self._link.start, end)
            yield self._words(place, stop)
            if stop == end:
                return
            place = stop
            begun = self._begin(place)
            for part in begun:
                yield _anchor(part)
            if begun and begun[-1].uncertain:
                label, place = self._guess(place, end)
                yield label
            elif self._link.start == place:
                place = min(self._link.end, end)
                yield f"<a href={self._link.address}>{self._words(stop, place)}</a>"
                # What begins within the words of a link is reached at its end: links hold no anchors.
                for part in self._begin(place - 1):
                    yield _anchor(part)

    def _words(self, start: int, end: int) -> str:
        words = self._text[start:end]
        return escape(words, quote=False) if self._has_signs else words

    def _guess(self, place: int, end: int) -> tuple[str, int]:
        """Return the label at a place, marked as a guess, and the place after it; "" where there is none."""
        label = _LABEL.match(self._text, place, end)
        return ("", place) if label is None else (f"<u>{escape(label.group(), quote=False)}</u>", label.end())


def _anchor(part: Part) -> str:
    return f"<a id={part.fragment}></a>" if part.fragment else ""
