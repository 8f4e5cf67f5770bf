"""Dagster resources that give assets plain objects: the workspace, who is told of progress, what encodes."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import dagster as dg

from assets.progress import Progress, ProgressLines
from assets.registry import load_registry
from assets.settings import EngineName
from assets.storage.errors import StorageError
from assets.storage.needs import Extent, Need, needs_of_all, needs_of_builds, needs_of_publication
from assets.storage.working_copy import keep, take
from assets.storage.workspace_parts import sightings_part
from assets.text.encoding import EncodingEngine
from assets.text.ray_engine import RayEngine, require_ray
from assets.text.thread_engine import ThreadEngine
from assets.workspace import SERVED_AT, Workspace, alone_if_free, alone_in
from pipelines.jobs import build_code_body
from pipelines.left_places import workspace_tags

_PARTITION = "dagster/partition"
_RANGE = "dagster/asset_partition_range_start"


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
    store: str | None = None
    snapshots_store: str | None = None

    def create_resource(self, context: dg.InitResourceContext) -> Workspace:  # noqa: ARG002 - Dagster's name
        """Return the workspace."""
        return Workspace(
            root=Path(self.root),
            datasets=Path(self.datasets),
            snapshots=Path(self.snapshots),
            served_at=self.served_at,
            log_key=None if self.log_key is None else Path(self.log_key),
            store=self.store,
            snapshots_store=self.snapshots_store,
        )

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Generator[Workspace, None, None]:
        """Yield the workspace once nobody else builds in it; to sensors and schedules, at once.

        What a store has is taken before, and what the run made is stored after it: what a run commits to, its
        own steps have stored by then, and fail where they cannot.
        """
        workspace = self.create_resource(context)
        if context.run is None:  # a tick builds nothing, and Dagster ends it after a minute
            with _stored_by_tick(workspace):
                yield workspace
            return
        if context.instance is not None:
            context.instance.add_run_tags(context.run.run_id, workspace_tags(workspace))
        log = context.log
        write = log.info if log is not None else print
        said = f"Another build is at work in {workspace.root}; waiting for it to end."
        body = context.run.tags.get(_PARTITION) if context.run.job_name == build_code_body.name else None
        enter = partial(alone_in, waiting=lambda: write(said))
        with ExitStack() as locks:
            locks.enter_context(enter(workspace.root, sharing=body is not None))
            if body is not None:
                locks.enter_context(enter(workspace.build_lock(body)))
            needs = _needs_of_run(workspace, context.run.tags)
            take(needs, write)
            yield workspace
            try:
                keep([need.part for need in needs], write)
            except StorageError as error:
                write(f"Not all that this run made is stored: {error.message}")


def _needs_of_run(workspace: Workspace, tags: Mapping[str, str]) -> tuple[Need, ...]:
    """Return what a run needs of the store: its partition's part, or without one what publications need."""
    if not workspace.is_copy:
        return ()
    registry = load_registry(workspace.registry)
    if _RANGE in tags:
        layers = [layer.short_code for layer in registry.layers]
        bodies = [body.key for body in registry.code_bodies]
        return needs_of_builds(workspace, registry, [*bodies, *layers])
    if _PARTITION in tags:
        return needs_of_builds(workspace, registry, [tags[_PARTITION]])
    return needs_of_publication(workspace, registry)


@contextmanager
def _stored_by_tick(workspace: Workspace) -> Iterator[None]:
    """Take what ticks look at, unless a run is at work here, and store what publishers said."""
    if workspace.store is None:
        yield
        return
    needs = needs_of_all(workspace, load_registry(workspace.registry), Extent.RECORDS)
    with alone_if_free(workspace.root) as is_alone:
        if is_alone:
            take(needs, lambda _: None)
        yield
        keep([sightings_part(workspace)])


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
