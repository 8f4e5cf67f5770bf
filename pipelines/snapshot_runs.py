"""The runs that make and publish a snapshot: the indexes of search are built in a process beside the rest.

Vectors take both cores for a while; citations, answers and files are made by one thread. One after the other,
the second core would wait for most of a rebuild.
"""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection

from assets.confinement.process import die_with
from assets.release.preview import manifest_in_service
from assets.search.vector import INDEX_ROWS
from assets.workspace import Workspace
from pipelines.jobs import ANSWERS, INDEXES, SNAPSHOT
from pipelines.progress import progress_on_stderr
from pipelines.run_report import RunReport, joined
from pipelines.runs import Runs, open_instance
from pipelines.stopping import STOPS
from serving.contract.errors import SnapshotCorruptError


class IndexProcess:
    """A process that builds the indexes of search, once it is told from what.

    Args:
        asked: the end of the connection to it that is here.
    """

    def __init__(self, asked: Connection) -> None:
        self._asked = asked

    def begin(self, config: Mapping[str, object]) -> None:
        """Tell it to build, with this configuration of each asset, by its name."""
        with suppress(ConnectionError):  # it has ended: `report` says so
            self._asked.send(_of(INDEXES, config))

    def report(self) -> RunReport:
        """Wait until it is done; return what came of it."""
        try:
            report: RunReport = self._asked.recv()
        except (EOFError, ConnectionError):
            lost = "the process that built the indexes of search ended before its time"
            return RunReport(succeeded=False, said=(f"{lost}: is there memory enough?",))
        return report


@contextmanager
def index_process(workspace: Workspace) -> Iterator[IndexProcess]:
    """Start a process for the indexes, which loads what it needs meanwhile and ends with the block."""
    context = get_context("spawn")  # forking a process that runs threads of Arrow may hang
    ours, theirs = context.Pipe()
    process = context.Process(target=_build_indexes, args=(os.getpid(), workspace, theirs))
    # A terminal sends its stop to both: the one here ends the other, which has nothing to say of it. What
    # multiprocessing starts first, once for all processes, would unblock the signals.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        process.start()
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)  # a stop that came meanwhile is raised here
            theirs.close()
            yield IndexProcess(ours)
        finally:
            process.kill()  # one that has sent its report, or was asked for nothing, has nothing more to do
            process.join()
            ours.close()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def index_process_ahead(workspace: Workspace) -> AbstractContextManager[IndexProcess | None]:
    """Start the process before there is something to index, if the snapshot in service needs one.

    To load what it needs takes it some seconds, for which a core is free while code bodies are read.
    """
    try:
        manifest = manifest_in_service(workspace)
    except SnapshotCorruptError:
        manifest = None  # who publishes says so
    is_large = manifest is not None and manifest.counts["chunks"] >= INDEX_ROWS
    return index_process(workspace) if is_large else nullcontext()


def run_publication(
    runs: Runs, config: Mapping[str, object], *, chunks: int, ahead: IndexProcess | None = None
) -> RunReport:
    """Make what a snapshot consists of, and publish it if all of that is made and passed its checks.

    Args:
        runs: of this process.
        config: of each asset, by its name.
        chunks: that are to be searched. Below `INDEX_ROWS` no graph is built, and a process of its own would
            take longer to start than it saves.
        ahead: a process for the indexes that has been started; None: there is none.

    Raises:
        KeyboardInterrupt: the process was told to stop.
    """
    if chunks < INDEX_ROWS:
        return runs.run("publish_snapshot", partition=None, config=config)
    with index_process(runs.workspace) if ahead is None else nullcontext(ahead) as indexes:
        indexes.begin(config)
        made = [runs.run("make_answers", partition=None, config=_of(ANSWERS, config))]
        made.append(indexes.report())
    if all(report.succeeded for report in made):
        made.append(runs.run("publish_made", partition=None, config=_of(SNAPSHOT, config)))
    return joined(made)


def _build_indexes(parent: int, workspace: Workspace, asked: Connection) -> None:
    die_with(parent)
    config = asked.recv()
    with open_instance() as instance, progress_on_stderr() as progress:
        runs = Runs(instance, workspace, progress)
        asked.send(runs.run("make_indexes", partition=None, config=config))


def _of(assets: Sequence[str], config: Mapping[str, object]) -> dict[str, object]:
    return {name: config[name] for name in assets}
