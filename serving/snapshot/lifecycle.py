"""The lifecycle of snapshots: which one is in service, which are kept, and which are removed.

All that changes the folder holds one lock, publications included: of two at once, one is told so.
"""

import fcntl
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from serving.contract.errors import LawError, NoSnapshotError, NotFoundError
from serving.contract.layout import PINS, POINTER, inspection_file
from serving.contract.manifest import Manifest
from serving.snapshot.durable import replace_file
from serving.snapshot.inspections import Inspections
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.snapshot.verify import require_sizes

REMOVED = ".removed-"
"""Prefix of folders that are being removed: half a snapshot must not look like one."""
_LOCK = ".publish.lock"


class LifecycleError(LawError):
    """The snapshots, as they are, do not allow a change that was asked for."""

    code = "snapshot_lifecycle"


class SnapshotsBusyError(LifecycleError):
    """Another process changes the folder of snapshots."""

    code = "snapshots_busy"


@dataclass(frozen=True, slots=True)
class Moved:
    """The pointer was moved, from one snapshot to another; from None if there was none."""

    before: str | None
    now: str


@dataclass(frozen=True, slots=True)
class Retention:
    """A rule on which snapshots stay: those that it does not name may be removed.

    Attributes:
        count: this many of the newest stay, the current one among them.
        age: younger ones stay, too.
    """

    count: int
    age: timedelta = timedelta()


@contextmanager
def only_writer(snapshots: Path) -> Iterator[None]:
    """Hold the lock on a folder of snapshots.

    Raises:
        SnapshotsBusyError: another process holds it.
    """
    with locked(snapshots / _LOCK, f"Another publication into {snapshots}"):
        yield


@contextmanager
def locked(path: Path, other: str) -> Iterator[None]:
    """Hold the lock of a file, which the system lets go when the process dies.

    Args:
        path: the file.
        other: name of what else may hold it, as the beginning of a sentence.

    Raises:
        SnapshotsBusyError: another process holds it.
    """
    with path.open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SnapshotsBusyError(f"{other} is under way.") from None
        yield


def point_to(snapshots: Path, snapshot: str) -> None:
    """Put a published snapshot in service: a reader of the pointer sees the old one or this one."""
    replace_file(snapshots / POINTER, json.dumps({"snapshot": snapshot}).encode() + b"\n")


def promote(snapshots: Path, snapshot: str) -> Moved:
    """Put a retained snapshot in service, once its files are seen to be there in full.

    Raises:
        NotFoundError: it is not retained.
        SnapshotCorruptError: a file is missing or has another size.
        LifecycleError: it was found damaged when it was last inspected.
        SnapshotsBusyError: another process changes the folder.
    """
    with only_writer(snapshots):
        return put_in_service(snapshots, snapshot)


def roll_back(snapshots: Path) -> Moved:
    """Put the newest retained snapshot that is older than the current one in service.

    Raises:
        LifecycleError: none is older.
        NoSnapshotError: nothing was published yet.
        SnapshotCorruptError, SnapshotsBusyError: as `promote`.
    """
    with only_writer(snapshots):
        current = current_snapshot_id(snapshots)
        known = list_snapshots(snapshots)
        older = known[: known.index(current)] if current in known else []
        if not older:
            raise LifecycleError(f"No retained snapshot is older than {current}.")
        return put_in_service(snapshots, older[-1])


def put_in_service(snapshots: Path, snapshot: str) -> Moved:
    """Do what `promote` does; the caller holds the lock."""
    folder = require_retained(snapshots, snapshot)
    require_sizes(folder, Manifest.load(folder))
    inspection = Inspections(snapshots).find(snapshot)
    if inspection is not None and inspection.damage is not None:
        raise LifecycleError(
            f"{snapshot} was found damaged: {inspection.damage.file}: {inspection.damage.reason}. "
            "`lawctl snapshot verify` looks again."
        )
    try:
        before = current_snapshot_id(snapshots)
    except NoSnapshotError:
        before = None  # nothing was published yet, or the pointer is broken, which this mends
    point_to(snapshots, snapshot)
    return Moved(before, snapshot)


