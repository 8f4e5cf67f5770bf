"""Check every byte of a snapshot against its manifest."""

import hashlib
from pathlib import Path

from serving.contract.layout import MANIFEST
from serving.contract.manifest import Manifest, root_sha256

_BLOCK = 1 << 20


def verify_files(folder: Path, manifest: Manifest) -> list[str]:
    """Return what is wrong with the files in `folder`, one sentence for each; empty if all is well.

    Every file that the manifest lists must be there with its size and hash, and no other file may be.
    """
    problems = []
    if root_sha256(manifest.files) != manifest.root_sha256:
        problems.append(f"{MANIFEST}: its root hash is not that of the files it lists")
    for entry in manifest.files:
        problem = _problem(folder / entry.path, entry.bytes, entry.sha256)
        if problem is not None:
            problems.append(f"{entry.path}: {problem}")
    listed = {entry.path for entry in manifest.files} | {MANIFEST}
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    problems += [f"{name}: is not in the manifest" for name in sorted(present - listed)]
    return problems


def _problem(path: Path, size: int, sha256: str) -> str | None:
    try:
        found = path.stat().st_size
        if found != size:
            return f"has {found} bytes instead of {size}"
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None if digest.hexdigest() == sha256 else "is not the file that was published: its hash differs"
