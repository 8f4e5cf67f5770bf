"""The places in pools that are freed: those of runs that are dead, and of no other."""

import socket
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest

from assets.workspace import Workspace
from pipelines.left_places import free_left_places, workspace_tags


def in_folder(root: Path) -> Workspace:
    return Workspace(root, root / "datasets", root / "snapshots")


@pytest.mark.parametrize(
    ("status", "folder", "is_freed"),
    [
        (dg.DagsterRunStatus.STARTED, "here", True),
        (dg.DagsterRunStatus.STARTED, "elsewhere", False),
        (dg.DagsterRunStatus.STARTED, None, False),
        (dg.DagsterRunStatus.FAILURE, "elsewhere", True),
        (dg.DagsterRunStatus.CANCELED, None, True),
    ],
)
def test_places_of_dead_runs_alone_are_freed(
    tmp_path: Path, status: dg.DagsterRunStatus, folder: str | None, is_freed: bool
) -> None:
    tags = {} if folder is None else workspace_tags(in_folder(tmp_path / folder))
    with dg.instance_for_test() as instance:
        storage = instance.event_log_storage
        storage.set_concurrency_slots("publishers", 1)
        left = instance.add_run(dg.DagsterRun(job_name="left", status=status, tags=tags))
        assert storage.claim_concurrency_slot("publishers", left.run_id, "step").is_claimed
        free_left_places(instance, in_folder(tmp_path / "here"))
        assert storage.claim_concurrency_slot("publishers", "another", "step").is_claimed == is_freed


def test_a_deleted_run_keeps_no_place(tmp_path: Path) -> None:
    with dg.instance_for_test() as instance:
        storage = instance.event_log_storage
        storage.set_concurrency_slots("publishers", 1)
        assert storage.claim_concurrency_slot("publishers", "deleted", "step").is_claimed
        free_left_places(instance, in_folder(tmp_path))
        assert storage.claim_concurrency_slot("publishers", "another", "step").is_claimed


def test_a_working_copy_is_not_the_folder_of_that_name_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pods have theirs at the same path; a volume that they share is one folder on all machines."""
    shared = in_folder(tmp_path)
    copy = replace(shared, store="s3://law/workspace")
    here = workspace_tags(shared), workspace_tags(copy)
    monkeypatch.setattr(socket, "gethostname", lambda: "elsewhere")
    assert (workspace_tags(shared) == here[0], workspace_tags(copy) == here[1]) == (True, False)
