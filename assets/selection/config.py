"""The choice of code bodies and zoning layers for a publication, as its run was configured."""

import dagster as dg
from pydantic import Field

from assets.registry import load_registry
from assets.selection.selection import Selection, load_selection
from assets.workspace import Workspace


class PublicationConfig(dg.Config):
    """Code bodies and layers that the artefacts and the snapshot are made from."""

    code_bodies: list[str] = Field(
        default=[], description="Registry keys; empty: every code body whose tables were accepted."
    )
    layers: list[str] | None = Field(
        default=None, description="Short codes; unset: every zoning layer that was accepted and is no draft."
    )


class SnapshotConfig(PublicationConfig):
    """Contents of the snapshot, and leave to publish it if its search finds less."""

    publish_worse: bool = Field(
        default=False,
        description="Publish although search finds less than in the snapshot in service.",
    )


def selection_of(config: PublicationConfig, workspace: Workspace) -> Selection:
    """Return the configured selection, loaded and numbered."""
    registry = load_registry(workspace.registry)
    return load_selection(workspace, registry, config.code_bodies or None, config.layers)
