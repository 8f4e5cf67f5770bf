"""Members of a folder on disk. Links are refused, not followed: they could lead anywhere."""

import os
from collections import deque
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO

from assets.errors import SourceError
from assets.ingest.bounds import Admission, Limits, is_hidden, safe_path

_AHEAD = 64
"""Files that are opened before they are read."""


def list_folder(origin: Path, limits: Limits) -> list[str]:
    """Return the paths of the files below `origin`, relative to it, sorted.

    Raises:
        SourceError: it holds links or special files, goes beyond the limits or cannot be listed.
    """
    admission = Admission(origin.name, limits)
    paths: list[str] = []
    folders = [""]
    while folders:
        prefix = folders.pop()
        try:
            with os.scandir(origin / prefix) as entries:
                found = [_examined(entry, prefix, origin.name, admission) for entry in entries]
        except OSError as error:
            raise SourceError(f"{origin.name}/{prefix} cannot be listed: {error.strerror}.") from error
        folders += [path + "/" for path, is_folder in found if path and is_folder]
        paths += [path for path, is_folder in found if path and not is_folder]
    return sorted(paths)


def _examined(entry: os.DirEntry[str], prefix: str, origin: str, admission: Admission) -> tuple[str, bool]:
    """Return (path, is a folder); the path is "" where the entry is skipped."""
    admission.count()
    if is_hidden(entry.name):
        return "", False
    path = safe_path(origin, prefix + entry.name)
    if entry.is_dir(follow_symlinks=False):
        return path, True
    if not entry.is_file(follow_symlinks=False):
        raise SourceError(
            f"{origin}: {path} is a link, a device or another special file, which are not followed; "
            "put the file itself there."
        )
    admission.admit(path, entry.stat(follow_symlinks=False).st_size)
    return path, False


def folder_members(origin: Path, paths: list[str], limits: Limits) -> Generator[tuple[str, bytes]]:
    """Yield (path, content) of the listed files.

    Raises:
        SourceError: a file cannot be read, became a link since it was listed, or grew beyond the limits.
    """
    ahead = _opened_ahead(origin, paths)
    try:
        for path, opened in zip(paths, ahead, strict=True):
            with opened as file:
                try:
                    content = _content(file, limits.member_bytes)
                except OSError as error:
                    raise _unreadable(origin, path, error) from error
            if len(content) > limits.member_bytes:
                raise SourceError(
                    f"{origin.name}/{path} grew beyond {limits.member_bytes:,} bytes while it was read."
                )
            yield path, content
    finally:
        ahead.close()


def _opened_ahead(origin: Path, paths: list[str]) -> Generator[BinaryIO]:
    """Yield the files, opened, while the system reads those that follow: one by one, disks are slow."""
    waiting: deque[BinaryIO] = deque()
    try:
        for path in paths:
            try:
                descriptor = os.open(f"{origin}/{path}", os.O_RDONLY | os.O_NOFOLLOW)
            except OSError as error:
                raise _unreadable(origin, path, error) from error
            waiting.append(os.fdopen(descriptor, "rb"))
            _ask_for(descriptor)
            if len(waiting) > _AHEAD:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:
        for file in waiting:
            file.close()


def _ask_for(descriptor: int) -> None:
    """Have the system read a file into memory, where it can be told so."""
    if hasattr(os, "posix_fadvise"):
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_WILLNEED)


def _unreadable(origin: Path, path: str, error: OSError) -> SourceError:
    return SourceError(f"{origin.name}/{path} cannot be read: {error.strerror}.")


def _content(file: BinaryIO, most: int) -> bytes:
    """Return the bytes of a file, and one more than `most` where it has more.

    It is asked for as many as it says it has: room for `most` takes longer to lay out than to fill.
    """
    size = os.fstat(file.fileno()).st_size
    content = file.read(min(size, most) + 1)
    return content if len(content) <= size else content + file.read(most + 1 - len(content))