def require_retained(snapshots: Path, snapshot: str) -> Path:
    """Return the folder of a retained snapshot.

    Raises:
        NotFoundError: it is not retained.
    """
    known = list_snapshots(snapshots)
    if snapshot not in known:
        there = ", ".join(known) or "none"
        raise NotFoundError(
            f"{snapshots} holds no snapshot {snapshot}; it holds {there}.", kind="snapshot_gone"
        )
    return snapshots / snapshot


def pinned(snapshots: Path) -> dict[str, str]:
    """Return the snapshots that are never removed, each with the reason.

    Raises:
        LifecycleError: the list cannot be read.
    """
    path = snapshots / PINS
    try:
        pins = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise LifecycleError(f"{path} is not JSON: {error}") from error
    if not isinstance(pins, dict) or not all(isinstance(reason, str) for reason in pins.values()):
        raise LifecycleError(f"{path} must give a reason for each snapshot.")
    return pins


def pin(snapshots: Path, snapshot: str, reason: str) -> None:
    """Keep a snapshot until it is unpinned.

    Raises:
        NotFoundError: it is not retained.
        LifecycleError, SnapshotsBusyError: the list cannot be read, or changed now.
    """
    with only_writer(snapshots):
        require_retained(snapshots, snapshot)
        _write_pins(snapshots, {**pinned(snapshots), snapshot: reason})


def unpin(snapshots: Path, snapshot: str) -> None:
    """Let a pinned snapshot go with the others.

    Raises:
        NotFoundError: it is not pinned.
        LifecycleError, SnapshotsBusyError: the list cannot be read, or changed now.
    """
    with only_writer(snapshots):
        pins = pinned(snapshots)
        if snapshot not in pins:
            raise NotFoundError(
                f"{snapshot} is not pinned; pinned are {', '.join(pins) or 'none'}.", kind="snapshot_gone"
            )
        _write_pins(snapshots, {one: reason for one, reason in pins.items() if one != snapshot})


def _write_pins(snapshots: Path, pins: dict[str, str]) -> None:
    replace_file(snapshots / PINS, json.dumps(pins, ensure_ascii=False, indent=2).encode() + b"\n")


def removable(snapshots: Path, retention: Retention, now: datetime) -> tuple[str, ...]:
    """Return the snapshots that a rule does not keep, oldest first: never the current one or a pinned one.

    Raises:
        NoSnapshotError: nothing was published yet.
        LifecycleError: the list of pins cannot be read.
    """
    current = current_snapshot_id(snapshots)
    older = [snapshot for snapshot in list_snapshots(snapshots) if snapshot != current]
    beyond = older[: max(len(older) - (retention.count - 1), 0)]
    pins = pinned(snapshots)
    # Most prunings are by count alone, and must not stop at a manifest that is damaged.
    old = (lambda one: now - _created(snapshots / one) >= retention.age) if retention.age else _always
    return tuple(one for one in beyond if one not in pins and old(one))


def prune(
    snapshots: Path,
    retention: Retention,
    now: datetime,
    *,
    on_removed: Callable[[str], None] = lambda _: None,
) -> tuple[str, ...]:
    """Remove what `removable` names; the caller holds the lock.

    Args:
        snapshots: folder of the snapshots.
        retention: what stays.
        now: present instant.
        on_removed: called with each id when that snapshot is gone.

    Returns:
        Ids of the removed snapshots.
    """
    dropped = removable(snapshots, retention, now)
    for left in snapshots.glob(f"{REMOVED}*"):
        shutil.rmtree(left)  # of a removal that did not end
    for snapshot in dropped:
        gone = (snapshots / snapshot).rename(snapshots / f"{REMOVED}{snapshot}")
        shutil.rmtree(gone)
        (snapshots / inspection_file(snapshot)).unlink(missing_ok=True)
        on_removed(snapshot)
    return dropped


def _always(_: str) -> bool:
    return True


def _created(folder: Path) -> datetime:
    created = datetime.fromisoformat(Manifest.load(folder).created)
    return created if created.tzinfo is not None else created.replace(tzinfo=UTC)
