"""Publication: atomic, refusing, retaining, repeatable."""

import json
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest

from assets.errors import BuildError
from assets.registry import Registry
from assets.release.publish import STEPS, Published
from assets.release.verification import verify_snapshot
from assets.workspace import Workspace
from serving.contract.layout import LOG, MANIFEST, POINTER
from serving.contract.manifest import Manifest
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.snapshot.store import open_snapshot
from tests.serving.manifests import edit_manifest

Publish = Callable[..., Published]

KILLED_PUBLICATION = """
import os, signal, sys
from pathlib import Path
from assets.registry import load_registry
from assets.release.publish import publish_snapshot
from assets.selection.selection import load_selection
from assets.workspace import Workspace

root, datasets, snapshots, step = sys.argv[1:]
workspace = Workspace(Path(root), Path(datasets), Path(snapshots))

def die(done):
    if done == step:
        os.kill(os.getpid(), signal.SIGKILL)

selection = load_selection(workspace, load_registry(workspace.datasets / "registry"))
publish_snapshot(workspace, selection, revision="killed", on_step=die)
"""


def test_a_publication_is_in_service_and_verifies(publish: Publish, workspace: Workspace) -> None:
    steps: list[str] = []
    published = publish(on_step=steps.append)
    assert tuple(steps) == STEPS
    assert published.manifest.id == "2026.11.21-1" == current_snapshot_id(workspace.snapshots)
    assert published.manifest.created == "2026-11-21T12:00:00Z"
    verdict = verify_snapshot(published.folder)
    assert verdict.passed
    assert verdict.measured["nodes"] == 12


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_the_old_or_the_new_snapshot_serves(
    step: str, publish: Publish, workspace: Workspace
) -> None:
    old = publish().manifest.id
    arguments = [str(workspace.root), str(workspace.datasets), str(workspace.snapshots), step]
    killed = subprocess.run([sys.executable, "-c", KILLED_PUBLICATION, *arguments], check=False)
    assert killed.returncode == -signal.SIGKILL
    current = current_snapshot_id(workspace.snapshots)
    assert (current == old) == (step not in {"pointed", "pruned"})
    snapshot = open_snapshot(workspace.snapshots / current)
    assert len(snapshot.nodes) == 12
    snapshot.close()
    again = publish()
    assert again.manifest.id not in {old, current}
    assert current_snapshot_id(workspace.snapshots) == again.manifest.id
    assert verify_snapshot(again.folder).passed
    assert not [entry for entry in workspace.snapshots.iterdir() if entry.name.startswith(".staging")]


