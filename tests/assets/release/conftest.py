"""A workspace of one's own, and what is in a snapshot's answers."""

import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from assets.registry import Registry
from assets.release.publish import Published, publish_snapshot
from assets.selection.selection import Selection, load_selection
from assets.workspace import Workspace
from serving.contract.identity import node_id
from serving.snapshot.store import Snapshot, open_snapshot

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def workspace(small_workspace: Workspace, tmp_path: Path) -> Workspace:
    """A copy of the small workspace, with its artefacts and no snapshot."""
    root = tmp_path / "work"
    shutil.copytree(small_workspace.root, root, ignore=shutil.ignore_patterns("encoder"))
    shutil.copytree(small_workspace.encoder, root / "encoder", copy_function=os.link)
    return Workspace(root, small_workspace.datasets, tmp_path / "snapshots")


@pytest.fixture
def selection(workspace: Workspace, registry: Registry) -> Selection:
    """The selection of all code bodies in `workspace`."""
    return load_selection(workspace, registry)


@pytest.fixture
def publish(workspace: Workspace, registry: Registry) -> Callable[..., Published]:
    """Publish `workspace` at noon of a fixed day."""

    def run(**options: Any) -> Published:
        options.setdefault("clock", lambda: NOON)
        return publish_snapshot(workspace, load_selection(workspace, registry), revision="test", **options)

    return run


@pytest.fixture
def opened(small_snapshot: Path) -> Snapshot:
    """The small snapshot, open."""
    return open_snapshot(small_snapshot)


@pytest.fixture
def node(opened: Snapshot) -> Callable[[str], dict[str, Any]]:
    """Return the node answer for a canonical identifier."""

    def read(identifier: str) -> dict[str, Any]:
        row = opened.nodes.find(node_id(identifier))
        assert row is not None
        answer: dict[str, Any] = orjson.loads(opened.nodes.body(row).plain)
        return answer

    return read
