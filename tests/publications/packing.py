"""Pack what the sources of an archive publish into one file, which is there whole or not at all."""

import io
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tests.publications.archives import Archive
from tests.publications.repositories import find_commits, read_objects
from tests.publications.sites import read_site


def pack(archive: Archive, target: Path) -> Iterator[str]:
    """Write an archive into `target`, and yield what was taken from where.

    Raises:
        PublicationError: a source does not answer, or holds something else.
    """
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        packed = Path(folder) / "packed"
        with tarfile.open(packed, "w:xz") as file:
            for number, repository in enumerate(archive.repository):
                history, whole = Path(folder) / f"history-{number}", Path(folder) / f"whole-{number}"
                history.mkdir()
                whole.mkdir()
                commits = find_commits(repository, history)
                _add(file, repository.folder, read_objects(repository, commits, whole))
                for path, commit in commits.items():
                    yield f"{path} of {repository.address} at {commit}"
            if archive.site:
                _add(file, archive.site.folder, read_site(archive.site))
                yield f"{len(archive.site.files)} files of {archive.site.address}"
        packed.rename(target)


def _add(file: tarfile.TarFile, folder: str, contents: Iterator[tuple[str, bytes]]) -> None:
    for path, content in contents:
        member = tarfile.TarInfo(str(PurePosixPath(folder) / path))
        member.size = len(content)
        file.addfile(member, io.BytesIO(content))
