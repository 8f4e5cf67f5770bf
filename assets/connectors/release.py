"""Releases of a publication, and the files of one that were fetched: the seam of all connectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from assets.connectors.records import Downloaded, Validators
from assets.progress import Advance

UNNAMED = "as it is now"
"""Name of a release that nothing tells from the next one."""


@dataclass(frozen=True, slots=True)
class Release:
    """One state of a publication.

    Attributes:
        name: as the publisher names it: a release point, a commit, a date; else its validators.
        date: ISO date; None where the publisher does not say it.
        addresses: of its files, in the order in which they are fetched.
        validators: of the files, where they were told with the release; empty: they were not.
        bytes: of all files; None where the publisher does not say it.
    """

    name: str
    date: str | None
    addresses: tuple[str, ...]
    validators: tuple[Validators, ...] = ()
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A release on this machine.

    Attributes:
        path: the file or folder to read.
        files: its files, as they were downloaded.
    """

    release: Release
    path: Path
    files: tuple[Downloaded, ...]


class Connector(Protocol):
    """Knows one publication at its publisher."""

    @property
    def listing(self) -> str:
        """The address that is asked for releases."""
        ...

    def releases(self) -> Sequence[Release]:
        """Return what releases there are, the newest first; at least one.

        Raises:
            FetchError: the publisher does not tell.
        """
        ...

    def fetch(self, release: Release, folder: Path, advance: Advance) -> Fetched:
        """Bring the files of a release into a folder that is there; other releases in it are removed.

        Raises:
            FetchError: they cannot be had whole. What came of them is kept for the next time.
        """
        ...
