"""Dagster resources that give assets plain objects: the workspace, and who is told of progress."""

from pathlib import Path

import dagster as dg

from assets.progress import Progress, ProgressLines
from assets.workspace import Workspace


class WorkspaceResource(dg.ConfigurableResource[Workspace]):
    """Folders that the build reads and writes; see `assets.settings.BuildSettings`."""

    root: str
    datasets: str
    snapshots: str

    def create_resource(self, context: dg.InitResourceContext) -> Workspace:  # noqa: ARG002 - Dagster's name
        """Return the workspace."""
        return Workspace(root=Path(self.root), datasets=Path(self.datasets), snapshots=Path(self.snapshots))


class LoggedProgressResource(dg.ConfigurableResource[Progress]):
    """Progress as lines of the run's log."""

    seconds_between_lines: float = 10.0

    def create_resource(self, context: dg.InitResourceContext) -> Progress:
        """Return what logs to the run."""
        log = context.log
        write = log.info if log is not None else print
        return ProgressLines(write, seconds=self.seconds_between_lines)
