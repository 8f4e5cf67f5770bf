"""Prepared pages as a server looks for them: the file of each open snapshot, opened when a page is asked for.

A file that is missing is looked for again, so that it serves as soon as it was prepared; one that is damaged
is left alone, and its pages are made, until another takes its place.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from weakref import WeakKeyDictionary

from serving.contract.manifest import Manifest
from serving.pages.prepared.file import DamagedPagesError, Edition, PageFile
from serving.snapshot.store import Snapshot

LOOK_SECONDS = 5.0
"""Pause before a file that was not there, or was damaged, is looked for again."""

_log = logging.getLogger(__name__)
_Identity = tuple[int, int, int]


@dataclass(slots=True)
class _Place:
    """The file of one snapshot's pages: its path, and itself once it is open."""

    path: Path
    edition: Edition
    file: PageFile | None = None
    look_at: float = 0.0
    opened: _Identity | None = None
    refused: _Identity | None = None


class PageShelf:
    """The prepared pages of the snapshots that are open. It belongs to one thread, that of the event loop.

    Args:
        folder: holds the files.
        edition_of: returns the edition of a snapshot's pages.
        clock: returns seconds that never go back.
    """

    def __init__(
        self,
        folder: Path,
        edition_of: Callable[[Manifest], Edition],
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._folder = folder
        self._edition_of = edition_of
        self._clock = clock
        self._places: WeakKeyDictionary[Snapshot, _Place] = WeakKeyDictionary()

    def page(self, snapshot: Snapshot, row: int, encoding: str) -> bytes | None:
        """Return the page of a provision in gzip, zstd or plain; None where it is not prepared."""
        place = self._places.get(snapshot)
        if place is None:
            edition = self._edition_of(snapshot.manifest)
            place = self._places[snapshot] = _Place(self._folder / edition.file_name, edition)
        if place.file is None:
            self._look(place)
        if place.file is None:
            return None
        try:
            return place.file.page(row, encoding)
        except DamagedPagesError as error:
            _refuse(place, error)
            return None

    def _look(self, place: _Place) -> None:
        now = self._clock()
        if now < place.look_at:
            return
        place.look_at = now + LOOK_SECONDS
        try:
            status = place.path.stat()
            place.opened = (status.st_ino, status.st_mtime_ns, status.st_size)
            if place.opened != place.refused:
                place.file = PageFile(place.path, place.edition)
        except FileNotFoundError:
            return
        except (DamagedPagesError, OSError) as error:
            _refuse(place, error)


def _refuse(place: _Place, error: Exception) -> None:
    """Use a file no more, and say so once."""
    if place.opened != place.refused:
        _log.error("prepared_pages_not_used", extra={"file": str(place.path), "problem": str(error)})
    place.file, place.refused = None, place.opened
