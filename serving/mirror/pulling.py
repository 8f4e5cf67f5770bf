"""The serving side of a mirror: fetch the snapshot that its publisher has in service, and serve it here.

Nothing is taken that the trusted root does not lead to, that has expired, or that is older than what was
taken before; and nothing is among the snapshots before it is whole.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from tuf.api.exceptions import (
    BadVersionNumberError,
    DownloadError,
    ExpiredMetadataError,
    LengthOrHashMismatchError,
    RepositoryError,
    UnsignedMetadataError,
)
from tuf.api.metadata import Metadata, TargetFile, Targets
from tuf.ngclient import Updater

from serving.contract import layout as contract
from serving.contract.errors import NoSnapshotError, SnapshotCorruptError
from serving.contract.leaves import snapshot_leaf
from serving.contract.manifest import Manifest
from serving.mirror.errors import MirrorError, MirrorRefusedError, MirrorUnreachableError
from serving.mirror.fetching import ResumingFetcher
from serving.mirror.layout import LIST, LOG, METADATA, SNAPSHOT, TARGETS
from serving.snapshot.durable import make_readable, replace_file, sync_file, sync_tree
from serving.snapshot.lifecycle import Retention, locked, only_writer, prune, put_in_service
from serving.snapshot.pointer import SNAPSHOT_ID, current_snapshot_id, list_snapshots
from serving.snapshot.verify import verify_files
from serving.transparency.log import CHECKPOINT, SnapshotLog, read_log

STATE = ".mirror"
"""Folder, beside the snapshots, of the metadata that were taken last and of what is being fetched."""
_WHY: Mapping[type[RepositoryError], str] = {
    ExpiredMetadataError: "has expired: the mirror is not renewed any more, or an old state of it is given",
    BadVersionNumberError: "is older than what was taken before, or mixed from several states",
    UnsignedMetadataError: "is not signed by the keys that the trusted root names",
    LengthOrHashMismatchError: "gives another file than was published",
}


@dataclass(frozen=True, slots=True)
class Pulled:
    """The result of a pull.

    Attributes:
        snapshot: the snapshot that is in service now.
        before: the one that was; None if there was none.
        fetched: bytes that came, of metadata and files.
        removed: older snapshots that were removed.
    """

    snapshot: str
    before: str | None
    fetched: int
    removed: tuple[str, ...]


def pull(address: str, snapshots: Path, root: bytes, *, keep: int, now: datetime) -> Pulled:
    """Pull the snapshot of a mirror and put it in service, unless it is.

    Args:
        address: address of the mirror, or its folder.
        snapshots: folder of the snapshots.
        root: a root of the mirror, from its publisher: the keys that are trusted.
        keep: snapshots to retain, at least 1.
        now: the present instant.

    Raises:
        MirrorUnreachableError: a file could not be fetched; the next pull goes on.
        MirrorRefusedError: what the mirror gives must not be taken.
        LifecycleError, SnapshotCorruptError, LogDamagedError: what is here does not allow it.
    """
    snapshots.mkdir(parents=True, exist_ok=True)
    state = snapshots / STATE
    state.mkdir(exist_ok=True)
    with locked(state / "lock", f"Another pull into {snapshots}"):
        source = _Source(_as_url(address), state, root)
        with _told(source.address):
            log = source.fetch_log()
            manifest, staging = source.fetch_snapshot(snapshots, log)
        source.drop_parts()
        with only_writer(snapshots):
            before = _current(snapshots)
            _require_grown(snapshots, log)
            if staging is not None:
                staging.rename(snapshots / manifest.id)
                sync_file(snapshots)
            if log is not None:
                _install(log, snapshots / contract.LOG)
            if manifest.id != before:
                put_in_service(snapshots, manifest.id)
            removed = prune(snapshots, Retention(keep), now)
    return Pulled(manifest.id, before, source.fetched, removed)


class _Source:
    """A mirror, whose metadata are found good."""

    def __init__(self, address: str, state: Path, root: bytes) -> None:
        self.address = address
        self._state = state
        self._parts = state / "parts"
        for folder in (state / METADATA, self._parts):
            folder.mkdir(parents=True, exist_ok=True)
        self._fetcher = ResumingFetcher(f"{address}/{TARGETS}/", self._parts)
        with _told(address):
            self._updater = Updater(
                str(state / METADATA),
                f"{address}/{METADATA}/",
                target_base_url=f"{address}/{TARGETS}/",
                fetcher=self._fetcher,
                bootstrap=root,
            )
            self._updater.refresh()
            listed = Metadata[Targets].from_bytes((state / METADATA / LIST).read_bytes())
        self._targets: dict[str, TargetFile] = listed.signed.targets

    @property
    def fetched(self) -> int:
        """Bytes that came."""
        return self._fetcher.fetched

    def fetch_log(self) -> SnapshotLog | None:
        """Return the log of the mirror, every byte checked; None where it has none."""
        return read_log(self._fetch_all(LOG, self._state / contract.LOG))

    def fetch_snapshot(self, snapshots: Path, log: SnapshotLog | None) -> tuple[Manifest, Path | None]:
        """Return the manifest of the mirror's snapshot, and the folder with it; None where it is retained.

        All bytes are those of the manifest then, and that is the one in the log.
        """
        staging = self._state / "snapshot"
        self._fetch(f"{SNAPSHOT}{contract.MANIFEST}", staging / contract.MANIFEST)
        manifest = Manifest.load(staging)
        sealed = _sha256(staging / contract.MANIFEST)
        listed = {path: one.hashes["sha256"] for path, one in self._of(SNAPSHOT).items()}
        named = {entry.path: entry.sha256 for entry in manifest.files}
        if SNAPSHOT_ID.fullmatch(manifest.id) is None or listed != {**named, contract.MANIFEST: sealed}:
            raise MirrorRefusedError(f"{self.address} lists other files than its manifest names.")
        logged = log is None or manifest.nodes_root is None or snapshot_leaf(manifest, sealed) in log.entries
        if not logged:
            raise MirrorRefusedError(f"The log of {self.address} does not hold {manifest.id} as it is given.")
        if manifest.id in list_snapshots(snapshots):
            if _sha256(snapshots / manifest.id / contract.MANIFEST) != sealed:
                raise MirrorRefusedError(f"{self.address} has another {manifest.id} than is retained here.")
            shutil.rmtree(staging)
            return manifest, None
        _link_retained(snapshots, manifest, staging)
        self._fetch_all(SNAPSHOT, staging)
        faults = verify_files(staging, manifest)
        if faults:
            shutil.rmtree(staging)
            raise MirrorRefusedError(f"{manifest.id} of {self.address} does not verify: {faults[0]}.")
        make_readable(staging)
        sync_tree(staging)
        return manifest, staging

    def drop_parts(self) -> None:
        """Remove what was begun of files that no pull asks for any more, once all of a state was fetched."""
        for part in self._parts.iterdir():
            part.unlink()

    def _of(self, prefix: str) -> dict[str, TargetFile]:
        """Return the targets below a prefix, by the rest of their paths."""
        found = {
            path.removeprefix(prefix): one for path, one in self._targets.items() if path.startswith(prefix)
        }
        if any(part in ("", ".", "..") for path in found for part in path.split("/")):
            raise MirrorRefusedError(f"{self.address} lists files outside of their folder.")
        return found

    def _fetch_all(self, prefix: str, folder: Path) -> Path:
        """Fetch all targets below a prefix into a folder, which holds nothing else then."""
        wanted = self._of(prefix)
        folder.mkdir(exist_ok=True)
        for found in list(folder.rglob("*")):
            if found.is_file() and found.relative_to(folder).as_posix() not in wanted:
                found.unlink()
        for path in sorted(wanted):
            self._fetch(f"{prefix}{path}", folder / path)
        return folder

    def _fetch(self, target: str, place: Path) -> None:
        info = self._updater.get_targetinfo(target)
        if info is None:
            raise MirrorRefusedError(f"{self.address} lists no {target}.")
        if self._updater.find_cached_target(info, str(place)) is None:
            # Written anew: the file that is there may be one of a retained snapshot, too.
            place.unlink(missing_ok=True)
            self._updater.download_target(info, str(place))


def _link_retained(snapshots: Path, manifest: Manifest, staging: Path) -> None:
    """Link the files of a snapshot that one retained here has, too; what cannot be linked is fetched."""
    retained: dict[str, Path] = {}
    for snapshot in list_snapshots(snapshots):
        with suppress(SnapshotCorruptError):
            held = Manifest.load(snapshots / snapshot).files
            retained |= {entry.sha256: snapshots / snapshot / entry.path for entry in held}
    for entry in manifest.files:
        place = staging / entry.path
        if entry.sha256 in retained and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):
                place.hardlink_to(retained[entry.sha256])


def _require_grown(snapshots: Path, log: SnapshotLog | None) -> None:
    """Check that a log goes on from the one that is here.

    Raises:
        MirrorRefusedError: it does not: it was rewritten, or cut short.
    """
    here = read_log(snapshots / contract.LOG)
    if here is not None and (log is None or log.entries[: len(here.entries)] != here.entries):
        raise MirrorRefusedError("The log of the mirror does not go on from the one that is here.")


def _install(log: SnapshotLog, folder: Path) -> None:
    """Put the files of a log in the place of those of the log that it goes on from."""
    names = [path.relative_to(log.folder).as_posix() for path in log.folder.rglob("*") if path.is_file()]
    # The checkpoint last: until then the log is the one that was here.
    for name in sorted(names, key=lambda one: (one == CHECKPOINT, one)):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, (log.folder / name).read_bytes())
    make_readable(folder)


def _sha256(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


@contextmanager
def _told(address: str) -> Iterator[None]:
    """Say in words of ours what the library finds."""
    try:
        yield
    except DownloadError as error:
        raise MirrorUnreachableError(f"{error}. What was fetched is kept: pull again to go on.") from error
    except RepositoryError as error:
        why = next((why for kind, why in _WHY.items() if isinstance(error, kind)), "cannot be read")
        raise MirrorRefusedError(f"{address} {why} ({error}). Nothing was taken.") from error


def _as_url(address: str) -> str:
    """Return the address of a mirror, which may be that of a folder, without a slash at its end.

    Raises:
        MirrorError: it is neither an address of the web nor a folder.
    """
    if address.startswith(("http://", "https://")):
        return address.rstrip("/")
    folder = Path(address).resolve()
    if not folder.is_dir():
        raise MirrorError(f"{address} is neither an http or https address nor a folder.")
    return folder.as_uri()


def _current(snapshots: Path) -> str | None:
    try:
        return current_snapshot_id(snapshots)
    except NoSnapshotError:
        return None
