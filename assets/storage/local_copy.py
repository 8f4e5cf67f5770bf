"""Files of a part on this machine, and the note of what they were when they were taken or stored last."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from assets.storage.errors import StorageError
from assets.storage.workspace_parts import Part
from assets.versions import file_sha256
from serving.snapshot.durable import replace_file

_NOTES = ".store"
"""Folder of the notes, in the root of a workspace."""

_STORE = "store.json"


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file as it was seen: while length and time of change are those, so is its hash."""

    sha256: str
    bytes: int
    changed_ns: int


@dataclass(slots=True)
class Taken:
    """A note of what was taken of a part.

    Attributes:
        version: identity of the version; "": none. Files that differ from the note were made here since.
        files: that were taken, by their paths.
    """

    version: str = ""
    files: dict[str, LocalFile] = field(default_factory=dict)


class LocalCopy:
    """A part as it is on this machine."""

    def __init__(self, part: Part) -> None:
        self._root = part.root
        self._part = part
        self.notes = part.root / _NOTES / part.name
        """Folder of the note, which is locked while files are taken or stored."""

    def load(self) -> Taken:
        """Return the note; that of nothing where there is none, or none that can be read."""
        try:
            fields = json.loads((self.notes / "taken.json").read_bytes())
            files = {path: LocalFile(**entry) for path, entry in fields["files"].items()}
            return Taken(str(fields["version"]), files)
        except (OSError, ValueError, KeyError, TypeError):
            return Taken()

    def save(self, taken: Taken) -> None:
        """Write the note."""
        replace_file(self.notes / "taken.json", json.dumps(asdict(taken)).encode())

    def path(self, name: str) -> Path:
        """Return where a file of the part lies."""
        return self._root / name

    def scan(self, taken: Taken) -> dict[str, LocalFile]:
        """Return the files that are there, by their paths; those are read that differ from the note."""
        found = {}
        for place in self._part.places:
            top = self._root / place
            for path in [top] if top.is_file() else sorted(top.rglob("*")):
                name = path.relative_to(self._root).as_posix()
                if self._part.holds(name) and path.is_file():
                    found[name] = self._seen(path, taken.files.get(name))
        return found

    def is_as(self, name: str, seen: LocalFile) -> bool:
        """Return whether a file has the length and the time of change still with which it was seen."""
        stat = self.path(name).stat()
        return (stat.st_size, stat.st_mtime_ns) == (seen.bytes, seen.changed_ns)

    def place(self, arrived: Path, name: str, sha256: str) -> LocalFile:
        """Put a file that arrived into its place, where a reader sees the old one or this one."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.new")
        beside.unlink(missing_ok=True)
        os.link(arrived, beside)
        beside.replace(path)
        stat = path.stat()
        return LocalFile(sha256, stat.st_size, stat.st_mtime_ns)

    def remove(self, name: str) -> None:
        """Remove a file, and the folders that are empty then."""
        path = self.path(name)
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == self._root or any(folder.iterdir()):
                return
            folder.rmdir()

    @contextmanager
    def arrivals(self) -> Iterator[Path]:
        """Yield an empty folder, beside the places of the part, for files that are on their way."""
        folder = self.notes / "arriving"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def _seen(path: Path, before: LocalFile | None) -> LocalFile:
        stat = path.stat()
        if before is not None and (before.bytes, before.changed_ns) == (stat.st_size, stat.st_mtime_ns):
            return before
        return LocalFile(file_sha256(path), stat.st_size, stat.st_mtime_ns)


def require_store(root: Path, identity: str, url: str) -> None:
    """Note whose copy the files of a workspace are.

    Raises:
        StorageError: they are the copy of another store.
    """
    note = root / _NOTES / _STORE
    note.parent.mkdir(parents=True, exist_ok=True)
    try:
        known = json.loads(note.read_bytes())
    except (OSError, ValueError):
        replace_file(note, json.dumps({"id": identity, "url": url}).encode())
        return
    if known["id"] != identity:
        raise StorageError(
            f"{root} holds what was taken from {known['url']}, as it was then, and {url} is another store: "
            "name another folder in LAW_WORKSPACE_CACHE or LAW_SNAPSHOTS_CACHE, or empty this one."
        )
