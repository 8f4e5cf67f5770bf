"""Hashes of accepted tables, remembered while a process lives: a publication asks for them at each step."""

from functools import lru_cache
from pathlib import Path

from assets.versions import file_sha256

_MOST = 1_024


def table_sha256(path: Path) -> str:
    """Return the hex digest of a table's bytes.

    A table is never changed in its place, but replaced: while the file is the one that was hashed, by its
    number, size and times, its bytes are not read again.
    """
    facts = path.stat()
    return _hashed(path, (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns))


@lru_cache(maxsize=_MOST)
def _hashed(path: Path, _facts: tuple[int, ...]) -> str:
    return file_sha256(path)
