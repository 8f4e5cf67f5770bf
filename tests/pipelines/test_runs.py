"""Runs of jobs in this process that are told to stop where nothing heeds a signal."""

import os
import signal
from collections.abc import Iterator

import dagster as dg
import pytest

from assets.workspace import Workspace
from pipelines import runs as runs_module
from pipelines.progress import progress_on_stderr
from pipelines.runs import Runs
from pipelines.stopping import STOPS, stoppable

pytestmark = pytest.mark.e2e


class Told:
    """An object whose destructor is at work when the process is told to stop: what it raises is lost."""

    def __init__(self, number: signal.Signals) -> None:
        self._number = number

    def __del__(self) -> None:
        os.kill(os.getpid(), self._number)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number", STOPS, ids=lambda number: number.name)
@pytest.mark.parametrize("moment", ["after the last step", "in a destructor"])
def test_a_stop_that_nothing_heeds_ends_the_command(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, moment: str, number: signal.Signals
) -> None:
    steps: list[str] = []

    @dg.resource
    def closing() -> Iterator[None]:
        yield
        if moment == "after the last step":
            os.kill(os.getpid(), number)

    @dg.op(required_resource_keys={"closing"})
    def work() -> None:
        if moment == "in a destructor":
            told = Told(number)
            del told
        steps.append("work")

    @dg.job(resource_defs={"closing": closing})
    def stopped() -> None:
        work()

    monkeypatch.setattr(runs_module, "defs", lambda: dg.Definitions(jobs=[stopped]))
    with (
        stoppable() as stops,
        dg.DagsterInstance.ephemeral() as instance,
        progress_on_stderr() as progress,
    ):
        runs = Runs(instance, workspace, progress)
        with pytest.raises(KeyboardInterrupt):
            runs.run("stopped", partition=None, config={})
        assert stops.first() is number
    assert steps == ["work"]
