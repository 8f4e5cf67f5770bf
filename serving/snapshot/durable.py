"""Put files and renames on the disk before the next step relies on them, and let every user read them."""

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


def make_folder(folder: Path) -> None:
    """Make a folder and those around it, where they are missing, so that every user can read them."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir()
        folder.chmod(0o755)


def make_readable(folder: Path) -> None:
    """Let every user read a folder: the one that serves it need not be the one that wrote it."""
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


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
