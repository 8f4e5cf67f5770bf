"""One hostile file: how it is made, and what it is given as."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LARGEST = 2_000_000
"""Bytes that a file of the corpus may have."""


@dataclass(frozen=True)
class Case:
    """A file that somebody might give to a build.

    Attributes:
        name: of the case, unique.
        given_as: `map`, or the key of the code body whose source it is said to be.
        make: writes it into an empty folder and returns its path; the same bytes each time.
    """

    name: str
    given_as: str
    make: Callable[[Path], Path]


def of_bytes(name: str, given_as: str, file: str, content: Callable[[], bytes]) -> Case:
    """Return a case of one file with these bytes."""

    def make(folder: Path) -> Path:
        path = folder / file
        path.write_bytes(content())
        return path

    return Case(name, given_as, make)
