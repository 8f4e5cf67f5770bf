"""Pin cites, resolved to spans of a provision's text by the provision's outline."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from serving.contract.citations.citation import format_pin
from serving.contract.citations.source import fold_dashes
from serving.services.citations.resolution import LabelledSpan, PinCite, PinReason

OutlineEntry = Mapping[str, Any]
"""An entry of an outline, with `label`, `start`, `end` and `uncertain`."""

_HEADS = re.compile(r"^(?:\([0-9A-Za-z]{1,5}(?:[-‐‑–][0-9A-Za-z]{1,4})?\) ?){1,6}", re.MULTILINE)
"""Designators at the head of a line: `(a)`, or `(a)(1)`."""
_LABEL = re.compile(r"\([^()]+\)")


def find_pin(
    outline: Sequence[OutlineEntry], labels: Sequence[str], through: Sequence[str] = (), *, text: str
) -> PinCite:
    """Find the part that a pin cite names. Labels are compared with their case: `(A)` is not `(a)`.

    Where several parts bear the label, none of them is found and all are candidates. That includes lines
    with the same label in the same part where the outline is uncertain, as in a section of definitions
    each of which is numbered anew.

    Args:
        outline: outline of the provision.
        labels: labels of the pin cite, outermost first.
        through: labels of the last part of a range; empty where one part is cited.
        text: of the provision; all of it is the span where the outline holds no part above.
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


def _by_label(outline: Sequence[OutlineEntry]) -> dict[str, list[OutlineEntry]]:
    parts: dict[str, list[OutlineEntry]] = {}
    for part in outline:
        parts.setdefault(fold_dashes(part["label"]), []).append(part)
    return parts


def _above(parts: Mapping[str, list[OutlineEntry]], labels: Sequence[str], text: str) -> LabelledSpan | None:
    """Return the innermost part above a pin cite whose label is borne by no other part."""
    for depth in range(len(labels), 0, -1):
        bearers = _bearers(parts, labels[:depth], text)
        if len(bearers) == 1:
            return bearers[0]
    return None


def _bearers(parts: Mapping[str, list[OutlineEntry]], labels: Sequence[str], text: str) -> list[LabelledSpan]:
    """Return the parts that bear a label; beside an uncertain one, also lines that begin with it."""
    own = [_labelled_span(part) for part in parts.get(format_pin(labels), [])]
    if len(own) == 1 and own[0].uncertain:
        own += _unplaced(parts, labels, text)
    return sorted(own, key=lambda span: span.start)


def _unplaced(
    parts: Mapping[str, list[OutlineEntry]], labels: Sequence[str], text: str
) -> Iterator[LabelledSpan]:
    """Yield the lines that begin with the last of some labels and are no part of the outline.

    They lie in the part above the one that the labels name, or else anywhere in the text.
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
                yield LabelledSpan(label.group(), position, len(text) if stop < 0 else stop, uncertain=True)


def _labelled_span(part: OutlineEntry) -> LabelledSpan:
    return LabelledSpan(part["label"], part["start"], part["end"], bool(part["uncertain"]))


def _shared(labels: Sequence[str], through: Sequence[str]) -> int:
    """Count the labels, outermost first, that both ends of a range share above their last."""
    depth = 0
    while depth < min(len(labels), len(through)) - 1 and labels[depth] == through[depth]:
        depth += 1
    return depth
