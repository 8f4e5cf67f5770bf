"""Manifests that say something else than was published, sealed as if it had been."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from serving.contract.layout import LOG, MANIFEST
from serving.contract.manifest import Manifest
from serving.transparency.publications import add_snapshots


def edit_manifest(folder: Path, **changes: Any) -> None:
    """Rewrite the manifest of the snapshot in `folder` with other values of its fields."""
    path = folder / MANIFEST
    content = replace(Manifest.load(folder), **changes).to_json()
    path.chmod(0o644)
    path.write_bytes(content)


def log_anew(snapshots: Path) -> None:
    """Begin the log of the snapshots in a folder again, as if they had been published as they are now."""
    shutil.rmtree(snapshots / LOG)
    add_snapshots(snapshots, None)
