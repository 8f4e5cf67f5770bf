"""Runs of jobs in this process, on the instance of DAGSTER_HOME, which the UI shows, or on its own."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import dagster as dg

from assets.progress import Progress
from assets.workspace import Workspace
from pipelines.definitions import defs
from pipelines.left_places import workspace_tags
from pipelines.run_report import RunReport, is_interrupted, report_of
from pipelines.stopping import is_stopped


def open_instance() -> dg.DagsterInstance:
    """Return the instance of DAGSTER_HOME, so that the UI shows these runs too; else one for this process."""
    if not os.environ.get("DAGSTER_HOME"):
        return dg.DagsterInstance.ephemeral()
    return dg.DagsterInstance.get()


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs in one workspace.

    Attributes:
        instance: that notes them.
        workspace: that they build in.
        progress: that shows how far they are.
    """

    instance: dg.DagsterInstance
    workspace: Workspace
    progress: Progress

    def run(self, job: str, *, partition: str | None, config: Mapping[str, object]) -> RunReport:
        """Run a job and return what came of it.

        Args:
            job: its name.
            partition: of its assets; None: they have none.
            config: by asset.

        Raises:
            KeyboardInterrupt: the process was told to stop.
        """
        try:
            result = (
                defs()
                .resolve_job_def(job)
                .execute_in_process(
                    run_config={
                        "ops": dict(config),
                        "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
                    },
                    instance=self.instance,
                    partition_key=partition,
                    tags=workspace_tags(self.workspace),
                    resources={"workspace": self.workspace, "progress": self.progress},
                    raise_on_error=False,
                )
            )
        except dg.DagsterExecutionInterruptedError as error:
            raise KeyboardInterrupt from error
        # Dagster forgets a stop that comes after the last step, and Python one within a destructor.
        if is_interrupted(result) or is_stopped():
            raise KeyboardInterrupt
        return report_of(result)
