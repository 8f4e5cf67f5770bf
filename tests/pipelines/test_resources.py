"""The resources that Dagster gives to assets, sensors and schedules."""

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import dagster as dg
import pytest

from assets.workspace import Workspace, alone_in
from pipelines.jobs import build_code_body
from pipelines.left_places import workspace_tags
from pipelines.resources import WorkspaceResource


@pytest.fixture
def resource(tmp_path: Path) -> WorkspaceResource:
    root, datasets, snapshots = (str(tmp_path / name) for name in ("work", "datasets", "snapshots"))
    return WorkspaceResource(root=root, datasets=datasets, snapshots=snapshots)


def unexpected() -> None:
    pytest.fail("somebody else has the workspace")


def test_a_run_of_the_ui_waits_for_another_build_and_says_so(
    resource: WorkspaceResource, capfd: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []

    @dg.asset
    def probe(workspace: dg.ResourceParam[Workspace]) -> None:
        done.append(f"run in {workspace.root.name}")

    def run() -> None:
        with dg.DagsterInstance.ephemeral() as instance:
            dg.materialize([probe], resources={"workspace": resource}, instance=instance)

    runs, said, end = Thread(target=run), "", monotonic() + 60
    with alone_in(Path(resource.root), waiting=unexpected):
        runs.start()
        while "waiting for it to end" not in said and runs.is_alive() and monotonic() < end:
            sleep(0.02)
            said += capfd.readouterr().err
        done.append("build")
    runs.join(60)
    assert "Another build is at work" in said
    assert done == ["build", "run in work"]
    with alone_in(Path(resource.root), waiting=unexpected):
        pass


def build(resource: WorkspaceResource, body: str, meanwhile: Callable[[], None]) -> None:
    """Run a job with the name of the one that builds a code body; while it has the workspace, do something."""

    @dg.asset(partitions_def=dg.StaticPartitionsDefinition(["one-code", "other-code"]))
    def probe(workspace: dg.ResourceParam[Workspace]) -> None:
        meanwhile()

    job = dg.define_asset_job(build_code_body.name, selection=[probe])
    made = dg.Definitions([probe], jobs=[job], resources={"workspace": resource}).resolve_job_def(job.name)
    with dg.DagsterInstance.ephemeral() as instance:
        assert made.execute_in_process(instance=instance, partition_key=body).success


def test_builds_of_different_code_bodies_go_side_by_side(resource: WorkspaceResource) -> None:
    done: list[str] = []
    build(resource, "one-code", lambda: build(resource, "other-code", lambda: done.append("other-code")))
    assert done == ["other-code"]


def test_builds_of_one_code_body_and_a_publication_wait_for_each_other(resource: WorkspaceResource) -> None:
    waited: list[str] = []
    root = Path(resource.root)

    def look(folder: Path, who: str) -> None:
        """Note who cannot have a folder at once; the thread gets it when the build has ended."""
        told, had = Event(), Event()

        def enter() -> None:
            with alone_in(folder, waiting=told.set):
                had.set()

        thread = Thread(target=enter)
        thread.start()
        threads.append(thread)
        while not told.is_set() and not had.is_set():
            sleep(0.01)
        waited.extend([who] if told.is_set() else [])

    def meanwhile() -> None:
        look(root, "a publication")
        look(root / "builds" / "one-code", "the same code body")
        look(root / "builds" / "other-code", "another code body")

    threads: list[Thread] = []
    build(resource, "one-code", meanwhile)
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert waited == ["a publication", "the same code body"]


def test_a_run_that_fails_gives_the_workspace_back(resource: WorkspaceResource) -> None:
    @dg.asset
    def broken(workspace: dg.ResourceParam[Workspace]) -> None:
        raise ValueError(workspace.root)

    with dg.DagsterInstance.ephemeral() as instance:
        run = dg.materialize(
            [broken], resources={"workspace": resource}, instance=instance, raise_on_error=False
        )
        assert not run.success
    with alone_in(Path(resource.root), waiting=unexpected):
        pass


def test_a_run_is_tagged_with_its_workspace(resource: WorkspaceResource) -> None:
    @dg.asset
    def probe(workspace: dg.ResourceParam[Workspace]) -> None:
        assert workspace.root.is_dir()

    with dg.DagsterInstance.ephemeral() as instance:
        done = dg.materialize([probe], resources={"workspace": resource}, instance=instance)
        run = instance.get_run_by_id(done.run_id)
    assert run is not None
    opened = Workspace(Path(resource.root), Path(resource.datasets), Path(resource.snapshots))
    assert workspace_tags(opened).items() <= run.tags.items()


def test_a_tick_of_a_sensor_waits_for_nobody(resource: WorkspaceResource) -> None:
    @dg.sensor(job_name="any", default_status=dg.DefaultSensorStatus.STOPPED)
    def sensor(workspace: dg.ResourceParam[Workspace]) -> dg.SkipReason:
        return dg.SkipReason(workspace.root.name)

    building = alone_in(Path(resource.root), waiting=unexpected)
    with building, dg.build_sensor_context(resources={"workspace": resource}) as context:
        assert sensor(context) == dg.SkipReason("work")
