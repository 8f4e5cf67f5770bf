"""The runs that make and publish a snapshot: the indexes of search are built by a worker beside the rest.

Citations, answers and files are made by one thread. One after the other, the second core would wait for most
of a rebuild.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from assets.release.preview import manifest_in_service
from assets.workspace import Workspace
from pipelines.jobs import PARTS
from pipelines.run_report import RunReport, joined
from pipelines.runs import Runs
from pipelines.worker import Worker, worker

APART_FROM = 20_000
"""Chunks from which on indexes are made in a process of their own: with fewer, its start takes longer than it
saves."""


def worker_ahead(workspace: Workspace) -> AbstractContextManager[Worker | None]:
    """Start a worker before there is something to index, if the snapshot in service needs one.

    To load what it needs takes it some seconds, for which a core is free while code bodies are read.
    """
    manifest = manifest_in_service(workspace)
    is_large = manifest is not None and manifest.counts["chunks"] >= APART_FROM
    return worker(workspace) if is_large else nullcontext()


def run_publication(
    runs: Runs, config: Mapping[str, object], *, chunks: int, ahead: Worker | None = None
) -> RunReport:
    """Make what a snapshot consists of, and publish it if all of that is made and passed its checks.

    Args:
        runs: of this process.
        config: of each asset, by its name.
        chunks: that are to be searched.
        ahead: a worker that has been started; None: there is none.

    Raises:
        KeyboardInterrupt: the process was told to stop.
    """
    if chunks < APART_FROM:
        return runs.run("publish_snapshot", partition=None, config=config)
    with worker(runs.workspace) if ahead is None else nullcontext(ahead) as beside:
        made = _made(runs, config, beside)
    if all(report.succeeded for report in made):
        made.append(_run(runs, "publish_made", config))
    return joined(made)


def _made(runs: Runs, config: Mapping[str, object], beside: Worker) -> list[RunReport]:
    """Make all parts of a snapshot; return their reports."""
    beside.ask("make_indexes", _of("make_indexes", config))
    answers = _run(runs, "make_answers", config)
    if not answers.succeeded:
        return [answers, beside.report()]
    # Whoever is ready first makes the files: the worker, unless there are many vectors.
    beside.ask("make_bulk_files", _of("make_bulk_files", config))
    made = [answers, _run(runs, "judge_citations", config)]
    is_ours = beside.take_back()
    if is_ours:
        made.append(_run(runs, "make_bulk_files", config))
    made.append(beside.report())
    if not is_ours:
        made.append(beside.report())
    return made


def _run(runs: Runs, job: str, config: Mapping[str, object]) -> RunReport:
    return runs.run(job, partition=None, config=_of(job, config))


def _of(job: str, config: Mapping[str, object]) -> dict[str, object]:
    return {name: config[name] for name in PARTS[job]}
