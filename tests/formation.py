"""The artefacts of formation, built once a run from the checkout's own data, for every suite that publishes."""

import os
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from assets.formation.build import build_comparison, build_naics, build_prices
from assets.workspace import Workspace

DATASETS = Path(__file__).resolve().parents[1] / "datasets"
BUILDERS = {
    "provider_comparison": build_comparison,
    "formation_prices": build_prices,
    "naics_table": build_naics,
}


def add_formation(workspace: Workspace, encoder_folder: Path) -> None:
    """Put the artefacts into a workspace that has none."""
    for name in BUILDERS:
        folder = workspace.artefact(name)
        if not folder.exists():
            _link(Path(_built(encoder_folder).name) / name, folder)


def add_naics_vectors(workspace: Workspace, encoder_folder: Path) -> None:
    """Let a workspace know the vectors of the NAICS table, so that a build need not make them."""
    _built(encoder_folder)
    _link(_cache(encoder_folder), workspace.embedding_cache)


@lru_cache(maxsize=1)
def _built(encoder_folder: Path) -> TemporaryDirectory[str]:
    holder: TemporaryDirectory[str] = TemporaryDirectory(prefix="formation-")
    workspace = Workspace(Path(holder.name), DATASETS, Path(holder.name) / "snapshots")
    workspace.encoder.symlink_to(encoder_folder, target_is_directory=True)
    _cache(encoder_folder).mkdir(exist_ok=True)
    workspace.embedding_cache.symlink_to(_cache(encoder_folder), target_is_directory=True)
    for name, build in BUILDERS.items():
        workspace.artefact(name).mkdir()
        build(workspace, workspace.artefact(name))
    return holder


def _cache(encoder_folder: Path) -> Path:
    return encoder_folder.parent / "naics_vectors"


def _link(source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    for path in source.iterdir():
        try:
            os.link(path, target / path.name)
        except OSError:
            (target / path.name).write_bytes(path.read_bytes())
