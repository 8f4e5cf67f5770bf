"""Versions of code and files: digests by which a stage knows that it would make the same again."""

import hashlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_MADE_BY_PYTHON = "__pycache__"


def code_version(*rooms: str, libraries: tuple[str, ...] = ()) -> str:
    """Return the digest of all files of some rooms, and of the versions of some libraries.

    Args:
        rooms: folders or modules of the project, such as `assets/text`.
        libraries: names of distributions on which the result depends.
    """
    digest = hashlib.sha256()
    for room in rooms:
        digest.update(f"{room} {tree_version(_ROOT / room)}\n".encode())
    for library in libraries:
        digest.update(f"{library} {version(library)}\n".encode())
    return digest.hexdigest()


def tree_version(path: Path) -> str:
    """Return the digest of a file, or of all files of a folder and of their places in it."""
    if path.is_file():
        return files_version([path])
    found = (entry for entry in sorted(path.rglob("*")) if entry.is_file())
    return files_version((entry for entry in found if _MADE_BY_PYTHON not in entry.parts), beneath=path)


def files_version(paths: Iterable[Path], *, beneath: Path | None = None) -> str:
    """Return the digest of files in the order given: of their names, or places in a folder, and bytes."""
    digest = hashlib.sha256()
    for path in paths:
        name = path.name if beneath is None else path.relative_to(beneath).as_posix()
        digest.update(f"{name} {file_sha256(path)}\n".encode())
    return digest.hexdigest()


def file_sha256(path: Path) -> str:
    """Return the hex digest of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest_of(*parts: object) -> str:
    """Return the digest of some values, by how they are written."""
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
