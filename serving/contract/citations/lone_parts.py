"""Parts that a section's text names alone: `paragraph (2)` in subsection (b) is (b)(2)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from serving.contract.citations.labels import Pin

_OUTERMOST = "subsection"


class Part(NamedTuple):
    """A part of a section: its labels, outermost first, over [start, end) of the text."""

    labels: tuple[str, ...]
    start: int
    end: int


def with_what_holds_them(outline: Sequence[Part], position: int, word: str, pins: Sequence[Pin]) -> list[Pin]:
    """Return pin cites with the labels that go without saying; empty where the outline leaves that open.

    Args:
        outline: of the section.
        position: in the section's text, where the parts are named.
        word: that names them, such as `paragraphs`.
        pins: as they are written.
    """
    known = {part.labels for part in outline}
    around = max((p.labels for p in outline if p.start <= position < p.end), key=len, default=())
    depths = (0,) if word.startswith(_OUTERMOST) else range(len(around) + 1)
    holders = [
        around[:depth]
        for depth in depths
        if all(
            around[:depth] + labels in known for pin in pins for labels in (pin.labels, pin.through) if labels
        )
    ]
    if len(holders) != 1:
        return []
    held = holders[0]
    return [
        replace(pin, labels=held + pin.labels, through=pin.through and held + pin.through) for pin in pins
    ]
