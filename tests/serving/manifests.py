"""Manifests that say something else than was published, sealed as if it had been."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from serving.contract.layout import MANIFEST
from serving.contract.manifest import Manifest


def edit_manifest(folder: Path, **changes: Any) -> None:
    """Rewrite the manifest of the snapshot in `folder` with other values of its fields."""
    path = folder / MANIFEST
    content = replace(Manifest.load(folder), **changes).to_json()
    path.chmod(0o644)
    path.write_bytes(content)
