"""The publisher's side of a mirror: the snapshot in service, the log, and what leads to them."""

import hashlib
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import MetaFile, Snapshot, TargetFile, Targets, Timestamp

from serving.contract import layout as contract
from serving.contract.errors import DamagedFileError
from serving.contract.manifest import Manifest
from serving.mirror.layout import LIST, LOG, SNAPSHOT, TARGETS
from serving.mirror.roles import Roles
from serving.snapshot.durable import make_folder, replace_file, sync_file
from serving.snapshot.lifecycle import locked, only_writer
from serving.snapshot.pointer import current_snapshot_id
from serving.transparency.log import read_log

_LOCK = ".lock"
_BLOCK = 1 << 20
_HASH = "sha256"


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The content of a mirror: the snapshot, its files and those of the log, and how many of them are new."""

    snapshot: str
    files: int
    added: int
    version: int


def publish(snapshots: Path, mirror: Path, signer: CryptoSigner, now: datetime) -> Mirrored:
    """Put the snapshot in service into a mirror, or renew the metadata of the one that is there.

    Those who pull meanwhile get the one before, or this one: the timestamp that leads to it is written last.

    Raises:
        MirrorError: the mirror has no root that names the key.
        NoSnapshotError: nothing was published yet.
        DamagedFileError: a file of the snapshot differs from what was published.
        LogDamagedError: the log does.
        SnapshotsBusyError: a publication runs, or another mirroring into the folder.
    """
    roles = Roles(mirror, signer, now)
    with locked(mirror / _LOCK, f"Another mirroring into {mirror}"):
        with only_writer(snapshots):
            # The snapshot and its entry in the log: neither moves meanwhile. The files that are copied then
            # never change, so that a publication need not wait for it.
            snapshot = current_snapshot_id(snapshots)
            content = {f"{LOG}{name}": found for name, found in _log(snapshots / contract.LOG).items()}
        folder = snapshots / snapshot
        manifest = Manifest.load(folder)
        content[f"{SNAPSHOT}{contract.MANIFEST}"] = (folder / contract.MANIFEST).read_bytes()
        targets = {path: TargetFile.from_data(path, found, [_HASH]) for path, found in content.items()}
        added = sum(_put(_place(mirror, targets[path]), found) for path, found in content.items())
        for entry in manifest.files:
            target = TargetFile(entry.bytes, {_HASH: entry.sha256}, f"{SNAPSHOT}{entry.path}")
            targets[target.path] = target
            added += _copy(folder / entry.path, _place(mirror, target), entry.sha256, entry.bytes)
        version = _sign(roles, targets)
        _remove_all_but(mirror / TARGETS, roles.forget_old())
    return Mirrored(snapshot, len(targets), added, version)


def _sign(roles: Roles, targets: dict[str, TargetFile]) -> int:
    """Sign the list of the targets and what leads to it; return the version of the timestamp."""
    version, content = roles.renew(Targets(targets=targets))
    version, content = roles.renew(Snapshot(meta={LIST: MetaFile.from_data(version, content, [_HASH])}))
    version, _ = roles.renew(Timestamp(snapshot_meta=MetaFile.from_data(version, content, [_HASH])))
    return version


def _log(folder: Path) -> dict[str, bytes]:
    """Return the files of the log, every byte checked; none where there is no log."""
    if read_log(folder) is None:
        return {}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _place(mirror: Path, target: TargetFile) -> Path:
    """Return where a target lies: beside its hash, so that a file that is there never changes."""
    (name,) = target.get_prefixed_paths()
    return mirror / TARGETS / PurePosixPath(name)


def _put(place: Path, content: bytes) -> bool:
    """Put a file into a mirror; return whether it was not there yet, byte for byte."""
    if place.is_file() and place.read_bytes() == content:
        return False
    make_folder(place.parent)
    replace_file(place, content)
    return True


def _copy(file: Path, place: Path, sha256: str, size: int) -> bool:
    """Copy a file of a snapshot into a mirror; return whether it was not there yet, byte for byte."""
    # Whoever pulls refuses a file that the disk of the mirror damaged, and this is what mends it.
    if place.is_file() and place.stat().st_size == size and _digest(place) == sha256:
        return False
    make_folder(place.parent)
    begun = place.with_name(f".{place.name}.new")
    shutil.copyfile(file, begun)
    if _digest(begun) != sha256:
        begun.unlink()
        raise DamagedFileError(str(file), "is not the file that was published: its hash differs")
    begun.chmod(0o644)
    sync_file(begun)
    begun.replace(place)
    return True


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _remove_all_but(folder: Path, kept: set[str]) -> None:
    """Remove the files that no list of targets names any more."""
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in kept:
            path.unlink()
