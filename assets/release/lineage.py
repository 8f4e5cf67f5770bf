"""Versions of what a publication is made from, and the note of the last one."""

import json
from collections.abc import Sequence
from pathlib import Path

from assets.freshness.known import known_freshness
from assets.registry import Registry
from assets.selection.accepted_layers import available_layers
from assets.selection.selection import layers_version
from assets.stage_record import made_from
from assets.versions import code_version, digest_of, file_sha256, tree_version
from assets.workspace import Workspace
from serving.contract.errors import LawError
from serving.contract.manifest import Manifest
from serving.encoder.config import CONFIG, query_folder
from serving.snapshot.durable import replace_file
from serving.snapshot.pointer import current_snapshot_id

CODE = code_version(
    *("assets", "serving/contract", "serving/encoder", "serving/snapshot", "serving/services"),
    libraries=("lancedb", "numpy", "pyarrow", "tantivy"),
)
"""Version of all code that a snapshot is made by."""

_CURATED = (
    *("citations", "corrections.toml", "encoder", "evaluation", "expansion"),
    *("formation", "registry", "training"),
)
"""Files and folders of the datasets that snapshots are made from."""


def publication_inputs(
    workspace: Workspace, registry: Registry, bodies: Sequence[str], layers: Sequence[str] | None
) -> str | None:
    """Return the version of all that a publication of these code bodies and layers is made from.

    None where there are none, or tables do not say what they were made from, as those of earlier versions.
    """
    if not bodies or not (workspace.encoder / CONFIG).is_file():
        return None
    parts: list[object] = [CODE]
    for key in sorted(bodies):
        accepted = workspace.accepted(key)
        made = made_from(accepted / "chunks"), made_from(accepted / "embeddings")
        if None in made:
            return None
        # Coverage says how old each body is beside its publisher's newest release.
        known = known_freshness(workspace, registry.code_body(key))
        parts += [key, *made, known.status, known.days_behind]
    wanted = registry.layers if layers is None else [registry.layer(code) for code in layers]
    parts.append(layers_version(*available_layers(workspace, wanted)))
    parts += [tree_version(workspace.datasets / name) for name in _CURATED]
    parts += [file_sha256(folder / CONFIG) for folder in (workspace.encoder, query_folder(workspace.encoder))]
    return digest_of(*parts)


def note_publication(workspace: Workspace, manifest: Manifest, inputs: str | None) -> None:
    """Note what a published snapshot was made from."""
    note = {"snapshot": manifest.id, "root_sha256": manifest.root_sha256, "inputs": inputs}
    replace_file(workspace.published, json.dumps(note).encode() + b"\n")


def is_in_service(workspace: Workspace, inputs: str | None) -> bool:
    """Return whether the snapshot in service was made from these inputs, and its files are all there."""
    try:
        note = json.loads(workspace.published.read_bytes())
        folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
        manifest = Manifest.load(folder)
    except (OSError, ValueError, LawError):
        return False
    said = {"snapshot": manifest.id, "root_sha256": manifest.root_sha256, "inputs": inputs}
    return inputs is not None and note == said and all(_is_there(folder, manifest))


def _is_there(folder: Path, manifest: Manifest) -> Sequence[bool]:
    return [
        path.is_file() and path.stat().st_size == file.bytes
        for file in manifest.files
        for path in [folder / file.path]
    ]
