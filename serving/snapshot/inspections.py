"""Inspections of snapshots: times at which bytes were last compared with their hashes, and damage found.

Each result is written into a file beside the snapshot, so that all processes share it. If that folder cannot
be written, each process keeps its own results.
"""

import json
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from serving.contract.errors import DamagedFileError
from serving.contract.layout import MANIFEST, inspection_file

Stamp = tuple[int, int, int]
"""Inode, size and time of last change of a file, in nanoseconds since 1970; zeros if there is no file."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A file that is not as it was published.

    Attributes:
        file: its path in the snapshot.
        reason: the fault, worded as the end of a sentence.
        stamp: stamp of the file when the fault was found.
    """

    file: str
    reason: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Inspection:
    """One comparison of a snapshot's bytes with their hashes.

    Attributes:
        snapshot: id of the snapshot.
        at: time at which it ended, in seconds since 1970.
        manifest: stamp of the manifest; the result says nothing of a snapshot with another one.
        damage: the first damage found; None: all bytes are as they were published.
    """

    snapshot: str
    at: float
    manifest: Stamp
    damage: Damage | None

    @property
    def ended(self) -> str:
        """Time at which it ended, in RFC 3339 and UTC."""
        return datetime.fromtimestamp(self.at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class Inspections:
    """The last inspection of each snapshot in a folder. Every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: dict[str, Inspection] = {}

    @property
    def are_shared(self) -> bool:
        """True if other processes learn the results of this one."""
        return os.access(self._folder, os.W_OK)

    def find(self, snapshot: str) -> Inspection | None:
        """Return the last inspection of a snapshot in its present state; None if there was none."""
        found = _read(self._folder / inspection_file(snapshot))
        own = self._own.get(snapshot)
        if found is None or (own is not None and own.at > found.at):
            found = own
        current = stamp_of(self._folder / snapshot / MANIFEST)
        return found if found is not None and found.manifest == current else None

    def damage(self, snapshot: str) -> Damage | None:
        """Return the damage that the last inspection of a snapshot found, or None."""
        found = self.find(snapshot)
        return None if found is None else found.damage

    def note(self, snapshot: str, error: DamagedFileError | None = None) -> Inspection:
        """Record the result of an inspection that ends now: a damaged file, or none."""
        folder = self._folder / snapshot
        damage = None
        if error is not None:
            path = Path(error.path)
            file = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name
            damage = Damage(file, error.reason, stamp_of(path))
        made = Inspection(snapshot, time.time(), stamp_of(folder / MANIFEST), damage)
        self._own[snapshot] = made
        path = self._folder / inspection_file(snapshot)
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        # Nothing may be written there, or the disk is full: it is known here at least.
        with suppress(OSError):
            try:
                beside.write_text(json.dumps(asdict(made)), encoding="utf-8")
                beside.replace(path)
            except OSError:
                beside.unlink(missing_ok=True)
        return made

    def is_mended(self, snapshot: str, damage: Damage) -> bool:
        """Return whether the damaged file has been replaced, so that another inspection is worthwhile."""
        return stamp_of(self._folder / snapshot / damage.file) != damage.stamp


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file; zeros if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_ino, found.st_size, found.st_mtime_ns)


def _read(path: Path) -> Inspection | None:
    """Return the inspection in a file; None if there is none or its content is not ours."""
    try:
        raw: dict[str, Any] = json.loads(path.read_bytes())
        damage = raw["damage"]
        return Inspection(
            str(raw["snapshot"]),
            float(raw["at"]),
            _stamp(raw["manifest"]),
            None if damage is None else Damage(damage["file"], damage["reason"], _stamp(damage["stamp"])),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _stamp(raw: list[int]) -> Stamp:
    inode, size, changed = raw
    return (int(inode), int(size), int(changed))
