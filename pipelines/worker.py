"""A process that runs jobs beside this one, which takes back what the process has not begun."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Semaphore

from assets.confinement.process import die_with
from assets.workspace import Workspace
from pipelines.progress import progress_on_stderr
from pipelines.run_report import RunReport
from pipelines.runs import Runs, open_instance
from pipelines.stopping import STOPS


class Worker:
    """A process that runs the jobs that it is asked for, in their order.

    Args:
        asked: the end of the connection to it that is here.
        waiting: counts the jobs that were asked for and that nobody has begun.
    """

    def __init__(self, asked: Connection, waiting: Semaphore) -> None:
        self._asked = asked
        self._waiting = waiting

    def ask(self, job: str, config: Mapping[str, object]) -> None:
        """Ask for a job, with the configuration of each of its assets by name."""
        self._waiting.release()  # before it is sent: who receives it takes it from the count
        with suppress(ConnectionError):  # the process has ended: `report` says so
            self._asked.send((job, config))

    def take_back(self) -> bool:
        """Return whether the last job that was asked for has not begun; if so, it never will.

        After that no other may be asked for.
        """
        return self._waiting.acquire(block=False)

    def report(self) -> RunReport:
        """Wait for the end of the first job that was not reported yet; return what came of it."""
        try:
            report: RunReport = self._asked.recv()
        except (EOFError, ConnectionError):
            lost = "the process that worked beside this one ended before its time"
            return RunReport(succeeded=False, said=(f"{lost}: is there memory enough?",))
        return report


@contextmanager
def worker(workspace: Workspace) -> Iterator[Worker]:
    """Start a worker, which loads what it needs meanwhile and ends with the block."""
    context = get_context("spawn")  # forking a process that runs threads of Arrow may hang
    ours, theirs = context.Pipe()
    waiting = context.Semaphore(0)
    process = context.Process(target=run_jobs, args=(os.getpid(), workspace, theirs, waiting))
    # A terminal sends its stop to both: the one here ends the other, which has nothing to say of it. What
    # multiprocessing starts first, once for all processes, would unblock the signals.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        process.start()
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)  # a stop that came meanwhile is raised here
            theirs.close()
            yield Worker(ours, waiting)
        finally:
            process.kill()  # one that has sent its reports, or was asked for nothing, has nothing more to do
            process.join()
            ours.close()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_jobs(parent: int, workspace: Workspace, asked: Connection, waiting: Semaphore) -> None:
    """Run the jobs that are asked for, and send their reports, until the process is ended."""
    die_with(parent)
    job, config = asked.recv()
    with open_instance() as instance, progress_on_stderr() as progress:
        runs = Runs(instance, workspace, progress)
        while True:
            if waiting.acquire(block=False):
                asked.send(runs.run(job, partition=None, config=config))
            job, config = asked.recv()
