"""Dagster resources that give assets plain objects: the workspace, who is told of progress, what encodes."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import dagster as dg

from assets.progress import Progress, ProgressLines
from assets.settings import EngineName
from assets.text.encoding import EncodingEngine
from assets.text.ray_engine import RayEngine, require_ray
from assets.text.thread_engine import ThreadEngine
from assets.workspace import SERVED_AT, Workspace, alone_in
from pipelines.jobs import build_code_body
from pipelines.left_places import workspace_tags

_PARTITION = "dagster/partition"


class WorkspaceResource(dg.ConfigurableResource[Workspace]):
    """Folders that the build reads and writes; see `assets.settings.BuildSettings`.

    A run has them for itself, as `lawbuild` has: it waits until no other run or command is at work in them.
    Builds of different code bodies alone, which write into folders of their own, go side by side.
    """

    root: str
    datasets: str
    snapshots: str
    served_at: str = SERVED_AT
    log_key: str | None = None

    def create_resource(self, context: dg.InitResourceContext) -> Workspace:  # noqa: ARG002 - Dagster's name
        """Return the workspace."""
        return Workspace(
            root=Path(self.root),
            datasets=Path(self.datasets),
            snapshots=Path(self.snapshots),
            served_at=self.served_at,
            log_key=None if self.log_key is None else Path(self.log_key),
        )

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Generator[Workspace, None, None]:
        """Yield the workspace once nobody else builds in it; to sensors and schedules, at once."""
        workspace = self.create_resource(context)
        if context.run is None:  # a tick builds nothing, and Dagster ends it after a minute
            yield workspace
            return
        if context.instance is not None:
            context.instance.add_run_tags(context.run.run_id, workspace_tags(workspace.root))
        log = context.log
        write = log.info if log is not None else print
        said = f"Another build is at work in {workspace.root}; waiting for it to end."
        body = context.run.tags.get(_PARTITION) if context.run.job_name == build_code_body.name else None
        enter = partial(alone_in, waiting=lambda: write(said))
        if body is None:
            with enter(workspace.root):
                yield workspace
        else:
            with enter(workspace.root, sharing=True), enter(workspace.build_lock(body)):
                yield workspace


class LoggedProgressResource(dg.ConfigurableResource[Progress]):
    """Progress as lines of the run's log."""

    seconds_between_lines: float = 10.0

    def create_resource(self, context: dg.InitResourceContext) -> Progress:
        """Return what logs to the run."""
        log = context.log
        write = log.info if log is not None else print
        return ProgressLines(write, seconds=self.seconds_between_lines)


class EncodingEngineResource(dg.ConfigurableResource[EncodingEngine]):
    """The engine that encodes chunks: threads of this machine, or a Ray cluster."""

    engine: EngineName = "threads"

    def create_resource(self, context: dg.InitResourceContext) -> EncodingEngine:  # noqa: ARG002 - Dagster's name
        """Return the engine.

        Raises:
            BuildError: it is not installed; that is said before anything is read.
        """
        if self.engine == "ray":
            require_ray()
            return RayEngine()
        return ThreadEngine()
