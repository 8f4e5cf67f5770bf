"""The resources that Dagster gives to assets, sensors and schedules."""

from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import dagster as dg
import pytest

from assets.workspace import Workspace, alone_in
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

    runs, said, end = Thread(target=run), "", monotonic() + 20
    with alone_in(Path(resource.root), waiting=unexpected):
        runs.start()
        while "waiting for it to end" not in said and runs.is_alive() and monotonic() < end:
            sleep(0.02)
            said += capfd.readouterr().err
        done.append("build")
    runs.join(20)
    assert "Another build is at work" in said
    assert done == ["build", "run in work"]
    with alone_in(Path(resource.root), waiting=unexpected):
        pass


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


def test_a_tick_of_a_sensor_waits_for_nobody(resource: WorkspaceResource) -> None:
    @dg.sensor(job_name="any", default_status=dg.DefaultSensorStatus.STOPPED)
    def sensor(workspace: dg.ResourceParam[Workspace]) -> dg.SkipReason:
        return dg.SkipReason(workspace.root.name)

    building = alone_in(Path(resource.root), waiting=unexpected)
    with building, dg.build_sensor_context(resources={"workspace": resource}) as context:
        assert sensor(context) == dg.SkipReason("work")
