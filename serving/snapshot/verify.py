"""Comparison of a snapshot's files with its manifest: sizes and hashes, at once or little by little."""

import hashlib
import threading
import time
from pathlib import Path

from serving.contract.errors import DamagedFileError, SnapshotCorruptError
from serving.contract.layout import MANIFEST, NODES, TREE
from serving.contract.manifest import FileEntry, Manifest, root_sha256
from serving.snapshot.tree import altered_nodes, open_tree

_BLOCK = 1 << 18
_NAMED_NODES = 5


class StoppedError(Exception):
    """The process is about to end, and the work under way is abandoned."""


class Pace:
    """Limits the rate of reading, so that a snapshot can be verified on a server in use.

    Args:
        bytes_per_second: most bytes to read in a second, on average.
        stop: ends the reading when it is set.
    """

    def __init__(self, bytes_per_second: int, stop: threading.Event) -> None:
        self._rate = bytes_per_second
        self._stop = stop
        self._begun = time.monotonic()
        self._read = 0

    def keep(self, size: int) -> None:
        """Wait as long as reading that many bytes should take at the rate.

        Raises:
            StoppedError: reading is to end.
        """
        self._read += size
        ahead = self._begun + self._read / self._rate - time.monotonic()
        if self._stop.wait(max(ahead, 0.0)):
            raise StoppedError


def verify_files(folder: Path, manifest: Manifest) -> list[str]:
    """Return the faults of the files in `folder`, one sentence for each; empty if there are none.

    Every file that the manifest lists must be there with its size and hash, and no other file may be. Where
    answers differ, the tree over them tells which.
    """
    problems: list[str] = []
    differing: set[str] = set()
    if root_sha256(manifest.files) != manifest.root_sha256:
        problems.append(f"{MANIFEST}: its root hash is not that of the files it lists")
    for entry in manifest.files:
        try:
            require_size(folder, entry)
            require_hash(folder, entry)
        except SnapshotCorruptError as error:
            problems.append(f"{entry.path}: {error.reason}")
            differing.add(entry.path)
    if TREE not in differing:
        problems += _tree_problems(folder, manifest, name_nodes=NODES in differing)
    listed = {entry.path for entry in manifest.files} | {MANIFEST}
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    problems += [f"{name}: is not in the manifest" for name in sorted(present - listed)]
    return problems


def _tree_problems(folder: Path, manifest: Manifest, *, name_nodes: bool) -> list[str]:
    try:
        tree = open_tree(folder, manifest)
        if tree is None or not name_nodes:
            return []
        named = [f"{NODES}: the answer of node {node} differs" for node in altered_nodes(folder, tree)]
    except SnapshotCorruptError as error:
        return [f"{Path(error.path).name}: {error.reason}"]
    more = len(named) - _NAMED_NODES
    return named[:_NAMED_NODES] + ([f"{NODES}: and those of {more:,} more"] if more > 0 else [])


def require_whole(folder: Path, pace: Pace | None = None) -> int:
    """Check every byte of a snapshot; return the number of its files.

    Raises:
        DamagedFileError: a file is not as it was published.
        SnapshotCorruptError: a file cannot be read, or the format is not one that this code reads.
        StoppedError: `pace` was stopped.
    """
    manifest = Manifest.load(folder)
    require_sizes(folder, manifest)
    for entry in manifest.files:
        require_hash(folder, entry, pace)
    return len(manifest.files)


def require_sizes(folder: Path, manifest: Manifest) -> None:
    """Check that every file is there with its size, its manifest too.

    Raises:
        DamagedFileError: one is not.
        SnapshotCorruptError: one cannot be looked at.
    """
    if not (folder / MANIFEST).is_file():
        raise DamagedFileError(str(folder / MANIFEST), "is missing")
    for entry in manifest.files:
        require_size(folder, entry)


def require_size(folder: Path, entry: FileEntry) -> None:
    """Check that a file is there with its size.

    Raises:
        DamagedFileError: it is not.
        SnapshotCorruptError: it cannot be looked at.
    """
    path = folder / entry.path
    try:
        found = path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        raise DamagedFileError(str(path), "is missing") from None
    except OSError as error:
        raise SnapshotCorruptError(str(path), f"cannot be read: {error.strerror}") from error
    if found != entry.bytes:
        raise DamagedFileError(str(path), f"has {found} bytes instead of {entry.bytes}")


def require_hash(folder: Path, entry: FileEntry, pace: Pace | None = None) -> None:
    """Check that the bytes of a file are those that were published.

    They are read as mapped tables are, from the system's memory if they are cached there, so that the bytes
    compared are the bytes served.

    Raises:
        DamagedFileError: they are not.
        SnapshotCorruptError: the file cannot be read.
        StoppedError: `pace` was stopped.
    """
    path = folder / entry.path
    digest = hashlib.sha256()
    try:
        with path.open("rb", buffering=0) as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                if pace is not None:
                    pace.keep(len(block))
    except (FileNotFoundError, NotADirectoryError):
        raise DamagedFileError(str(path), "is missing") from None
    except OSError as error:
        raise SnapshotCorruptError(str(path), f"cannot be read: {error.strerror}") from error
    _require(path, entry, digest.hexdigest())


def read_whole(folder: Path, entry: FileEntry) -> bytes:
    """Return the bytes of a file, compared with its hash.

    Raises:
        DamagedFileError: they are not those that were published.
    """
    path = folder / entry.path
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise DamagedFileError(str(path), "is missing") from None
    _require(path, entry, hashlib.sha256(content).hexdigest())
    return content


def _require(path: Path, entry: FileEntry, sha256: str) -> None:
    if sha256 != entry.sha256:
        raise DamagedFileError(str(path), "is not the file that was published: its hash differs")
