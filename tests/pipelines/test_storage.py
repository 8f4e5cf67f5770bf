"""Builds whose workspace and snapshots are on an object store: from several machines, and stopped anywhere."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import dagster as dg
import pytest

from assets.settings import BuildSettings
from assets.storage.object_store import ObjectStore
from assets.storage.transfer import pull
from assets.storage.versions import newest_version
from assets.storage.working_copy import keep
from assets.storage.workspace_parts import body_part, encoder_part, snapshots_part
from assets.workspace import Workspace
from pipelines.build import main
from pipelines.jobs import build_code_body
from pipelines.resources import WorkspaceResource
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.store import open_snapshot
from tests.formation import add_naics_vectors
from tests.object_stores import S3Server, needs_s3, on_s3
from tests.pipelines.conftest import sample

ROOT = Path(__file__).parents[2]


class Machine:
    """A machine with a working copy of its own, on which `lawbuild` runs."""

    def __init__(
        self, folder: Path, url: str, patch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        self._capfd, self._patch = capfd, patch
        self.environment = {
            "LAW_WORKSPACE": f"{url}/workspace",
            "LAW_WORKSPACE_CACHE": str(folder / "work"),
            "LAW_SNAPSHOTS": f"{url}/snapshots",
            "LAW_SNAPSHOTS_CACHE": str(folder / "snapshots"),
        }
        self.workspace = BuildSettings.from_env(self.environment).open()

    def lawbuild(self, *arguments: str) -> tuple[int, str]:
        for name, value in self.environment.items():
            self._patch.setenv(name, value)
        self._capfd.readouterr()
        status = main(list(arguments))
        captured = self._capfd.readouterr()
        return status, captured.out + captured.err

    def in_service(self) -> set[str]:
        snapshots = self.workspace.snapshots
        snapshot = open_snapshot(snapshots / current_snapshot_id(snapshots))
        try:
            return {body.key for body in snapshot.manifest.code_bodies}
        finally:
            snapshot.close()


Machines = Callable[[str], Machine]


@pytest.fixture
def machine(
    store_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    encoder_folder: Path,
) -> Machines:
    """Give a machine by its name, with an empty working copy; what all need is in the store already."""
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    prepared = Machine(tmp_path / "prepared", store_url, monkeypatch, capfd)
    shutil.copytree(encoder_folder, prepared.workspace.encoder)
    add_naics_vectors(prepared.workspace, encoder_folder)
    keep([encoder_part(prepared.workspace)])
    return lambda name: Machine(tmp_path / name, store_url, monkeypatch, capfd)


def resource_of(one: Machine) -> WorkspaceResource:
    workspace = one.workspace
    return WorkspaceResource(
        root=str(workspace.root),
        datasets=str(workspace.datasets),
        snapshots=str(workspace.snapshots),
        store=workspace.store,
        snapshots_store=workspace.snapshots_store,
    )


def versions(one: Workspace, key: str) -> int:
    assert one.store is not None
    return newest_version(ObjectStore.open(one.store), body_part(one, key)).number


@on_s3
def test_a_second_machine_goes_on_where_the_first_stopped(machine: Machines) -> None:
    first, second = machine("first"), machine("second")
    status, said = first.lawbuild("sample-code")
    assert status == 0, said
    assert "Stored in" in said
    status, said = second.lawbuild("sample-code")
    assert status == 0, said
    assert "sample-code: nothing changed since it was accepted." in said
    assert "Stored in" not in said
    assert second.in_service() == {"sample-code"}
    status, said = second.lawbuild("sample-city-code")
    assert status == 0, said
    assert "sample-code: " not in said.split("In service")[0].replace("code-bodies/sample-code", "")
    assert second.in_service() == {"sample-code", "sample-city-code"}
    # The first machine's copy is stale by now.
    status, said = first.lawbuild("sample-code", "sample-city-code")
    assert status == 0, said
    assert said.count("nothing changed since it was accepted") == 2
    assert first.in_service() == {"sample-code", "sample-city-code"}
    assert current_snapshot_id(first.workspace.snapshots) == current_snapshot_id(second.workspace.snapshots)
    assert (versions(first.workspace, "sample-code"), versions(first.workspace, "sample-city-code")) == (1, 1)


@on_s3
def test_what_was_dropped_is_dropped_everywhere(machine: Machines) -> None:
    first, second = machine("first"), machine("second")
    assert first.lawbuild("sample-code", "sample-city-code")[0] == 0
    assert second.lawbuild("--drop", "sample-city-code")[0] == 0
    status, said = first.lawbuild("--publish")
    assert status == 0, said
    assert "Nothing changed" in said
    assert first.in_service() == {"sample-code"}


@on_s3
def test_a_source_is_built_from_its_url(machine: Machines, store_url: str) -> None:
    ObjectStore.open(store_url).replace("given/code.zip", sample())
    url, first = f"{store_url}/given/code.zip", machine("first")
    status, said = first.lawbuild("--dry-run", f"sample-code={url}")
    assert f"Would read sample-code: {url}" in said
    assert f"Fetching {url}" not in said
    status, said = first.lawbuild(f"sample-code={url}")
    assert status == 0, said
    assert f"Fetching {url}" in said
    status, said = first.lawbuild(f"sample-code={url}")
    assert (status, "nothing changed" in said, "Fetching" in said) == (0, True, False)
    status, said = first.lawbuild(f"sample-code={url}.zip")
    assert status == 1
    assert f"There is no object {url}.zip" in said


def test_of_two_runs_on_one_code_body_the_second_is_told(machine: Machines) -> None:
    """The other machine's run begins after this one, and ends before it."""
    first, second = machine("first"), machine("second")
    resource = resource_of(first)

    @dg.asset(partitions_def=dg.StaticPartitionsDefinition(["sample-code"]))
    def overtaken(workspace: dg.ResourceParam[Workspace]) -> None:
        assert second.lawbuild("--trial", "sample-code")[0] == 0
        folder = workspace.provisions("sample-code")
        folder.mkdir(parents=True)
        (folder / "report.json").write_text("made here")
        keep([body_part(workspace, "sample-code")])

    job = dg.define_asset_job(build_code_body.name, selection=[overtaken])
    made = dg.Definitions([overtaken], jobs=[job], resources={"workspace": resource}).resolve_job_def(
        job.name
    )
    with dg.DagsterInstance.ephemeral() as instance:
        result = made.execute_in_process(instance=instance, partition_key="sample-code", raise_on_error=False)
    assert not result.success
    (failure,) = [event for event in result.all_events if event.is_step_failure]
    error = failure.step_failure_data.error
    assert error is not None
    assert error.cause is not None
    assert "after it was taken from there: what was made here is not stored" in error.cause.message
    third = machine("third").workspace
    assert third.store is not None
    pull(ObjectStore.open(third.store), body_part(third, "sample-code"))
    assert "made here" not in (third.provisions("sample-code") / "report.json").read_text()


