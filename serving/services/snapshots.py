"""The snapshots of one process: the one that the pointer names in service, others opened when they are named.

A request leases a snapshot, so that the one it reads stays open until it is done, whatever is published
meanwhile. A snapshot that is found damaged is replaced by the newest older one that is sound.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from types import TracebackType

from serving.contract.errors import (
    DamagedFileError,
    LawError,
    NoSnapshotError,
    SnapshotCorruptError,
    SnapshotDamagedError,
    SnapshotGoneError,
)
from serving.contract.layout import MANIFEST
from serving.services.open_snapshots import Held, OpenSnapshots
from serving.services.opening import Opener, open_warm
from serving.services.publications import Publications
from serving.snapshot.inspections import Inspections
from serving.snapshot.pointer import SNAPSHOT_ID, current_snapshot_id, list_snapshots, snapshot_order
from serving.snapshot.store import Snapshot
from serving.snapshot.verify import require_sizes

_log = logging.getLogger(__name__)


class Lease:
    """One request's lease of a snapshot; a context manager that gives the snapshot and then releases it.

    A request that meets a damaged file takes the snapshot out of service, and fails with NoSnapshotError.
    """

    __slots__ = ("_held", "_holder")

    def __init__(self, holder: "SnapshotHolder", held: Held) -> None:
        self._holder = holder
        self._held = held

    @property
    def snapshot_id(self) -> str:
        """Id of the leased snapshot."""
        return self._held.snapshot.id

    def __enter__(self) -> Snapshot:
        return self._held.snapshot

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._holder.release(self._held)
        if isinstance(error, DamagedFileError):
            self._holder.condemn(self.snapshot_id, error)
            raise NoSnapshotError(
                f"Snapshot {self.snapshot_id} was found damaged just now and goes out of service; "
                "try again in a moment."
            ) from error


class SnapshotHolder:
    """Holds the open snapshots of one process. Every method may be called from any thread.

    Args:
        folder: holds the snapshots and the pointer.
        pinned: number of snapshots that stay open besides the current one, for reads that name them.
        open_folder: opens the snapshot in a folder.
        distrusted_since: time at which a process died that may have read damaged files, in seconds since
            1970: a snapshot not inspected since then is checked before it is opened.

    Attributes:
        folder: the folder, as given.
        inspections: inspections of the snapshots in it.
        condemned: function that is called when a snapshot went out of service, on the thread that found it
            damaged.
    """

    def __init__(
        self,
        folder: Path,
        *,
        pinned: int = 2,
        open_folder: Callable[[Path], Snapshot] = open_warm,
        distrusted_since: float | None = None,
    ) -> None:
        self.folder = folder
        self.inspections = Inspections(folder)
        self.condemned: Callable[[], None] = lambda: None
        self._capacity = pinned
        self._damaged: dict[str, str] = {}
        self._problem: LawError | None = None
        self._opener = Opener(
            folder, self.inspections, open_folder=open_folder, distrusted_since=distrusted_since
        )
        self._opening = threading.Lock()
        self._snapshots = OpenSnapshots(pinned)
        self._publications = Publications(folder)

    @property
    def current_id(self) -> str | None:
        """Id of the snapshot in service; None before the first one is open."""
        return self._snapshots.current_id

    @property
    def damaged(self) -> Mapping[str, str]:
        """The retained snapshots that are known to be damaged, each with the file that differs."""
        return self._damaged

    @property
    def problem(self) -> LawError | None:
        """The reason that the snapshot named by the pointer is not in service; None if it is."""
        return self._problem

    def opened(self) -> dict[str, float]:
        """Return the open snapshots, each with the time at which it was, in seconds since 1970."""
        return self._snapshots.opened()

    def watched(self) -> dict[str, float]:
        """Return the snapshots that are open or failed to open, each with the time of that event."""
        return {**self._opener.failed, **self.opened()}

    def retained(self) -> tuple[str, ...]:
        """Return the ids of the snapshots that a read may name, newest first."""
        current = self.current_id
        return tuple(
            snapshot
            for snapshot in reversed(list_snapshots(self.folder))
            if snapshot == current or (self._capacity and snapshot not in self._damaged)
        )

    def mended(self) -> list[str]:
        """Return the retained snapshots whose damaged file has been replaced."""
        return [
            snapshot
            for snapshot in list_snapshots(self.folder)
            if (damage := self.inspections.damage(snapshot)) and self.inspections.is_mended(snapshot, damage)
        ]

    def refresh(self) -> bool:
        """Release damaged snapshots, and follow the pointer: open the snapshot that it names, then swap.

        A damaged snapshot is replaced by the newest older one that is sound. Blocks while one
        opens. Returns whether the snapshot in service has changed. On an error the old one stays in
        service, unless it is damaged itself.

        Raises:
            NoSnapshotError: there is no pointer.
            SnapshotCorruptError: the snapshot that it names is damaged or cannot be opened.
        """
        with self._opening:
            before = self.current_id
            for snapshot in self.watched():
                self._let_go_if_damaged(snapshot)
            self._problem = None
            try:
                self._follow(current_snapshot_id(self.folder))
            except (NoSnapshotError, SnapshotCorruptError) as problem:
                self._problem = problem
                raise
            finally:
                self._damaged = {
                    snapshot: damage.file
                    for snapshot in self._known()
                    if (damage := self.inspections.damage(snapshot))
                }
                self._publications.refresh(self.retained())
            return self.current_id != before

    def condemn(self, snapshot: str, error: DamagedFileError) -> None:
        """Take a snapshot out of service, for all processes that share its folder.

        One that was removed as older ones are is no damage: it leaves.
        """
        if self._is_removed(snapshot):
            self._snapshots.let_go(snapshot)
            return
        inspection = self.inspections.note(snapshot, error)
        damage = inspection.damage
        if damage is not None:
            extra = {"snapshot": snapshot, "file": damage.file, "problem": damage.reason}
            _log.error("snapshot_damaged", extra=extra)
        self._snapshots.let_go(snapshot)
        self.condemned()

    def _follow(self, wanted: str) -> None:
        """Put the snapshot that the pointer names in service, or else the newest older one that opens.

        Raises:
            SnapshotCorruptError: the snapshot now in service is not the one named.
        """
        problem: SnapshotCorruptError | None = None
        for snapshot in self._candidates(wanted):
            try:
                if snapshot != self.current_id and not self._snapshots.promote(snapshot):
                    self._snapshots.put_in_service(self._open(snapshot))
                break
            except SnapshotCorruptError as error:
                problem = problem or error
        if problem is not None:
            raise problem

    def _candidates(self, wanted: str) -> list[str]:
        # What is newer than the pointer's was taken out of service by the operator.
        older = [one for one in list_snapshots(self.folder) if snapshot_order(one) < snapshot_order(wanted)]
        return [wanted, *reversed(older)]

    def _open(self, snapshot: str) -> Snapshot:
        """Open a snapshot.

        Raises:
            DamagedFileError: it is damaged, or was found damaged before.
            SnapshotCorruptError: it cannot be read here.
        """
        damage = self.inspections.damage(snapshot)
        if damage is not None:
            raise DamagedFileError(str(self.folder / snapshot / damage.file), damage.reason)
        try:
            return self._opener.open(snapshot)
        except DamagedFileError as error:
            self.condemn(snapshot, error)
            raise

    def _let_go_if_damaged(self, snapshot: str) -> None:
        """Release an open snapshot if a file's size changed or an inspection found it damaged."""
        if self.inspections.damage(snapshot) is not None:
            self._snapshots.let_go(snapshot)
            return
        held = self._snapshots.find(snapshot)
        try:
            if held is not None:
                require_sizes(held.folder, held.manifest)
        except DamagedFileError as error:
            # A file that is cut short kills whoever reads beyond its end: the next read must not happen.
            self.condemn(snapshot, error)
        except SnapshotCorruptError as error:
            _log.warning("snapshot_not_looked_at", extra={"snapshot": snapshot, "problem": error.message})

    def _is_removed(self, snapshot: str) -> bool:
        """Return whether the folder of a snapshot is gone and the pointer names another."""
        if (self.folder / snapshot).is_dir():
            return False
        try:
            return current_snapshot_id(self.folder) != snapshot
        except NoSnapshotError:
            return False

    def _known(self) -> list[str]:
        """Return the retained snapshots, and the one named by the pointer, which may be gone."""
        known = list_snapshots(self.folder)
        try:
            current = current_snapshot_id(self.folder)
        except NoSnapshotError:
            return known
        return known if current in known else [*known, current]

    def try_lease(self, wanted: str | date | None = None) -> Lease | None:
        """Lease the current snapshot, or the one wanted, if it is open; else return None. This reads no file.

        Args:
            wanted: an id, or a day: then the newest snapshot that was published by its end.

        Raises:
            NoSnapshotError: the current one was asked for and nothing is open yet.
            NoSnapshotByDateError: none that was published by the end of the day is retained.
        """
        snapshot = self._publications.newest_by(wanted) if isinstance(wanted, date) else wanted
        held = self._snapshots.take(snapshot)
        if held is None and snapshot is None:
            raise NoSnapshotError(self._absence())
        return None if held is None else Lease(self, held)

    def lease(self, wanted: str | date | None = None) -> Lease:
        """Lease the current snapshot or the one wanted; this blocks while an older one is opened.

        Raises:
            NoSnapshotError: the current one was asked for and nothing is open yet.
            NoSnapshotByDateError: none that was published by the end of the day is retained.
            SnapshotGoneError: the one named is not retained.
            SnapshotDamagedError: the one named is damaged.
            SnapshotCorruptError: the one named cannot be read here.
        """
        while True:
            lease = self.try_lease(wanted)
            if lease is not None:
                return lease
            if isinstance(wanted, date):
                self._pin_newest_by(wanted)
            elif wanted is not None:
                self._pin(wanted)

    def release(self, held: Held) -> None:
        """Give back a lease; the last one of a snapshot that has left closes it."""
        self._snapshots.give_back(held)

    def close(self) -> None:
        """Close every snapshot, each when its last lease is given back."""
        self._snapshots.close()

    def _pin_newest_by(self, day: date) -> None:
        snapshot = self._publications.newest_by(day)
        try:
            self._pin(snapshot)
        except (SnapshotGoneError, SnapshotDamagedError):
            # It went since the last refresh: then the newest that is left answers, as after the next one.
            self._publications.forget(snapshot)

    def _pin(self, snapshot: str) -> None:
        folder = self.folder / snapshot
        if not self._capacity or SNAPSHOT_ID.fullmatch(snapshot) is None:
            raise SnapshotGoneError(snapshot)
        with self._opening:
            if self._snapshots.find(snapshot) is not None:
                return
            if not (folder / MANIFEST).is_file():
                raise SnapshotGoneError(snapshot)
            try:
                self._snapshots.pin(self._open(snapshot))
            except DamagedFileError as error:
                raise SnapshotDamagedError(snapshot) from error

    def _absence(self) -> str:
        """Return the reason that there is no snapshot."""
        if not self._damaged:
            return "The server has no snapshot of the law open yet; try again in a moment."
        found = ", ".join(f"{snapshot} ({file})" for snapshot, file in self._damaged.items())
        return f"No sound snapshot of the law is left: damaged are {found}."
