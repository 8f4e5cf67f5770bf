"""Findings: what a check saw. Pure functions return them; Dagster checks and `lawbuild` report them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Severity(StrEnum):
    """`error` stops a publication, `warning` does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be: a stable code, where it is, and what to know about it."""

    code: str
    where: str
    message: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one check.

    Attributes:
        examined: how many things were looked at: a check that looked at nothing has not passed.
        findings: all findings, worst first where there is an order.
        measured: figures worth showing even on success.
    """

    examined: int
    findings: Sequence[Finding] = ()
    measured: dict[str, float | int | str] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """True where no finding is an error."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)