FULL_PUBLICATION = """
import resource, sys
from pathlib import Path
from assets.errors import BuildError
from assets.registry import load_registry
from assets.release.publish import publish_snapshot
from assets.selection.selection import load_selection
from assets.workspace import Workspace

root, datasets, snapshots, bytes_, step = sys.argv[1:]
workspace = Workspace(Path(root), Path(datasets), Path(snapshots))

def fill(done):
    if done == step:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(bytes_), resource.RLIM_INFINITY))

selection = load_selection(workspace, load_registry(workspace.datasets / "registry"))
try:
    publish_snapshot(workspace, selection, revision="full", on_step=fill)
except BuildError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("size", "step"), [(0, "begun"), (600, "begun"), (4096, "staged"), (0, "staged"), (0, "renamed")]
)
def test_a_full_disk_leaves_the_old_snapshot_in_service(
    size: int, step: str, publish: Publish, workspace: Workspace
) -> None:
    old = publish().manifest.id
    arguments = [str(workspace.root), str(workspace.datasets), str(workspace.snapshots), str(size), step]
    run = subprocess.run(
        [sys.executable, "-c", FULL_PUBLICATION, *arguments], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "was not published" in run.stdout
    assert "File too large" in run.stdout
    assert current_snapshot_id(workspace.snapshots) == old
    assert not [
        entry.name
        for entry in workspace.snapshots.iterdir()
        if entry.name.startswith((".staging", ".current"))
    ]
    for snapshot in list_snapshots(workspace.snapshots):
        assert verify_snapshot(workspace.snapshots / snapshot).passed, "what counts as published is whole"
    assert publish().manifest.id not in {old, "2026.11.21-1"}


def test_two_builds_of_the_same_inputs_have_one_root_hash(
    publish: Publish,
    workspace: Workspace,
    registry: Registry,
    artefact_builder: Callable[[Workspace, Registry], None],
) -> None:
    first = publish().manifest
    artefact_builder(workspace, registry)
    second = publish(clock=lambda: datetime(2027, 1, 1, tzinfo=UTC)).manifest
    assert second.id == "2027.01.01-1"
    assert first.root_sha256 == second.root_sha256


def test_other_law_has_another_root_hash(
    publish: Publish,
    workspace: Workspace,
    registry: Registry,
    artefact_builder: Callable[[Workspace, Registry], None],
) -> None:
    first = publish().manifest
    shutil.rmtree(workspace.accepted("sample-city-code"))
    artefact_builder(workspace, registry)
    assert publish().manifest.root_sha256 != first.root_sha256


def test_an_artefact_of_other_inputs_is_refused_by_name(publish: Publish, workspace: Workspace) -> None:
    path = workspace.accepted("sample-code") / "embeddings" / "embeddings.npy"
    vectors = np.load(path)[::-1]
    path.unlink()
    np.save(path, vectors)
    with pytest.raises(BuildError, match="vector_index was built from other embeddings"):
        publish()
    assert not list_snapshots(workspace.snapshots)


def test_a_missing_artefact_is_named(publish: Publish, workspace: Workspace) -> None:
    shutil.rmtree(workspace.artefact("coverage"))
    with pytest.raises(BuildError, match="build coverage first"):
        publish()


def test_what_does_not_verify_is_not_published(publish: Publish, workspace: Workspace) -> None:
    old = publish().manifest.id
    nodes = workspace.artefact("response_store") / "nodes.arrow"
    content = nodes.read_bytes()
    nodes.unlink()
    nodes.write_bytes(content[: len(content) // 2])
    with pytest.raises(BuildError, match=r"does not verify and was not published: .*nodes\.arrow"):
        publish()
    assert current_snapshot_id(workspace.snapshots) == old
    assert list_snapshots(workspace.snapshots) == [old]
    assert {entry.name for entry in workspace.snapshots.iterdir() if entry.is_dir()} == {old, LOG}


def test_without_the_log_that_others_keep_checkpoints_of_nothing_is_published(
    publish: Publish, workspace: Workspace
) -> None:
    old = publish().manifest.id
    shutil.rmtree(workspace.snapshots / LOG)
    with pytest.raises(BuildError, match=f"has no log, though {old} stood in one"):
        publish()
    assert list_snapshots(workspace.snapshots) == [old]


def test_retention_drops_the_oldest_and_never_reuses_an_id(publish: Publish, workspace: Workspace) -> None:
    assert [publish(keep=2).removed for _ in range(4)] == [
        (),
        (),
        ("2026.11.21-1",),
        ("2026.11.21-2",),
    ]
    assert list_snapshots(workspace.snapshots) == ["2026.11.21-3", "2026.11.21-4"]
    assert publish(keep=1).removed == ("2026.11.21-3", "2026.11.21-4")
    assert publish(keep=1).manifest.id == "2026.11.21-6"


def test_at_least_the_current_snapshot_is_kept(publish: Publish) -> None:
    with pytest.raises(BuildError, match="keep is 0"):
        publish(keep=0)


def test_two_publications_at_once_are_refused(publish: Publish, workspace: Workspace) -> None:
    refusals = []

    def meanwhile(step: str) -> None:
        if step == "begun":
            with pytest.raises(BuildError, match="under way") as refused:
                publish()
            refusals.append(refused.value)

    publish(on_step=meanwhile)
    assert len(refusals) == 1
    assert list_snapshots(workspace.snapshots) == ["2026.11.21-1"]


def test_everyone_may_read_a_snapshot_and_no_lock_is_in_it(publish: Publish) -> None:
    folder = publish().folder
    for path in (folder, *folder.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o755 if path.is_dir() else 0o644), path
        assert not path.name.startswith("."), path


def test_verification_names_every_damaged_file(publish: Publish) -> None:
    folder = publish().folder
    (folder / "static" / "coverage.json").write_bytes(b"{}")
    (folder / "browse.arrow").unlink()
    (folder / "extra").write_bytes(b"")
    verdict = verify_snapshot(folder)
    assert not verdict.passed
    assert {finding.where for finding in verdict.findings} == {
        "static/coverage.json",
        "browse.arrow",
        "extra",
    }


def test_a_changed_byte_anywhere_is_found(publish: Publish) -> None:
    folder = publish().folder
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST):
        content = bytearray(path.read_bytes())
        if not content:
            continue
        content[len(content) // 2] ^= 1
        path.unlink()
        path.write_bytes(content)
        findings = verify_snapshot(folder).findings
        # Of provisions it is said which, too.
        assert {finding.where for finding in findings} == {path.relative_to(folder).as_posix()}
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    assert verify_snapshot(folder).passed


def test_a_manifest_that_was_edited_is_refused(publish: Publish) -> None:
    folder = publish().folder
    files = Manifest.load(folder).files
    edit_manifest(folder, files=tuple(entry for entry in files if entry.path != "nodes.arrow"))
    assert any("root hash" in finding.message for finding in verify_snapshot(folder, deep=False).findings)


def test_the_pointer_is_one_readable_file(publish: Publish, workspace: Workspace) -> None:
    publish()
    pointer = workspace.snapshots / POINTER
    assert json.loads(pointer.read_bytes()) == {"snapshot": "2026.11.21-1"}
    assert stat.S_IMODE(pointer.stat().st_mode) == 0o644
    assert not (workspace.snapshots / ".current.json.new").exists()
