"""Snapshots in their log: those that are not in it yet are added, and each is compared with its entry."""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from serving.contract.errors import LawError, NoSnapshotError, SnapshotCorruptError
from serving.contract.layout import LOG, MANIFEST
from serving.contract.leaves import leaf_fields, snapshot_leaf
from serving.contract.manifest import Manifest
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.transparency.checkpoint import Signer
from serving.transparency.log import LogDamagedError, SnapshotLog, append, read_log


class LogLostError(LawError):
    """Snapshots that stood in a log are here without it."""

    code = "log_lost"

    def __init__(self, snapshots: Path, unlogged: Iterable[str]) -> None:
        super().__init__(
            f"{snapshots} has no log, though {', '.join(unlogged)} stood in one: put it back from a backup "
            "or a mirror. Until then nothing can be published; if it is gone for good, `lawctl log begin` "
            "begins another, which whoever kept a checkpoint refuses."
        )


def require_log(snapshots: Path) -> None:
    """Check that the log is not lost: another, begun in its place, is refused by whoever kept a checkpoint.

    What is in service was put into the log before, unless an earlier version built it.

    Raises:
        LogLostError: the snapshot in service has a tree, and there is no log.
        LogDamagedError: the log is damaged.
    """
    if read_log(snapshots / LOG) is not None:
        return
    # Nothing in service, or something that cannot be read, says nothing of a log.
    with suppress(NoSnapshotError, SnapshotCorruptError):
        snapshot = current_snapshot_id(snapshots)
        if Manifest.load(snapshots / snapshot).nodes_root is not None:
            raise LogLostError(snapshots, [snapshot])


def add_snapshots(snapshots: Path, signer: Signer | None) -> tuple[str, ...]:
    """Add every retained snapshot with a tree that the log does not hold, oldest first.

    A publication that died between its snapshot and the log is made good by the next one.

    Args:
        snapshots: folder of the snapshots; the caller holds its lock.
        signer: signs the log; None: it stays unsigned.

    Returns:
        Ids of the snapshots that were added.

    Raises:
        LogDamagedError: the log is damaged, and nothing was added.
    """
    log = read_log(snapshots / LOG)
    known = _ids(log)
    added: dict[str, bytes] = {}
    for snapshot in list_snapshots(snapshots):
        if snapshot not in known:
            # A snapshot that cannot be read is not vouched for.
            with suppress(SnapshotCorruptError):
                leaf = _leaf(snapshots / snapshot)
                if leaf is not None:
                    added[snapshot] = leaf
    if added:
        append(snapshots / LOG, log, list(added.values()), signer)
    return tuple(added)


def logged_snapshots(snapshots: Path) -> frozenset[str]:
    """Return the ids of the snapshots in the log, retained or not.

    Raises:
        LogDamagedError: the log is damaged.
    """
    return _ids(read_log(snapshots / LOG))


def log_faults(snapshots: Path, snapshot: str) -> list[str]:
    """Return what is wrong with the log and with a retained snapshot beside its entry, a line for each file.

    A snapshot of an earlier build, without a tree, is in no log. Where snapshots are kept without their log,
    there is nothing to compare.
    """
    try:
        log = read_log(snapshots / LOG)
    except LogDamagedError as error:
        return [f"{error.path.relative_to(snapshots).as_posix()}: {error.reason}"]
    if log is None:
        return []
    try:
        leaf = _leaf(snapshots / snapshot)
    except SnapshotCorruptError as error:
        return [f"{MANIFEST}: {error.reason}"]
    own = [entry for entry in log.entries if leaf_fields(entry).get("snapshot") == snapshot]
    if leaf is None or leaf in own:
        return []
    if not own:
        return [f"{LOG}: {snapshot} is not in it"]
    return [f"{MANIFEST}: is not the one that the log holds of {snapshot}"]


def _ids(log: SnapshotLog | None) -> frozenset[str]:
    entries = () if log is None else log.entries
    return frozenset(leaf_fields(entry).get("snapshot", "") for entry in entries)


def _leaf(folder: Path) -> bytes | None:
    """Return the entry of a snapshot; None for one of an earlier build."""
    manifest = Manifest.load(folder)
    if manifest.nodes_root is None:
        return None
    return snapshot_leaf(manifest, hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest())
