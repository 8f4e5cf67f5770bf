"""`lawbuild`: run the jobs without the UI, with progress, and say what came of them."""

import argparse
import os
import resource
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import dagster as dg

from assets.progress import Progress
from assets.registry import Registry, load_registry
from assets.settings import BuildSettings
from assets.workspace import Workspace
from pipelines.definitions import defs
from pipelines.jobs import PUBLICATION
from pipelines.outcome import Outcome, outcome_of
from pipelines.progress import progress_on_stderr
from serving.contract.errors import LawError


@dataclass(frozen=True, slots=True)
class Wanted:
    """A code body to build, and where its source lies; None: the registry's own."""

    key: str
    path: str | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status: 0 published, 1 something failed, 2 misused."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        workspace = BuildSettings.from_env().open()
        registry = load_registry(workspace.registry)
        if options.list:
            _list(registry)
            return 0
        if not options.bodies:
            parser.error("name at least one code body, as in `lawbuild sample-code` (--list shows them)")
        return _build([_wanted(text, registry) for text in options.bodies], workspace)
    except LawError as error:
        sys.stderr.write(f"lawbuild: {error.message}\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lawbuild",
        description="Build code bodies and publish them as a snapshot. What was built before is not built "
        "again: unchanged chunks keep their vectors, and a build that was stopped goes on where it was.",
        epilog="Folders come from LAW_WORKSPACE, LAW_DATASETS and LAW_SNAPSHOTS (see the README).",
    )
    parser.add_argument(
        "bodies",
        nargs="*",
        metavar="BODY[=PATH]",
        help="registry key, and the folder, .tar.xz, .tar.gz or .zip of its source if not the registry's own",
    )
    parser.add_argument("--list", action="store_true", help="list the code bodies of the registry and stop")
    return parser


def _list(registry: Registry) -> None:
    for body in registry.code_bodies:
        source = "packaged" if body.source else "give a path"
        sys.stdout.write(f"{body.key:20} {body.jurisdiction:14} {body.reader:8} {source:12} {body.name}\n")


def _wanted(text: str, registry: Registry) -> Wanted:
    key, _, path = text.partition("=")
    body = registry.code_body(key)
    return Wanted(body.key, str(Path(path).expanduser().absolute()) if path else None)


def _build(wanted: Sequence[Wanted], workspace: Workspace) -> int:
    outcomes = []
    with _instance() as instance, progress_on_stderr() as progress:
        run = partial(_run, instance, workspace, progress)
        for body in wanted:
            source = {"source_files": {"config": {"path": body.path}}}
            outcome = run("build_code_body", partition=body.key, config=source)
            _say(outcome, body.key)
            outcomes.append(outcome)
        keys = [body.key for body in wanted if (workspace.accepted(body.key)).is_dir()]
        if not keys:
            sys.stderr.write("lawbuild: no code body passed its checks; nothing is published.\n")
            return 1
        selection = {name: {"config": {"code_bodies": keys}} for name in PUBLICATION}
        outcome = run("publish_snapshot", partition=None, config=selection)
        _say(outcome, "snapshot")
        outcomes.append(outcome)
    _conclude(outcomes, workspace)
    return 0 if all(outcome.succeeded for outcome in outcomes) else 1


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
) -> Outcome:
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
    return outcome_of(result)


def _say(outcome: Outcome, what: str) -> None:
    sys.stderr.write(f"\n{what}: {outcome.summary}\n")
    for line in outcome.lines:
        sys.stderr.write(f"  {line}\n")
    sys.stderr.write("\n")


def _conclude(outcomes: Sequence[Outcome], workspace: Workspace) -> None:
    seconds = sum(outcome.seconds for outcome in outcomes)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stderr.write(f"{seconds:.1f} s in all, peak memory {peak:,.0f} MiB.\n")
    if all(outcome.succeeded for outcome in outcomes):
        sys.stderr.write(f"Published into {workspace.snapshots}: serve it with `make serve`.\n")
