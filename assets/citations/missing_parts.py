"""References to parts of provisions that do not stand, or of which there are several: the reason is said."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from assets.selection.selection import Selection
from serving.contract.records import IN_FORCE
from serving.services.citations.pins import find_pin
from serving.services.citations.resolution import Outcome, PinReason

_LABELS = r"(?:\([0-9A-Za-z-]{1,8}\))+"
_PIN = re.compile(rf"(?P<first>{_LABELS})(?:-(?P<last>{_LABELS}))?\Z")
_LABEL = re.compile(r"\(([^()]+)\)")
_REASONS = {
    PinReason.NOT_IN_OUTLINE: str(Outcome.PIN_NOT_FOUND),
    PinReason.SEVERAL_PARTS: str(PinReason.SEVERAL_PARTS),
}
OF_PARTS = frozenset(_REASONS.values())
"""Reasons that stand beside a target: it is sure, the part of it is not."""

Pins = Mapping[int, Mapping[str, list[int]]]
"""Rows of the references by the position that they lead to and the pin cite there."""


def say_missing_parts(references: pa.Table, selection: Selection) -> pa.Table:
    """Return a table of references with a reason for each whose provision lacks the part that is cited.

    Such a reference still leads to its provision.

    Args:
        references: table of `assets.citations.references.SCHEMA`.
        selection: what they refer to.
    """
    reasons: list[str | None] = references.column("reason").to_pylist()
    for rows, reason in _missing(_pins(references, selection), selection):
        for row in rows:
            reasons[row] = reason
    index = references.schema.get_field_index("reason")
    field = references.schema.field(index)
    return references.set_column(index, field, pa.array(reasons, field.type))


def _pins(references: pa.Table, selection: Selection) -> Pins:
    citations = selection.provisions.column("citation").to_pylist()
    statuses = selection.provisions.column("status").to_pylist()
    found: defaultdict[int, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    columns = (references.column(name).to_pylist() for name in ("target", "citation"))
    for row, (target, citation) in enumerate(zip(*columns, strict=True)):
        if target is not None and statuses[target] == IN_FORCE and citation.startswith(citations[target]):
            pin = citation[len(citations[target]) :]
            if _PIN.match(pin):
                found[target][pin].append(row)
    return found


def _missing(pins: Pins, selection: Selection) -> Iterator[tuple[list[int], str]]:
    """Yield the rows of references to one missing part, and the reason."""
    for first, batch in selection.batches(["outline", "text"]):
        wanted = [position for position in range(first, first + batch.num_rows) if position in pins]
        for position in wanted:
            outline, text = (batch.column(name)[position - first].as_py() for name in ("outline", "text"))
            for pin, rows in pins[position].items():
                reason = _reason(outline, text, pin)
                if reason is not None:
                    yield rows, reason


def _reason(outline: list[dict[str, Any]], text: str, pin: str) -> str | None:
    match = _PIN.match(pin)
    if match is None:
        return None
    labels = _LABEL.findall(match.group("first"))
    last = _LABEL.findall(match.group("last") or "")
    through = [*labels[: len(labels) - len(last)], *last] if last else []
    found = find_pin(outline, labels, through, text=text)
    return None if found.reason is None else _REASONS[found.reason]
