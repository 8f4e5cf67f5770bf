"""Pin cites: the span of a provision's text that `(a)(1)(A)` names, by the provision's outline."""

from collections.abc import Mapping, Sequence
from typing import Any

from serving.contract.citations.citation import pin
from serving.contract.citations.folding import fold_dashes
from serving.services.outcomes import PinCite

Part = Mapping[str, Any]
"""An entry of an outline: `label`, `start`, `end`, `uncertain`."""


def find_pin(
    outline: Sequence[Part], labels: Sequence[str], through: Sequence[str] = (), *, length: int
) -> PinCite:
    """Return where a pin cite leads. Labels are compared as they are: `(A)` is not `(a)`.

    Args:
        outline: of the provision.
        labels: outermost first.
        through: labels of the last part of a range; empty where one part is cited.
        length: characters of the provision's text, all of which is the span where the outline has no part.
    """
    parts = _by_label(outline)
    shared = _shared(labels, through) if through else len(labels) - 1
    written = f"{pin(labels)}-{pin(through[shared:])}" if through else pin(labels)
    first = _only(parts, labels)
    last = _only(parts, through) if through else first
    if first is not None and last is not None and first["start"] <= last["start"]:
        uncertain = bool(first["uncertain"] or last["uncertain"])
        return PinCite(written, found=True, start=first["start"], end=last["end"], uncertain=uncertain)
    for depth in range(shared, 0, -1):
        above = _only(parts, labels[:depth])
        if above is not None:
            return PinCite(
                written,
                found=False,
                start=above["start"],
                end=above["end"],
                nearest=pin(labels[:depth]),
                uncertain=bool(above["uncertain"]),
            )
    return PinCite(written, found=False, start=0, end=length)


def _by_label(outline: Sequence[Part]) -> dict[str, list[Part]]:
    parts: dict[str, list[Part]] = {}
    for part in outline:
        parts.setdefault(fold_dashes(part["label"]), []).append(part)
    return parts


def _only(parts: Mapping[str, list[Part]], labels: Sequence[str]) -> Part | None:
    """Return the part of a label; None where there is none, or several: which is meant nobody can tell."""
    found = parts.get(pin(labels), [])
    return found[0] if len(found) == 1 else None


def _shared(labels: Sequence[str], through: Sequence[str]) -> int:
    """Return how many labels, outermost first, both ends of a range have above them."""
    depth = 0
    while depth < min(len(labels), len(through)) - 1 and labels[depth] == through[depth]:
        depth += 1
    return depth
