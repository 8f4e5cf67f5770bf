"""Disks without space: a small file system, and files that may not grow."""

import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.serving.servers import Server

SPACE = 4 << 20


class NoDiskError(Exception):
    """No file system can be mounted here."""


@dataclass
class Disk:
    """A disk with the store on it.

    Attributes:
        cause: that a store without space names.
        fill: takes all space of a running server, and `free` gives it back.
    """

    folder: Path
    cause: str
    fill: Callable[[Server], None]
    free: Callable[[Server], None]


@contextmanager
def small_disk(folder: Path, *, space: int = SPACE) -> Iterator[Disk]:
    """A file system of a few megabytes, which only root may make.

    Raises:
        NoDiskError: it cannot be made.
    """
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={space}", "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode != 0:
        raise NoDiskError(made.stderr.decode())
    filler = folder / "filler"

    def fill(_server: Server) -> None:
        with filler.open("wb", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                try:
                    while file.write(b"\0" * size):
                        pass
                except OSError:
                    continue

    try:
        yield Disk(folder, "disk_full", fill, lambda _server: filler.unlink())
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def limited_files(folder: Path) -> Iterator[Disk]:
    """Files that may not grow beyond what they are: a limit that anybody may set for his processes."""
    folder.mkdir()

    def limit(server: Server, size: int) -> None:
        for pid in server.workers():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def fill(server: Server) -> None:
        log = folder / "accounts.sqlite-wal"
        # The log of the server is smaller, and goes on.
        assert server.log.stat().st_size < log.stat().st_size
        limit(server, log.stat().st_size)

    yield Disk(folder, "io_error", fill, lambda server: limit(server, resource.RLIM_INFINITY))
