"""Report of a run, in lines for a terminal: seconds a step, checks, and why something failed."""

from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg

from serving.contract.errors import LawError

_FINDINGS = 5
_FAILED = dg.Failure.__name__
_INTERRUPTED = dg.DagsterExecutionInterruptedError.__name__
_BLOCKED = "DagsterAssetCheckFailedError"
"""The error that Dagster, which does not export it, raises in a step whose blocking check failed."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """The end of a run, or of several that made one thing.

    Attributes:
        succeeded: whether all was made and no check failed.
        took: seconds by asset.
        checking: seconds of all checks.
        passed, warned, failed: numbers of checks.
        said: lines on the checks that warned or failed, and on errors.
        made: names of the assets that were made.
    """

    succeeded: bool
    took: tuple[tuple[str, float], ...] = ()
    checking: float = 0.0
    passed: int = 0
    warned: int = 0
    failed: int = 0
    said: tuple[str, ...] = ()
    made: frozenset[str] = frozenset()

    @property
    def summary(self) -> str:
        """The end in one phrase."""
        return (
            f"{'done' if self.succeeded else 'FAILED'}; "
            f"{self.passed} {'check' if self.passed == 1 else 'checks'} passed, "
            f"{self.warned} warned, {self.failed} failed"
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """The end in detail."""
        seconds = (*self.took, ("all checks", self.checking))
        return (*(f"{spent:8.1f} s  {step}" for step, spent in seconds), *self.said)


def report_of(result: dg.ExecuteInProcessResult) -> RunReport:
    """Return what came of a run in this process."""
    checks = result.get_asset_check_evaluations()
    failed = [check for check in checks if not check.passed and check.severity is dg.AssetCheckSeverity.ERROR]
    warned = [check for check in checks if not check.passed and check.severity is dg.AssetCheckSeverity.WARN]
    said = []
    for check in [*failed, *warned]:
        word = "failed" if check in failed else "warning"
        said.append(f"{word}: {check.asset_key.to_user_string()}: {check.check_name}: {check.description}")
        said.extend(f"    {finding}" for finding in _findings(check))
    took, checking = _seconds(result)
    return RunReport(
        succeeded=result.success and not failed,
        took=took,
        checking=checking,
        passed=len(checks) - len(failed) - len(warned),
        warned=len(warned),
        failed=len(failed),
        said=(*said, *_errors(result)),
        made=frozenset(
            event.asset_key.to_user_string()
            for event in result.get_asset_materialization_events()
            if event.asset_key is not None
        ),
    )


def joined(reports: Sequence[RunReport]) -> RunReport:
    """Return the report of runs that made one thing together."""
    return RunReport(
        succeeded=all(report.succeeded for report in reports),
        took=tuple(step for report in reports for step in report.took),
        checking=sum(report.checking for report in reports),
        passed=sum(report.passed for report in reports),
        warned=sum(report.warned for report in reports),
        failed=sum(report.failed for report in reports),
        said=tuple(line for report in reports for line in report.said),
        made=frozenset().union(*(report.made for report in reports)),
    )


def is_interrupted(result: dg.ExecuteInProcessResult) -> bool:
    """Return whether a run was told to stop, which Dagster tells as the failure of a step."""
    for event in result.all_events:
        if event.event_type is dg.DagsterEventType.STEP_FAILURE:
            error = event.step_failure_data.error
            while error is not None:
                if error.cls_name == _INTERRUPTED:
                    return True
                error = error.cause or error.context
    return False


def _seconds(result: dg.ExecuteInProcessResult) -> tuple[tuple[tuple[str, float], ...], float]:
    """Return the seconds of each asset, and of all checks together."""
    assets: list[tuple[str, float]] = []
    checks = 0.0
    for event in result.all_events:
        if event.event_type is dg.DagsterEventType.STEP_SUCCESS:
            seconds = event.step_success_data.duration_ms / 1000
            key = event.step_key or ""
            if result.job_def.asset_layer.has(dg.AssetKey(key)):
                assets.append((key, seconds))
            else:
                checks += seconds
    return tuple(assets), checks


def _findings(check: dg.AssetCheckEvaluation) -> list[str]:
    table = check.metadata.get("first findings")
    if not isinstance(table, dg.TableMetadataValue):
        return []
    return [f"{row.data['where']}: {row.data['message']}" for row in table.records[:_FINDINGS]]


def _errors(result: dg.ExecuteInProcessResult) -> list[str]:
    """Return why steps failed: the message of our own errors, and of others where they were raised, too."""
    lines: list[str] = []
    for event in result.all_events:
        if event.event_type is not dg.DagsterEventType.STEP_FAILURE:
            continue
        error = event.step_failure_data.error
        while error is not None and error.cause is not None and not _is_told(error.cls_name):
            error = error.cause
        if error is None or error.cls_name == _BLOCKED:
            continue  # what failed in a check is said by the check
        message = error.message.strip()
        if _is_told(error.cls_name):
            lines.append(f"{event.step_key}: {message.partition(': ')[2]}")
        else:
            lines.append(f"{event.step_key}: {message}")
            lines.extend(f"    {line.rstrip()}" for line in error.stack[-3:])
    return lines


def _is_told(class_name: str | None) -> bool:
    """Return whether the message of an error says all that a person needs: a failure's, or one of ours."""
    if class_name == _FAILED:
        return True
    known, found = [LawError], set()
    while known:
        error = known.pop()
        found.add(error.__name__)
        known.extend(error.__subclasses__())
    return class_name in found
