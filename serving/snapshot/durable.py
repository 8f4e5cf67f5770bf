"""Put files and renames on the disk before the next step relies on them."""

import os
from pathlib import Path


def sync_file(path: Path) -> None:
    """Wait until a file's bytes, or a folder's entries, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Wait until a folder and all in it are on the disk."""
    for path in folder.rglob("*"):
        sync_file(path)
    sync_file(folder)


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file so that a reader, and a crash, see the old content or the new, never less."""
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.chmod(0o644)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    sync_file(path.parent)
