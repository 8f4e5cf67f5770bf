"""Publish a snapshot: stage, verify, put on disk, rename, move the pointer. Till then the old one serves."""

import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from assets.errors import BuildError
from assets.findings import Verdict
from assets.progress import Progress, ProgressLines
from assets.release.bulk.changes import write_change_files
from assets.release.bulk.package import write_packages
from assets.release.changes import count_changes, write_changes
from assets.release.evaluation.gate import require_no_loss
from assets.release.evaluation.scores import Scores, score
from assets.release.manifest import make_manifest, with_scores
from assets.release.staging import add_scores, stage
from assets.release.tree import write_tree
from assets.release.verification import verify_snapshot
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import Selection
from assets.workspace import Workspace
from serving.contract.changes import Summary
from serving.contract.errors import NoSnapshotError, SnapshotCorruptError
from serving.contract.layout import MANIFEST
from serving.contract.manifest import Manifest
from serving.snapshot.durable import make_readable, sync_file, sync_tree
from serving.snapshot.lifecycle import (
    REMOVED,
    LifecycleError,
    Retention,
    only_writer,
    pinned,
    point_to,
    prune,
)
from serving.snapshot.pointer import SNAPSHOT_ID, current_snapshot_id
from serving.transparency.checkpoint import LogKeyError, Signer
from serving.transparency.log import LogDamagedError
from serving.transparency.publications import LogLostError, add_snapshots, logged_snapshots, require_log

KEEP = 5
"""Snapshots that are retained, the current one among them."""

_STAGING = ".staging-"
_SILENT = ProgressLines(lambda _: None)

STEPS = (
    *("begun", "staged", "described", "verified", "scored", "synced"),
    *("renamed", "logged", "pointed", "pruned"),
)
"""Steps of a publication in their order: `on_step` is told each when it is done."""


@dataclass(frozen=True, slots=True)
class Published:
    """A snapshot in service.

    Attributes:
        verdict: of its verification.
        scores: of its search.
        removed: ids of the snapshots that retention dropped.
        changes: numbers of its changes from the snapshot that was in service before.
    """

    manifest: Manifest
    folder: Path
    verdict: Verdict
    scores: Scores
    removed: tuple[str, ...]
    changes: Summary


def utc_now() -> datetime:
    """Return the present instant."""
    return datetime.now(UTC)


