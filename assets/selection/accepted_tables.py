"""Accepted tables of a code body: those that passed all checks together, from which snapshots are made."""

import os
import shutil
from pathlib import Path

from assets.errors import BuildError
from assets.workspace import Workspace, replacing


def accept(workspace: Workspace, body: str) -> dict[str, int]:
    """Put the present tables of `body` in the place of those accepted before; return bytes by part.

    The files are linked, not copied: each stage replaces its folder as a whole and never writes into one.

    Raises:
        BuildError: a part is missing.
    """
    folders = {
        "provisions": workspace.provisions(body),
        "chunks": workspace.chunks(body),
        "embeddings": workspace.embeddings(body),
    }
    sizes: dict[str, int] = {}
    with replacing(workspace.accepted(body)) as staging:
        for part, folder in folders.items():
            if not folder.is_dir():
                raise BuildError(f"{folder} is missing: build {body} first.")
            sizes[part] = _link(folder, staging / part)
    return sizes


def withdraw(workspace: Workspace, body: str) -> None:
    """Take back that the tables of `body` were accepted; what they were made from stays."""
    shutil.rmtree(workspace.accepted(body), ignore_errors=True)


def _link(source: Path, target: Path) -> int:
    target.mkdir()
    size = 0
    for path in sorted(source.iterdir()):
        os.link(path, target / path.name)
        size += path.stat().st_size
    return size
