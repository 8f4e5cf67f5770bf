"""Pin cites, resolved to spans of a provision's text by the provision's outline and designators."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from serving.contract.citations.lists import natural_key
from serving.contract.citations.pins import ORDINALS
from serving.contract.citations.source import fold_dashes
from serving.contract.citations.spelling import format_pin
from serving.contract.records import IN_FORCE
from serving.services.citations.designators import (
    Designators,
    labels_before,
    paragraph_headed,
    paragraphs_headed,
)
from serving.services.citations.notices import notice_at
from serving.services.citations.resolution import LabelledSpan, LeadIn, PinCite, PinReason

OutlineEntry = Mapping[str, Any]
"""An entry of an outline, with `label`, `start`, `end` and `uncertain`."""

MAX_NEIGHBOURS = 20
"""Most parts that are given beside a missing one."""
_HEAD = r"(?:\([0-9A-Za-z]{1,5}(?:[-‐‑–][0-9A-Za-z]{1,4})?\) ?){1,6}"
_HEADS = re.compile(rf"^{_HEAD}", re.MULTILINE)
"""Designators at the head of a line: `(a)`, or `(a)(1)`."""
_LABEL = re.compile(r"\([^()]+\)")
_ONE_LABEL = re.compile(r"\([^()]+\)|, [A-Z][a-z]+")


def find_pin(
    outline: Sequence[OutlineEntry], labels: Sequence[str], through: Sequence[str] = (), *, text: str
) -> PinCite:
    """Find the part that a pin cite names. Labels are compared with their case: `(A)` is not `(a)`.

    A label that the outline lacks may stand within a sentence (`means (1) a doctor`): that part is uncertain.
    Where several parts bear the label, none of them is found and all are candidates. That includes lines
    with the same label in the same part where the outline is uncertain, as in a section of definitions
    each of which is numbered anew.

    Args:
        outline: outline of the provision.
        labels: labels of the pin cite, outermost first.
        through: labels of the last part of a range; empty where one part is cited.
        text: of the provision; all of it is the span where it has no part above.
    """
    parts = _Parts(outline, text)
    shared = _shared(labels, through) if through else len(labels) - 1
    written = f"{format_pin(labels)}-{format_pin(through[shared:])}" if through else format_pin(labels)
    ends = [parts.bearers(label) for label in ((labels, through) if through else (labels,))]
    first, last = ends[0], ends[-1]
    if len(first) == len(last) == 1 and first[0].start <= last[0].start:
        return PinCite(
            written,
            found=True,
            start=first[0].start,
            end=last[0].end,
            uncertain=first[0].uncertain or last[0].uncertain,
            lead_in=tuple(parts.lead_in(labels[: shared + 1])),
            status=parts.status(first[0]) if first == last else IN_FORCE,
        )
    several = [bearer for bearers in ends if len(bearers) > 1 for bearer in bearers]
    missing = through if first and not last else labels
    depth, above = parts.above(labels[:shared])
    return PinCite(
        written,
        found=False,
        start=above.start,
        end=above.end,
        nearest=above.label or None,
        uncertain=above.uncertain,
        reason=PinReason.SEVERAL_PARTS if several else PinReason.NOT_IN_OUTLINE,
        candidates=tuple(dict.fromkeys(several)),
        neighbours=()
        if several
        else _around(parts.inside(labels[:depth], missing[depth]), missing[: depth + 1]),
    )


class _Parts:
    """The parts of one provision: those of its outline, and those that a sentence designates."""

    def __init__(self, outline: Sequence[OutlineEntry], text: str) -> None:
        self._text = text
        self._designators = Designators(text)
        self._borne: dict[tuple[str, ...], list[LabelledSpan]] = {}
        self._outlined: dict[str, list[OutlineEntry]] = {}
        for entry in outline:
            self._outlined.setdefault(fold_dashes(entry["label"]), []).append(entry)

    def bearers(self, labels: Sequence[str]) -> list[LabelledSpan]:
        """Return the parts that bear a label; beside an uncertain one, also lines that begin with it."""
        if not labels:
            return [LabelledSpan("", 0, len(self._text), uncertain=False)]
        key = tuple(labels)
        if key not in self._borne:
            self._borne[key] = self._bearers(key)
        return self._borne[key]

    def _bearers(self, labels: Sequence[str]) -> list[LabelledSpan]:
        if labels[0] in ORDINALS and len(labels) > 1:
            own = self._under_ordinal(labels[0], format_pin(labels[1:]))
        else:
            own = self._of_label(format_pin(labels))
        if len(own) == 1 and own[0].uncertain:
            own = [*own, *self._unplaced(labels)]
        own = sorted(own, key=lambda span: span.start)
        return own or self._noticed(labels) or self._designated(labels)

    def above(self, labels: Sequence[str]) -> tuple[int, LabelledSpan]:
        """Return the depth and span of the innermost part above a pin cite that no other has the label of."""
        for depth in range(len(labels), 0, -1):
            bearers = self.bearers(labels[:depth])
            if len(bearers) == 1:
                return depth, bearers[0]
        return 0, self.bearers(())[0]

    def inside(self, labels: Sequence[str], beside: str) -> list[LabelledSpan]:
        """Return the parts right inside one, in their order; `beside`: label in whose series others are."""
        if not labels and beside in ORDINALS:
            return [LabelledSpan(*part, uncertain=True) for part in paragraphs_headed(self._text)]
        under = labels[0] if labels and labels[0] in ORDINALS else None
        head = format_pin(labels[1:] if under else labels)
        depth = len(head)
        found = [
            span
            for label in self._outlined
            if label.rfind("(") <= depth and label.startswith(head) and _ONE_LABEL.fullmatch(label, depth)
            for span in (self._under_ordinal(under, label) if under else self._of_label(label))
        ]
        if found or not beside:
            return sorted(found, key=lambda span: span.start)
        return self._clauses(labels, beside)

    def lead_in(self, labels: Sequence[str]) -> Iterator[LeadIn]:
        """Yield the words of each part above a found one that stand before the first part in it."""
        for depth in range(len(labels)):
            (part,) = self.bearers(labels[:depth])[:1]
            within = self.inside(labels[:depth], labels[depth])
            end = min((span.start for span in within), default=part.start)
            words = self._text[part.start : end].rstrip()
            if _HEADS.sub("", words, count=1).strip():
                yield LeadIn(part.label or None, part.start, part.start + len(words))

    def status(self, part: LabelledSpan) -> str:
        """Return the status that the text gives a part: `repealed` for `(c) Repealed. Pub. L. ...`."""
        notice = notice_at(self._text, part.start)
        return IN_FORCE if notice is None or part.end > notice.end + 1 else notice.status

    def _of_label(self, label: str) -> list[LabelledSpan]:
        """Return the parts of the outline with a whole label, such as `(a)(1)`; few are asked for of many."""
        return [
            LabelledSpan(entry["label"], entry["start"], entry["end"], bool(entry["uncertain"]))
            for entry in self._outlined.get(label, ())
        ]

    def _under_ordinal(self, ordinal: str, label: str) -> list[LabelledSpan]:
        """Return the parts with a label in a part that is cited in words, which the outline does not hold."""
        holders = self.bearers((ordinal,))
        if len(holders) != 1:
            return []
        begin, end = holders[0].start, holders[0].end
        return [
            replace(span, label=f"{ordinal}{label}", end=min(span.end, end))
            for span in self._of_label(label)
            if begin <= span.start < end
        ]

    def _starts(self) -> Iterator[int]:
        """Yield the positions at which the parts of the outline begin."""
        return (entry["start"] for entries in self._outlined.values() for entry in entries)

    def _noticed(self, labels: Sequence[str]) -> list[LabelledSpan]:
        """Return the notice that stands for a part beside others: `(c), (d) Repealed`."""
        head = format_pin(labels[:-1])
        for span in self.inside(labels[:-1], ""):
            notice = notice_at(self._text, span.start)
            if notice is not None and labels[-1] in notice.labels:
                return [LabelledSpan(f"{head}({labels[-1]})", notice.start, notice.end, uncertain=False)]
        return []

    def _designated(self, labels: Sequence[str]) -> list[LabelledSpan]:
        if labels[0] in ORDINALS and len(labels) == 1:
            headed = paragraph_headed(self._text, labels[0])
            return [] if headed is None else [LabelledSpan(*headed, uncertain=True)]
        own = format_pin(labels)
        return [clause for clause in self._clauses(labels[:-1], labels[-1]) if clause.label == own]

    def _clauses(self, labels: Sequence[str], beside: str) -> list[LabelledSpan]:
        """Return the clauses right inside a part, of the series of a label, which its sentence designates."""
        holders = self.bearers(labels)
        if len(holders) != 1:
            return []
        holder, head = holders[0], format_pin(labels)
        begin = holder.start + (len(labels[-1]) + 2 if labels else 0)
        within = [start for start in self._starts() if start > begin]
        clauses = self._designators.clauses_beside(begin, min([holder.end, *within]), beside)
        for before in () if clauses else labels_before(beside):
            # `(1) if it is filthy; or (2)(A) if ...`: only the first has a line of its own.
            own = self._of_label(f"{head}({before})")
            if len(own) == 1:
                begin = own[0].start + len(before) + 2
                clauses = self._designators.clauses_beside(begin, own[0].end, beside, after=before)
                break
        return [
            LabelledSpan(f"{head}({clause.label})", clause.start, clause.end, uncertain=True)
            for clause in clauses
        ]

    def _unplaced(self, labels: Sequence[str]) -> Iterator[LabelledSpan]:
        """Yield the lines that begin with the last of some labels and are no part of the outline.

        They lie in the part above the one that the labels name, or else anywhere in the text.
        """
        under = labels[0] in ORDINALS
        holders = self.bearers(labels[:-1]) if under else self._of_label(format_pin(labels[:-1]))
        start, end = (holders[0].start, holders[0].end) if len(holders) == 1 else (0, len(self._text))
        placed = set(self._starts())
        own = format_pin(labels[-1:])
        for head in _HEADS.finditer(self._text, start, end):
            for label in _LABEL.finditer(head.group()):
                position = head.start() + label.start()
                if fold_dashes(label.group()) == own and position not in placed:
                    stop = self._text.find("\n", position)
                    finish = len(self._text) if stop < 0 else stop
                    yield LabelledSpan(label.group(), position, finish, uncertain=True)


def _around(beside: Sequence[LabelledSpan], labels: Sequence[str]) -> tuple[LabelledSpan, ...]:
    """Return those of many parts between which a missing one would stand."""
    own = natural_key(format_pin(labels))
    before = sum(natural_key(part.label) < own for part in beside)
    first = max(0, min(before - MAX_NEIGHBOURS // 2, len(beside) - MAX_NEIGHBOURS))
    return tuple(beside[first : first + MAX_NEIGHBOURS])


def _shared(labels: Sequence[str], through: Sequence[str]) -> int:
    """Count the labels, outermost first, that both ends of a range share above their last."""
    depth = 0
    while depth < min(len(labels), len(through)) - 1 and labels[depth] == through[depth]:
        depth += 1
    return depth
