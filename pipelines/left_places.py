"""Places in Dagster's pools that killed runs left: Dagster would keep them for those runs without end."""

from pathlib import Path

import dagster as dg

_WORKSPACE = "workspace"


def workspace_tags(root: Path) -> dict[str, str]:
    """Return the tags of a run that has a workspace."""
    return {_WORKSPACE: str(root.resolve())}


def free_left_places(instance: dg.DagsterInstance, root: Path) -> None:
    """Free the places of runs that have ended, and of those in a workspace that the caller has alone.

    Runs in other workspaces may be at work, and keep theirs.
    """
    dead = workspace_tags(root).items()
    for run_id in instance.event_log_storage.get_concurrency_run_ids():
        run = instance.get_run_by_id(run_id)
        if run is None or run.is_finished or dead <= run.tags.items():
            instance.event_log_storage.free_concurrency_slots_for_run(run_id)
