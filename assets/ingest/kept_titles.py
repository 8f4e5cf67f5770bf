"""Readings of titles that are kept from the build before: of a title whose files did not change.

What such a title reads as depends on its files, on the code and on the entry of its code body, and on nothing
else but what its format names. Where other files have a say, such as newer editions, everything is read.
"""

import pickle
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from assets.ingest.model import SourceFiles
from assets.versions import digest_of

_Read = TypeVar("_Read")

_SUFFIX = ".title"


@runtime_checkable
class KeepsTitles(Protocol):
    """Files whose readings are kept."""

    def kept(
        self,
        paths: Sequence[str],
        read: Callable[[], object],
        *,
        given: Sequence[object],
        keeps: Callable[[Any], bool],
    ) -> object:
        """Return what `read` gives of these files, or gave of the same bytes before. See `read_once`."""
        ...


def read_once(
    files: SourceFiles,
    paths: Sequence[str],
    read: Callable[[], _Read],
    *,
    given: Sequence[object] = (),
    keeps: Callable[[_Read], bool] = lambda _: True,
) -> _Read:
    """Return what `read` gives, or gave before.

    Args:
        files: of the source.
        paths: of all files that the reading depends on, where it is kept.
        read: reads them.
        given: what else it depends on beside the code body, by how it is written.
        keeps: returns whether a reading depends on nothing else, which may show only once it is done.
    """
    if not isinstance(files, KeepsTitles):
        return read()
    return cast(_Read, files.kept(paths, read, given=given, keeps=keeps))


class KeptTitles:
    """A folder with a file for each title, by the version of what it was read from."""

    def __init__(self, folder: Path, rules: str) -> None:
        """Take the folder, which is made if it is not there, and the version of the rules of reading."""
        self._folder = folder
        self._rules = rules
        self._used: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)

    def kept(
        self,
        files: Sequence[tuple[str, str]],
        read: Callable[[], object],
        *,
        given: Sequence[object] = (),
        keeps: Callable[[Any], bool] = lambda _: True,
    ) -> object:
        """Return what `read` gives of files, by path and SHA-256, or what it gave before."""
        name = digest_of(self._rules, *given, *files) + _SUFFIX
        self._used.add(name)
        path = self._folder / name
        try:
            return pickle.loads(zlib.decompress(path.read_bytes()))  # noqa: S301 - of our own workspace
        except (OSError, zlib.error, pickle.UnpicklingError, EOFError):
            found = read()
        if not keeps(found):
            return found
        begun = path.with_suffix(".new")
        begun.write_bytes(zlib.compress(pickle.dumps(found, protocol=5), 1))
        begun.rename(path)
        return found

    def forget_unused(self) -> None:
        """Remove what was not asked for: titles as they were before."""
        for path in self._folder.iterdir():
            if path.name not in self._used:
                path.unlink()
