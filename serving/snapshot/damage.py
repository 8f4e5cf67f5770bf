"""Compare a snapshot with its manifest byte by byte: what opening it, for speed, does not."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from serving.contract.layout import MANIFEST
from serving.contract.manifest import FileEntry, Manifest, root_sha256


@dataclass(frozen=True, slots=True)
class Damage:
    """One file that is not as the manifest says; `path` is relative to the snapshot."""

    path: str
    reason: str


def find_damage(folder: Path) -> list[Damage]:
    """Return every difference between the snapshot in `folder` and its manifest; empty for a sound one.

    Raises:
        SnapshotCorruptError: the manifest itself cannot be read.
    """
    manifest = Manifest.load(folder)
    damage = []
    if root_sha256(manifest.files) != manifest.root_sha256:
        damage.append(Damage(MANIFEST, "its root hash is not that of the files it lists"))
    for entry in manifest.files:
        reason = _difference(folder / entry.path, entry)
        if reason is not None:
            damage.append(Damage(entry.path, reason))
    listed = {entry.path for entry in manifest.files} | {MANIFEST}
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    damage += [Damage(path, "is not in the manifest") for path in sorted(found - listed)]
    return damage


def _difference(path: Path, entry: FileEntry) -> str | None:
    try:
        size = path.stat().st_size
        if size != entry.bytes:
            return f"has {size} bytes instead of {entry.bytes}"
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None if digest == entry.sha256 else "is not the file that was published: its hash differs"
