"""Pin cites: the span of a provision's text that `(a)(1)(A)` names, by the provision's outline."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from serving.contract.citations.citation import format_pin
from serving.contract.citations.source import fold_dashes
from serving.services.citations.resolution import PinCite, PinReason, Span

Part = Mapping[str, Any]
"""An entry of an outline: `label`, `start`, `end`, `uncertain`."""

_HEADS = re.compile(r"^(?:\([0-9A-Za-z]{1,5}(?:[-‐‑–][0-9A-Za-z]{1,4})?\) ?){1,6}", re.MULTILINE)
"""Designators at the head of a line: `(a)`, or `(a)(1)`."""
_LABEL = re.compile(r"\([^()]+\)")


def find_pin(
    outline: Sequence[Part], labels: Sequence[str], through: Sequence[str] = (), *, text: str
) -> PinCite:
    """Return where a pin cite leads. Labels are compared as they are: `(A)` is not `(a)`.

    A label that several parts bear leads to none of them: all are given. So it is where the outline has it
    once, as a guess, and other lines of the same part begin with the same label, as in a section of
    definitions each of which is numbered anew.

    Args:
        outline: of the provision.
        labels: outermost first.
        through: labels of the last part of a range; empty where one part is cited.
        text: of the provision, all of which is the span where the outline has no part.
    """
    shared = _shared(labels, through) if through else len(labels) - 1
    written = f"{format_pin(labels)}-{format_pin(through[shared:])}" if through else format_pin(labels)
    parts = _by_label(outline)
    ends = [_bearers(parts, label, text) for label in ((labels, through) if through else (labels,))]
    first, last = ends[0], ends[-1]
    if len(first) == len(last) == 1 and first[0].start <= last[0].start:
        uncertain = first[0].uncertain or last[0].uncertain
        return PinCite(written, found=True, start=first[0].start, end=last[0].end, uncertain=uncertain)
    several = [bearer for bearers in ends if len(bearers) > 1 for bearer in bearers]
    reason = PinReason.SEVERAL_PARTS if several else PinReason.NOT_IN_OUTLINE
    above = _above(parts, labels[:shared], text)
    return PinCite(
        written,
        found=False,
        start=above.start if above else 0,
        end=above.end if above else len(text),
        nearest=above.label if above else None,
        uncertain=above.uncertain if above else False,
        reason=reason,
        candidates=tuple(dict.fromkeys(several)),
    )


def _by_label(outline: Sequence[Part]) -> dict[str, list[Part]]:
    parts: dict[str, list[Part]] = {}
    for part in outline:
        parts.setdefault(fold_dashes(part["label"]), []).append(part)
    return parts


def _above(parts: Mapping[str, list[Part]], labels: Sequence[str], text: str) -> Span | None:
    """Return the innermost part that holds what is cited and that its label alone names."""
    for depth in range(len(labels), 0, -1):
        bearers = _bearers(parts, labels[:depth], text)
        if len(bearers) == 1:
            return bearers[0]
    return None


def _bearers(parts: Mapping[str, list[Part]], labels: Sequence[str], text: str) -> list[Span]:
    """Return the parts that bear a label: those of the outline, and lines beside one that is a guess."""
    own = [_span(part) for part in parts.get(format_pin(labels), [])]
    if len(own) == 1 and own[0].uncertain:
        own += _unplaced(parts, labels, text)
    return sorted(own, key=lambda span: span.start)


def _unplaced(parts: Mapping[str, list[Part]], labels: Sequence[str], text: str) -> Iterator[Span]:
    """Yield lines that begin with the last of some labels and that the outline places nowhere.

    Looked for in the part that holds what the labels name, or in all of the text.
    """
    holders = parts.get(format_pin(labels[:-1]), [])
    start, end = (holders[0]["start"], holders[0]["end"]) if len(holders) == 1 else (0, len(text))
    placed = {part["start"] for bearers in parts.values() for part in bearers}
    own = format_pin(labels[-1:])
    for head in _HEADS.finditer(text, start, end):
        for label in _LABEL.finditer(head.group()):
            position = head.start() + label.start()
            if fold_dashes(label.group()) == own and position not in placed:
                stop = text.find("\n", position)
                yield Span(label.group(), position, len(text) if stop < 0 else stop, uncertain=True)


def _span(part: Part) -> Span:
    return Span(part["label"], part["start"], part["end"], bool(part["uncertain"]))


def _shared(labels: Sequence[str], through: Sequence[str]) -> int:
    """Return how many labels, outermost first, both ends of a range have above them."""
    depth = 0
    while depth < min(len(labels), len(through)) - 1 and labels[depth] == through[depth]:
        depth += 1
    return depth
