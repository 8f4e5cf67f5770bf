"""Fixtures for readers: source files held in memory."""

import hashlib
from collections.abc import Callable, Iterator

import pytest

from assets.ingest.model import SourceFile, SourceFiles


class MemoryFiles:
    """Source files given as bytes by path."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        self._files = {
            path: SourceFile(path, hashlib.sha256(content).hexdigest(), content)
            for path, content in sorted(contents.items())
        }

    def paths(self) -> list[str]:
        """Return all paths, sorted."""
        return list(self._files)

    def get(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None."""
        return self._files.get(path)

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self._files.values())


@pytest.fixture
def source_files() -> Callable[[dict[str, bytes]], SourceFiles]:
    """Make source files from bytes by path."""
    return MemoryFiles
