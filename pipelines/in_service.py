"""The last lines of `lawbuild`: what is in service now."""

import sys
from collections.abc import Sequence

from assets.release.preview import manifest_in_service
from assets.workspace import Workspace
from pipelines.publication import contents_of, old_law

SNAPSHOT = "snapshot"
"""Name of the publication among the builds of a run."""


def say_in_service(workspace: Workspace, built: Sequence[str], failed: Sequence[str]) -> None:
    """Say which snapshot is in service, and of each of its parts how large, how current and how new it is."""
    manifest = manifest_in_service(workspace)
    if manifest is None:
        sys.stderr.write("In service: nothing, no snapshot has been published yet.\n")
        return

    def told(key: str) -> str:
        if key in failed:
            return "AS BEFORE: its build failed"
        return "built now" if key in built else "as before"

    sys.stderr.write(
        f"In service: snapshot {manifest.id} in {workspace.snapshots} (`make serve` serves it).\n"
    )
    for body in manifest.code_bodies:
        through = f"through {body.current_through}" if body.current_through else "its source says no date"
        whole = "complete" if body.complete else "with gaps"
        sys.stderr.write(
            f"  {body.key:24} {body.node_count:>9,} provisions  {told(body.key)}; {through}; {whole}\n"
        )
    contents = contents_of(manifest)
    for code in contents.layers:
        sys.stderr.write(f"  {code:24} {'zoning map':>20}  {told(code)}\n")
    for key in failed:
        if key not in contents and key != SNAPSHOT:
            sys.stderr.write(f"  {key:24} {'':20}  NOT IN SERVICE: its build failed\n")
    for line in old_law(workspace.snapshots / manifest.id):
        sys.stderr.write(f"OLD LAW IN SERVICE: {line}\n")