def publish_snapshot(
    workspace: Workspace,
    selection: Selection,
    *,
    revision: str,
    clock: Callable[[], datetime] = utc_now,
    keep: int = KEEP,
    publish_worse: bool = False,
    progress: Progress = _SILENT,
    on_step: Callable[[str], None] = lambda _: None,
) -> Published:
    """Publish the artefacts of `workspace` as a new snapshot and put it in service.

    Args:
        workspace: holds the artefacts, the encoder and the snapshots.
        selection: what the artefacts must have been built from.
        revision: of the code that built them.
        clock: gives the day in the id and the instant in the manifest.
        keep: snapshots to retain, at least 1.
        publish_worse: publish although search finds less than in the snapshot in service.
        progress: shows how far the evaluation of search is.
        on_step: called with each of `STEPS` when it is done.

    Raises:
        BuildError: an artefact is missing or stale, the result does not verify or cannot be written, or
            another publication runs. The snapshot that was in service stays there.
        RegistryError: the list of corrections is missing or malformed.
        SearchLossError: search finds less than in the snapshot in service, by more than is allowed.
    """
    if keep < 1:
        raise BuildError(f"keep is {keep}: at least the current snapshot stays.")
    snapshots = workspace.snapshots
    snapshots.mkdir(parents=True, exist_ok=True)
    with ExitStack() as lock:
        try:
            lock.enter_context(only_writer(snapshots))
            pinned(snapshots)
            signer = None if workspace.log_key is None else Signer.load(workspace.log_key)
            require_log(snapshots)
            logged = logged_snapshots(snapshots)
        except (LifecycleError, LogDamagedError, LogKeyError, LogLostError) as error:
            raise BuildError(error.message) from None
        _clear(snapshots)
        now = clock().astimezone(UTC)
        snapshot = next_snapshot_id(snapshots, now, logged)
        staging = Path(tempfile.mkdtemp(prefix=f"{_STAGING}{snapshot}-", dir=snapshots))
        on_step("begun")
        try:
            counts = stage(workspace, selection, staging)
            changes = write_changes(
                staging, selection, snapshot=snapshot, created=now, before=_in_service(snapshots)
            )
            counts["changes"] = count_changes(changes)
            write_change_files(staging, code_body_entries(selection))
            write_packages(staging, selection, changes, snapshot=snapshot, created=now)
            nodes_root = write_tree(staging)
            on_step("staged")
            manifest = make_manifest(
                staging,
                selection,
                snapshot=snapshot,
                created=now,
                revision=revision,
                counts=counts,
                nodes_root=nodes_root,
            )
            (staging / MANIFEST).write_bytes(manifest.to_json())
            make_readable(staging)
            on_step("described")
            verdict = verify_snapshot(staging)
            _require(verdict, snapshot)
            on_step("verified")
            served = _in_service(snapshots)
            scores = score(staging, workspace.evaluation, served, progress)
            if served is not None and not publish_worse:
                require_no_loss(snapshot, served.name, scores.changes)
            add_scores(staging, scores)
            manifest = with_scores(manifest, staging)
            (staging / MANIFEST).write_bytes(manifest.to_json())
            on_step("scored")
            sync_tree(staging)
            on_step("synced")
            folder = staging.rename(snapshots / snapshot)
            sync_file(snapshots)
        except BaseException as error:
            shutil.rmtree(staging, ignore_errors=True)
            if isinstance(error, OSError):
                raise _unwritten(snapshot, error) from error
            if isinstance(error, SnapshotCorruptError):
                raise _unsound(snapshot, error.message) from error
            raise
        on_step("renamed")
        try:
            # Before it is in service: what answers is in the log.
            add_snapshots(snapshots, signer)
            on_step("logged")
            point_to(snapshots, snapshot)
        except OSError as error:
            raise _unwritten(snapshot, error) from error
        on_step("pointed")
        removed = prune(snapshots, Retention(keep), now)
        on_step("pruned")
    return Published(manifest, folder, verdict, scores, removed, changes)


def next_snapshot_id(snapshots: Path, now: datetime, logged: Iterable[str]) -> str:
    """Return the next id of the day: one more than the highest of that day that is retained or in the log."""
    day = f"{now:%Y.%m.%d}"
    taken = [*logged, *(entry.name for entry in snapshots.iterdir())]
    with suppress(NoSnapshotError):
        taken.append(current_snapshot_id(snapshots))
    numbers = [int(found[2]) for name in taken if (found := SNAPSHOT_ID.fullmatch(name)) and found[1] == day]
    return f"{day}-{max(numbers, default=0) + 1}"


def _in_service(snapshots: Path) -> Path | None:
    """Return the folder of the snapshot in service; None before the first publication."""
    try:
        return snapshots / current_snapshot_id(snapshots)
    except NoSnapshotError:
        return None


def _clear(snapshots: Path) -> None:
    """Remove what builds left that died. Only the one publisher that holds the lock comes here."""
    for entry in snapshots.iterdir():
        if entry.name.startswith((_STAGING, REMOVED)):
            shutil.rmtree(entry)


def _unwritten(snapshot: str, error: OSError) -> BuildError:
    return BuildError(f"Snapshot {snapshot} could not be written and was not published: {error}")


def _unsound(snapshot: str, listed: str) -> BuildError:
    return BuildError(f"Snapshot {snapshot} does not verify and was not published: {listed}")


def _require(verdict: Verdict, snapshot: str) -> None:
    if not verdict.passed:
        listed = "; ".join(f"{entry.where}: {entry.message}" for entry in verdict.findings[:5])
        raise _unsound(snapshot, listed)
