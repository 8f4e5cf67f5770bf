"""Take files out of a public Git repository: find the commit that has them, fetch it, read the stored bytes."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.publications.archives import Repository
from tests.publications.errors import PublicationError


def find_commits(repository: Repository, folder: Path) -> dict[str, str]:
    """Return the newest commit that has each object at its path.

    The history is fetched without the files' bytes into `folder`.

    Raises:
        PublicationError: the repository does not answer, or no commit has an object.
    """
    _git(folder, "clone", "--quiet", "--bare", "--filter=blob:none", repository.address, ".")
    return {path: _commit_with(folder, path, wanted) for path, wanted in repository.objects.items()}


def read_objects(
    repository: Repository, commits: dict[str, str], folder: Path
) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of every file of the objects, from their commits, which are fetched whole into `folder`."""
    _git(folder, "init", "--quiet", "--bare", ".")
    for commit in sorted(set(commits.values())):
        _git(folder, "fetch", "--quiet", "--depth=1", "--no-tags", repository.address, commit)
    for path, wanted in repository.objects.items():
        if _git(folder, "cat-file", "-t", wanted).strip() == b"blob":
            yield path, _git(folder, "cat-file", "blob", wanted)
            continue
        files = _files(_git(folder, "ls-tree", "-r", "-z", wanted))
        for (name, _), content in zip(files, _contents(folder, [blob for _, blob in files]), strict=True):
            yield f"{path}/{name}", content


def _commit_with(folder: Path, path: str, wanted: str) -> str:
    commits = _git(folder, "rev-list", "--all", "--", path).decode().split()
    found = _git(
        folder, "cat-file", "--batch-check", given="".join(f"{commit}:{path}\n" for commit in commits)
    )
    for commit, line in zip(commits, found.decode().splitlines(), strict=True):
        if line.split()[0] == wanted:
            return commit
    raise PublicationError(
        f"none of {len(commits)} commits has {path} as the tests were written from ({wanted})"
    )


def _files(listing: bytes) -> list[tuple[str, str]]:
    """Return path and id of each file of a folder, from `ls-tree -z`; links and submodules are none."""
    rows = (row.partition("\t") for row in listing.decode().split("\0") if row)
    return [(path, entry.split()[2]) for entry, _, path in rows if entry.startswith("100")]


def _contents(folder: Path, blobs: list[str]) -> Iterator[bytes]:
    """Yield what `cat-file --batch` prints of each blob: a line with its size, its bytes, a line feed."""
    packed = memoryview(_git(folder, "cat-file", "--batch", given="".join(f"{blob}\n" for blob in blobs)))
    begin = 0
    for _ in blobs:
        line = bytes(packed[begin : begin + 80]).partition(b"\n")[0]
        begin += len(line) + 1
        end = begin + int(line.split()[2])
        yield bytes(packed[begin:end])
        begin = end + 1


def _git(folder: Path, *arguments: str, given: str | None = None) -> bytes:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        input=None if given is None else given.encode(),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise PublicationError(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout
