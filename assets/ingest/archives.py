"""Open a source by its form: a folder or one of the archive formats that publishers use."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assets.errors import SourceError
from assets.ingest.bounds import Limits
from assets.ingest.folder_members import folder_members, list_folder
from assets.ingest.tar_members import tar_members
from assets.ingest.zip_members import zip_members

_ARCHIVES: dict[str, Callable[[Path, Limits], Iterator[tuple[str, bytes]]]] = {
    ".tar.xz": tar_members,
    ".tar.gz": tar_members,
    ".tgz": tar_members,
    ".tar": tar_members,
    ".zip": zip_members,
}


@dataclass(frozen=True, slots=True)
class OpenedSource:
    """The files of a source, to be read once.

    Attributes:
        members: (path, content), in the source's own order; a path may occur twice.
        total: how many there are; None where only reading tells.
    """

    members: Iterator[tuple[str, bytes]]
    total: int | None


def open_source(origin: Path, limits: Limits) -> OpenedSource:
    """Open a folder or archive; its members are judged while they are read.

    Raises:
        SourceError: it does not exist, is of another form, or cannot be listed.
    """
    forms = f"Give a folder or an archive ({', '.join(_ARCHIVES)})."
    if origin.is_dir():
        paths = list_folder(origin, limits)
        return OpenedSource(folder_members(origin, paths, limits), total=len(paths))
    if not origin.is_file():
        raise SourceError(f"{origin} does not exist. {forms}")
    for suffix, members in _ARCHIVES.items():
        if origin.name.lower().endswith(suffix):
            return OpenedSource(members(origin, limits), total=None)
    raise SourceError(f"{origin} is neither a folder nor an archive that is known. {forms}")


def require_source(origin: Path) -> None:
    """Raise an error for what is no source by its look, before anything of it is read.

    Raises:
        SourceError: it is neither a folder that holds files nor an archive.
    """
    opened = open_source(origin, Limits())
    if opened.total == 0:
        raise SourceError(f"{origin} holds no files that could be read; is it the right folder?")


def name_without_form(origin: Path) -> str:
    """Return the name of a folder or archive without the suffix of its form."""
    name = origin.resolve().name
    for suffix in _ARCHIVES:
        if origin.is_file() and name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name
