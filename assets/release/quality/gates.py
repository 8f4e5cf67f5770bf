"""The gates: every live citation leads to its provision alone, and so do the spellings that people use."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from assets.release.quality.spellings import Spelling, spell
from serving.contract.citations import Unparsed, read_one
from serving.contract.citations.keys import citation_key
from serving.contract.records import IN_FORCE
from serving.services.citations.resolution import Outcome, Reason, Resolution
from serving.services.citations.resolve import resolve
from serving.snapshot.law import CitedLaw

SAMPLE = 5_000
SEED = 20261121
SPELLED_FLOOR = 0.995
LISTED = 200
"""Failures that a report lists in full; all are counted."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A text that did not lead where it should: of which provision, in which form, and what came of it."""

    citation: str
    text: str
    form: str
    outcome: str


@dataclass(frozen=True, slots=True)
class GateReport:
    """Figures of one gate.

    Attributes:
        examined: texts that were resolved.
        resolved: those that led to their provision, alone.
        ambiguous: citations that live provisions share; each leads to all of them. These count as resolved.
        by_form: for each form, how many texts of it failed; those without failure too.
        failures: the first of them.
    """

    examined: int
    resolved: int
    ambiguous: tuple[str, ...]
    by_form: dict[str, int]
    failures: tuple[Failure, ...]

    @property
    def share(self) -> float:
        """Resolved of examined; 0 where nothing was examined."""
        return self.resolved / self.examined if self.examined else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        values = asdict(self)
        by_form = values.pop("by_form")
        return {**values, "byForm": by_form, "share": self.share}


def round_trip(law: CitedLaw, rows: Sequence[int]) -> GateReport:
    """Read and resolve the stored citation of each live citable node; it must lead to that node alone."""
    unread = [row for row in rows if isinstance(read_one(law.nodes.citation(row), law.grammar), Unparsed)]
    report = _report(law, ((row, [Spelling("stored", law.nodes.citation(row))]) for row in rows))
    if not unread:
        return report
    # What the grammar cannot read, the resolver may still find by its very letters: that is no round trip.
    citations = [law.nodes.citation(row) for row in unread]
    failures = [Failure(citation, citation, "stored", Outcome.UNPARSED) for citation in citations]
    return replace(
        report,
        resolved=report.resolved - len(unread),
        by_form={"stored": report.by_form["stored"] + len(unread)},
        failures=tuple([*failures, *report.failures][:LISTED]),
    )


def spelled(law: CitedLaw, rows: Sequence[int], *, sample: int = SAMPLE, seed: int = SEED) -> GateReport:
    """Resolve generated spellings of a seeded sample of nodes."""
    chosen = random.Random(seed).sample(list(rows), min(sample, len(rows)))  # noqa: S311 (a sample, no secret)
    return _report(
        law, ((row, spell(law.nodes.citation(row), law.grammar, part=_part(law, row))) for row in chosen)
    )


def live_citable(law: CitedLaw, citable: Sequence[bool]) -> list[int]:
    """Return the rows of live nodes among those marked citable."""
    return [row for row, own in enumerate(citable) if own and law.nodes.status(row) == IN_FORCE]


def _report(law: CitedLaw, tried: Iterator[tuple[int, list[Spelling]]]) -> GateReport:
    examined = resolved = 0
    ambiguous: dict[str, None] = {}
    forms: Counter[str] = Counter()
    failures: list[Failure] = []
    for row, spellings in tried:
        for form, text in spellings:
            examined += 1
            forms[form] += 0
            found = resolve(law, text)
            if _leads_to(found, row):
                resolved += 1
            elif _shares(law, found, row):
                resolved += 1
                ambiguous[law.nodes.citation(row)] = None
            else:
                forms[form] += 1
                failures.append(Failure(law.nodes.citation(row), text, form, _said(found)))
    return GateReport(examined, resolved, tuple(ambiguous), dict(forms), tuple(failures[:LISTED]))


def _part(law: CitedLaw, row: int) -> str | None:
    """Return the label of the last part of a provision that no other part of it bears."""
    outline = law.nodes.answer(row)["outline"]
    labels = [part["label"] for part in outline if part["label"].startswith("(")]
    return next((label for label in reversed(labels) if labels.count(label) == 1), None)


def _leads_to(found: Resolution, row: int) -> bool:
    is_found = found.outcome is Outcome.FOUND or found.reason is Reason.DEAD_PART
    return is_found and found.provision is not None and found.provision.row == row


def _shares(law: CitedLaw, found: Resolution, row: int) -> bool:
    """Return True where live provisions bear one number, and the answer lists them all."""
    rows = {candidate.provision.row for candidate in found.candidates if candidate.provision}
    key = citation_key(law.nodes.citation(row))
    alike = {law.citations.node(entry) for entry in law.citations.find(key)}
    live = {other for other in alike if law.nodes.status(other) == IN_FORCE}
    return found.outcome is Outcome.AMBIGUOUS and row in rows and rows == live


def _said(found: Resolution) -> str:
    where = found.provision.citation if found.provision is not None else found.citation or ""
    return f"{found.outcome} {where}".strip()
