"""Places in Dagster's pools that killed runs left: Dagster would keep them for those runs without end."""

import socket

import dagster as dg

from assets.workspace import Workspace

_WORKSPACE = "workspace"


def workspace_tags(workspace: Workspace) -> dict[str, str]:
    """Return the tags of a run that has a workspace; a working copy is that of its machine alone."""
    root = str(workspace.root.resolve())
    return {_WORKSPACE: f"{socket.gethostname()}:{root}" if workspace.is_copy else root}


def free_left_places(instance: dg.DagsterInstance, workspace: Workspace) -> None:
    """Free the places of runs that have ended, and of those in a workspace that the caller has alone.

    Runs in other workspaces may be at work, and keep theirs.
    """
    dead = workspace_tags(workspace).items()
    for run_id in instance.event_log_storage.get_concurrency_run_ids():
        run = instance.get_run_by_id(run_id)
        if run is None or run.is_finished or dead <= run.tags.items():
            instance.event_log_storage.free_concurrency_slots_for_run(run_id)
