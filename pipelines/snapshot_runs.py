"""The runs that make and publish a snapshot: the indexes of search are built in a process beside the rest.

Vectors take both cores for a while; citations, answers and files are made by one thread. One after the other,
the second core would wait for most of a rebuild.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from assets.confinement.process import die_with
from assets.search.vector import INDEX_ROWS
from assets.workspace import Workspace
from pipelines.jobs import ANSWERS, INDEXES, SNAPSHOT
from pipelines.progress import progress_on_stderr
from pipelines.run_report import RunReport, joined
from pipelines.runs import Runs, open_instance


def run_publication(runs: Runs, config: Mapping[str, object], *, chunks: int) -> RunReport:
    """Make what a snapshot consists of, and publish it if all of that is made and passed its checks.

    Args:
        runs: of this process.
        config: of each asset, by its name.
        chunks: that are to be searched. Below `INDEX_ROWS` no graph is built, and a process of its own would
            take longer to start than it saves.

    Raises:
        KeyboardInterrupt: the process was told to stop.
    """
    if chunks < INDEX_ROWS:
        return runs.run("publish_snapshot", partition=None, config=config)
    with _beside(runs.workspace, config) as indexes:
        made = [runs.run("make_answers", partition=None, config=_of(ANSWERS, config))]
        made.append(_report(indexes))
    if all(report.succeeded for report in made):
        made.append(runs.run("publish_made", partition=None, config=_of(SNAPSHOT, config)))
    return joined(made)


@contextmanager
def _beside(workspace: Workspace, config: Mapping[str, object]) -> Iterator[Connection]:
    """Build the indexes in a process of its own; yield where its report comes from."""
    context = get_context("spawn")  # forking a process that runs threads of Arrow may hang
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=_build_indexes, args=(os.getpid(), workspace, _of(INDEXES, config), theirs)
    )
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.kill()  # one that has sent its report has nothing more to do
        process.join()


def _build_indexes(
    parent: int, workspace: Workspace, config: Mapping[str, object], report: Connection
) -> None:
    die_with(parent)
    with open_instance() as instance, progress_on_stderr() as progress:
        runs = Runs(instance, workspace, progress)
        report.send(runs.run("make_indexes", partition=None, config=config))


def _report(indexes: Connection) -> RunReport:
    try:
        report: RunReport = indexes.recv()
    except EOFError:
        lost = "the process that built the indexes of search ended before its time: is there memory enough?"
        return RunReport(succeeded=False, said=(lost,))
    return report


def _of(assets: Sequence[str], config: Mapping[str, object]) -> dict[str, object]:
    return {name: config[name] for name in assets}
