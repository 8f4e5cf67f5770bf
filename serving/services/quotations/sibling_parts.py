"""Labelled parts of a list that a quotation joins: the beginning of one with the end of another."""

import re
from collections.abc import Sequence

from serving.services.quotations.sentences import OutlineEntry, Span, sentence_ends

_LABELS = re.compile(r"(?:\([^()\s]{1,9}\)|[\s“‘\"'\[])*\(?")
"""Marks that may stand before the first word of a part: its label, and that of the part it begins with."""


def joins_siblings(text: str, outline: Sequence[OutlineEntry], start: int, end: int) -> bool:
    """Return True where characters [start, end), passed over, lead from one part into the middle of another.

    `(1) procured by corruption; (2) partiality in the arbitrators` says nothing of `procured by . . . the
    arbitrators`. What leads in to the parts does go with each of them, and so does what follows the list.
    """
    parts = sorted({(one["start"], one["end"]) for one in outline}, key=lambda span: (span[0], -span[1]))
    if not _leaves(parts, start, end):
        return False
    entered = _entered(parts, start, end)
    return entered is not None and not _is_behind_list(text, parts, end) and not _begins(text, entered, end)


def _leaves(parts: Sequence[Span], start: int, end: int) -> bool:
    """Return True where the words before `start` are of a part that does not hold those behind `end`."""
    return any(first < start <= last and not first <= end < last for first, last in parts)


def _entered(parts: Sequence[Span], start: int, end: int) -> Span | None:
    """Return the outermost part that holds the words behind `end`, and not those before `start`."""
    return next((part for part in parts if start <= part[0] <= end < part[1]), None)


def _is_behind_list(text: str, parts: Sequence[Span], place: int) -> bool:
    """Return True where no part begins in the line of a place: it follows a list, as `shall be fined`."""
    line = text.rfind("\n", 0, place) + 1
    return not any(line <= first <= place for first, _ in parts)


def _begins(text: str, part: Span, place: int) -> bool:
    """Return True where a part, or a sentence of it behind its heading, begins at a place."""
    inside = text[part[0] : place]
    begins = [0, *(end for end in sentence_ends(text[part[0] : place + 1]) if end <= len(inside))]
    return any(_LABELS.fullmatch(inside, first) for first in begins)