def test_a_run_of_the_ui_takes_and_stores_and_so_does_a_tick(machine: Machines) -> None:
    first, second = machine("first"), machine("second")
    assert first.lawbuild("--trial", "sample-code")[0] == 0
    resource = resource_of(second)

    @dg.asset(partitions_def=dg.StaticPartitionsDefinition(["sample-code"]))
    def probe(workspace: dg.ResourceParam[Workspace]) -> None:
        assert (workspace.provisions("sample-code") / "provisions.parquet").is_file()
        (workspace.chunks("sample-code")).mkdir(parents=True)
        (workspace.chunks("sample-code") / "report.json").write_text("made by the run")

    with dg.DagsterInstance.ephemeral() as instance:
        assert dg.materialize(
            [probe], resources={"workspace": resource}, instance=instance, partition_key="sample-code"
        ).success

    @dg.sensor(job_name="any")
    def sensor(workspace: dg.ResourceParam[Workspace]) -> dg.SkipReason:
        sighted = workspace.newest_release("sample-code")
        sighted.parent.mkdir(parents=True)
        sighted.write_text("seen")
        assert not (workspace.provisions("sample-code") / "provisions.parquet").exists()
        return dg.SkipReason((workspace.chunks("sample-code") / "report.json").read_text())

    with dg.build_sensor_context(resources={"workspace": resource_of(machine("third"))}) as context:
        assert sensor(context) == dg.SkipReason("made by the run")
    status, said = first.lawbuild("--trial", "sample-code")
    assert status == 0, said
    assert first.workspace.newest_release("sample-code").read_text() == "seen"


def amended_sample(folder: Path) -> Path:
    """Return the sample's code with another heading."""
    shutil.copytree(ROOT / "datasets" / "sample" / "sample-code", folder)
    changed = 0
    for path in folder.rglob("*.xml"):
        text = path.read_text(encoding="utf-8")
        changed += text.count("Return of security deposit")
        path.write_text(text.replace("Return of security deposit", "Return of deposits"), encoding="utf-8")
    assert changed
    return folder


KILLED = """
import os, signal, sys
from s3fs import S3FileSystem
from pipelines.build import main

sent = S3FileSystem._put_file
count = 0

async def killed(self, *arguments, **options):
    global count
    count += 1
    if count > int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return await sent(self, *arguments, **options)

S3FileSystem._put_file = killed
sys.exit(main([sys.argv[2]]))
"""


@needs_s3
@pytest.mark.e2e
def test_a_build_that_is_killed_while_it_stores_leaves_what_was_stored(
    s3: S3Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    encoder_folder: Path,
) -> None:
    url = f"s3://{s3.new_bucket()}/{secrets.token_hex(4)}"
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    first = Machine(tmp_path / "first", url, monkeypatch, capfd)
    shutil.copytree(encoder_folder, first.workspace.encoder)
    add_naics_vectors(first.workspace, encoder_folder)
    status, said = first.lawbuild("sample-code")
    assert status == 0, said
    before = {
        part.name: newest_version(ObjectStore.open(str(part.store)), part)
        for part in (body_part(first.workspace, "sample-code"), snapshots_part(first.workspace))
    }
    second = Machine(tmp_path / "second", url, monkeypatch, capfd)
    amended = amended_sample(tmp_path / "amended")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, "1", f"sample-code={amended}"],
        cwd=ROOT,
        env={**os.environ, **second.environment},
        check=False,
        capture_output=True,
        timeout=200,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    third = Machine(tmp_path / "third", url, monkeypatch, capfd)
    for part in (body_part(third.workspace, "sample-code"), snapshots_part(third.workspace)):
        assert newest_version(ObjectStore.open(str(part.store)), part) == before[part.name]
    status, said = third.lawbuild("sample-code")
    assert status == 0, said
    assert third.in_service() == {"sample-code"}
    # The one that was killed goes on.
    status, said = second.lawbuild(f"sample-code={amended}")
    assert status == 0, said
    assert second.in_service() == {"sample-code"}
    assert versions(second.workspace, "sample-code") == before["code-bodies/sample-code"].number + 1


@needs_s3
def test_a_build_says_what_is_wrong_with_its_store(
    s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lost = Machine(tmp_path, "s3://nobody-made-this-one", monkeypatch, capfd)
    status, said = lost.lawbuild("sample-code")
    assert status == 1
    assert said.startswith("lawbuild: s3://nobody-made-this-one/workspace/store.json is not there")
    assert said.count("\n") == 1
