"""Bounds on an untrusted archive or folder: its size, and the names that are accepted."""

import re
from dataclasses import dataclass

from assets.errors import SourceError

MIB = 1024 * 1024

_NOT_PLAIN = re.compile(r"[\x00-\x1f\ud800-\udfff]")  # surrogates stand for bytes that are not UTF-8


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one source, sizes in bytes.

    Attributes:
        members: everything that is listed, folders and skipped files too.
        ratio: unpacked bytes per packed byte; law in XML lies between 5 and 30.
        ratio_free_bytes: what may be unpacked before the ratio counts.
    """

    member_bytes: int = 512 * MIB
    total_bytes: int = 8 * 1024 * MIB
    members: int = 2_000_000
    ratio: int = 200
    ratio_free_bytes: int = 16 * MIB


class Admission:
    """Counts what a source yields and refuses what goes beyond the limits."""

    def __init__(self, origin: str, limits: Limits) -> None:
        self._origin = origin
        self._limits = limits
        self._members = 0
        self._bytes = 0

    def count(self) -> None:
        """Count one member, wanted or not.

        Raises:
            SourceError: there are too many.
        """
        self._members += 1
        if self._members > self._limits.members:
            raise SourceError(
                f"{self._origin} holds more than {self._limits.members:,} files and folders; "
                "give the folder or archive of one code body."
            )

    def admit(self, path: str, size: int) -> None:
        """Accept a file of `size` bytes before it is read.

        Raises:
            SourceError: it, or all files together, are too large.
        """
        if not 0 <= size <= self._limits.member_bytes:
            raise SourceError(
                f"{self._origin}: {path} says it has {size:,} bytes; "
                f"at most {self._limits.member_bytes:,} are read from one file."
            )
        self._bytes += size
        if self._bytes > self._limits.total_bytes:
            raise SourceError(
                f"{self._origin} unpacks to more than {self._limits.total_bytes:,} bytes; "
                "give the folder or archive of one code body."
            )


def safe_path(origin: str, name: str) -> str:
    """Return a member's name as a relative path with forward slashes; "" for the root itself.

    Raises:
        SourceError: it leads out of the source, or is no plain path.
    """
    shown = ascii(name[:200])
    if len(name) > 1024 or _NOT_PLAIN.search(name):
        raise SourceError(f"{origin}: the name {shown} is too long or not plain UTF-8 text; rename the file.")
    if "\\" in name:
        raise SourceError(f"{origin}: the name {shown} holds a backslash; pack it with forward slashes.")
    parts = [part for part in name.split("/") if part not in {"", "."}]
    if name.startswith("/") or ".." in parts:
        raise SourceError(f"{origin}: the name {shown} leads out of the source; it is refused as a whole.")
    return "/".join(parts)


def is_hidden(path: str) -> bool:
    """Tell whether a path is what systems leave behind, not a publisher: `.git/...`, `__MACOSX/...`."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))
