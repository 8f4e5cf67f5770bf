"""Which code bodies a publication takes, as its run was configured."""

import dagster as dg
from pydantic import Field

from assets.registry import load_registry
from assets.release.selection import Selection, load_selection
from assets.workspace import Workspace


class PublicationConfig(dg.Config):
    """What the artefacts and the snapshot are made from."""

    code_bodies: list[str] = Field(
        default=[], description="Registry keys; empty: every code body whose tables were accepted."
    )


def selection_of(config: PublicationConfig, workspace: Workspace) -> Selection:
    """Return the configured selection, loaded and numbered."""
    return load_selection(workspace, load_registry(workspace.registry), config.code_bodies or None)
