"""The publication dates of the retained snapshots: which of them was the newest at the end of a day."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from serving.contract.errors import NoSnapshotByDateError, NoSnapshotError, SnapshotCorruptError
from serving.contract.manifest import Manifest
from serving.snapshot.pointer import snapshot_order

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Publication:
    snapshot: str
    at: datetime

    @property
    def order(self) -> tuple[datetime, tuple[str, int]]:
        return self.at, snapshot_order(self.snapshot)


class Publications:
    """The retained snapshots in the order in which they were published, kept in memory.

    The order is that of the times in their manifests, whatever the pointer names: a rollback changes what is
    in service, not what had been published by a day. A snapshot whose manifest cannot be read is passed over.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest_first: tuple[_Publication, ...] = ()
        self._unread: frozenset[str] = frozenset()

    def refresh(self, retained: Sequence[str]) -> None:
        """Take up the snapshots that are retained now; only the manifests of new ones are read."""
        known = {one.snapshot: one for one in self._newest_first}
        found = [known.get(snapshot) or self._read(snapshot) for snapshot in retained]
        publications = [one for one in found if one is not None]
        self._newest_first = tuple(sorted(publications, key=lambda one: one.order, reverse=True))
        self._unread = frozenset(retained).difference(one.snapshot for one in publications)

    def newest_by(self, day: date) -> str:
        """Return the id of the newest snapshot that was published by the end of a day, in UTC.

        Raises:
            NoSnapshotByDateError: none of that day or an earlier one is retained.
            NoSnapshotError: none is known yet.
        """
        publications = self._newest_first
        for one in publications:
            if one.at.date() <= day:
                return one.snapshot
        if not publications:
            raise NoSnapshotError("The server knows no snapshot of the law yet; try again in a moment.")
        oldest = publications[-1]
        raise NoSnapshotByDateError(day, oldest=oldest.snapshot, oldest_date=oldest.at.date())

    def forget(self, snapshot: str) -> None:
        """Leave out a snapshot that could not be opened, until the next refresh."""
        self._newest_first = tuple(one for one in self._newest_first if one.snapshot != snapshot)

    def _read(self, snapshot: str) -> _Publication | None:
        try:
            created = datetime.fromisoformat(Manifest.load(self._folder / snapshot).created)
        except (SnapshotCorruptError, OSError, ValueError) as error:
            if snapshot not in self._unread:
                _log.warning("snapshot_without_date", extra={"snapshot": snapshot, "problem": str(error)})
            return None
        # What names no offset was written in UTC, as all times of the service are.
        return _Publication(snapshot, created.replace(tzinfo=created.tzinfo or UTC).astimezone(UTC))
