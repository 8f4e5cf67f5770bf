"""Report of a run, in lines for a terminal: seconds a step, checks, and why something failed."""

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
    """The end of a run: whether it succeeded, in one phrase and in detail, and the assets that it made."""

    succeeded: bool
    summary: str
    lines: tuple[str, ...]
    seconds: float
    made: frozenset[str]


def report_of(result: dg.ExecuteInProcessResult) -> RunReport:
    """Return what came of a run in this process."""
    checks = result.get_asset_check_evaluations()
    failed = [check for check in checks if not check.passed and check.severity is dg.AssetCheckSeverity.ERROR]
    warned = [check for check in checks if not check.passed and check.severity is dg.AssetCheckSeverity.WARN]
    lines = [f"{seconds:8.1f} s  {step}" for step, seconds in _seconds(result)]
    for check in [*failed, *warned]:
        word = "failed" if check in failed else "warning"
        lines.append(f"{word}: {check.asset_key.to_user_string()}: {check.check_name}: {check.description}")
        lines.extend(f"    {finding}" for finding in _findings(check))
    lines.extend(_errors(result))
    passed = len(checks) - len(failed) - len(warned)
    words = (
        f"{passed} {'check' if passed == 1 else 'checks'} passed, {len(warned)} warned, {len(failed)} failed"
    )
    return RunReport(
        succeeded=result.success and not failed,
        summary=f"{'done' if result.success and not failed else 'FAILED'}; {words}",
        lines=tuple(lines),
        seconds=sum(seconds for _, seconds in _seconds(result)),
        made=frozenset(
            event.asset_key.to_user_string()
            for event in result.get_asset_materialization_events()
            if event.asset_key is not None
        ),
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


def _seconds(result: dg.ExecuteInProcessResult) -> list[tuple[str, float]]:
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
    return [*assets, ("all checks", checks)]


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
