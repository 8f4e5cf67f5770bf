"""Run the jobs in this process, as `lawbuild` does: build code bodies, publish them, say what came of it."""

import os
import resource
import sys
from collections.abc import Mapping, Sequence
from functools import partial

import dagster as dg

from assets.progress import Progress
from assets.registry import load_registry
from assets.selection.selection import available_bodies
from assets.workspace import Workspace, alone_in
from pipelines.definitions import defs
from pipelines.jobs import PUBLICATION
from pipelines.progress import progress_on_stderr
from pipelines.run_report import RunReport, report_of
from pipelines.wanted import Wanted


def build(wanted: Sequence[Wanted], workspace: Workspace) -> int:
    """Build code bodies and layers and publish those that were accepted; return 0 if all went well, else 1.

    Layers that are asked for alone are published beside every code body that was accepted before.
    """
    reports = []
    alone = alone_in(workspace.root, waiting=partial(_say_waiting, workspace))
    with alone, _instance() as instance, progress_on_stderr() as progress:
        run = partial(_run, instance, workspace, progress)
        for build in wanted:
            job, source = ("build_zoning_layer", "layer_files") if build.is_layer else _BODY
            config = {source: {"config": {"path": build.path}}}
            report = run(job, partition=build.key, config=config)
            _say(report, build.key)
            reports.append(report)
        keys = _accepted_bodies(wanted, workspace)
        if not keys:
            sys.stderr.write("lawbuild: no code body passed its checks; nothing is published.\n")
            return 1
        layers = [build.key for build in wanted if build.is_layer]
        chosen = {"code_bodies": keys, "layers": layers}
        selection = {name: {"config": chosen} for name in PUBLICATION}
        report = run("publish_snapshot", partition=None, config=selection)
        _say(report, "snapshot")
        reports.append(report)
    _conclude(reports, workspace)
    return 0 if all(report.succeeded for report in reports) else 1


_BODY = ("build_code_body", "source_files")


def _accepted_bodies(wanted: Sequence[Wanted], workspace: Workspace) -> list[str]:
    bodies = [build.key for build in wanted if not build.is_layer]
    if not bodies:
        return list(available_bodies(workspace, load_registry(workspace.registry)))
    return [key for key in bodies if workspace.accepted(key).is_dir()]


def _instance() -> dg.DagsterInstance:
    """Return the instance of DAGSTER_HOME, so that the UI shows these runs too; else one for this process."""
    return dg.DagsterInstance.get() if os.environ.get("DAGSTER_HOME") else dg.DagsterInstance.ephemeral()


def _run(
    instance: dg.DagsterInstance,
    workspace: Workspace,
    progress: Progress,
    job: str,
    *,
    partition: str | None,
    config: Mapping[str, object],
) -> RunReport:
    result = (
        defs()
        .resolve_job_def(job)
        .execute_in_process(
            run_config={"ops": dict(config), "loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            instance=instance,
            partition_key=partition,
            resources={"workspace": workspace, "progress": progress},
            raise_on_error=False,
        )
    )
    return report_of(result)


def _say_waiting(workspace: Workspace) -> None:
    sys.stderr.write(f"lawbuild: another build is at work in {workspace.root}; waiting for it to end.\n")


def _say(report: RunReport, what: str) -> None:
    sys.stderr.write(f"\n{what}: {report.summary}\n")
    for line in report.lines:
        sys.stderr.write(f"  {line}\n")
    sys.stderr.write("\n")


def _conclude(reports: Sequence[RunReport], workspace: Workspace) -> None:
    seconds = sum(report.seconds for report in reports)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stderr.write(f"{seconds:.1f} s in all, peak memory {peak:,.0f} MiB.\n")
    if all(report.succeeded for report in reports):
        sys.stderr.write(f"Published into {workspace.snapshots}: serve it with `make serve`.\n")
