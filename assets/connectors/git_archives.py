"""Connector `git-archive`: a repository's files at a commit, as its host packs them."""

import re
import tarfile
from collections.abc import Sequence
from pathlib import Path

from assets.connectors.download import download
from assets.connectors.errors import FetchError
from assets.connectors.folders import keep_only
from assets.connectors.release import Fetched, Release
from assets.connectors.session import Session
from assets.progress import Advance
from assets.registry import ConnectorEntry

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class GitArchive:
    """The newest commit of a branch."""

    def __init__(self, key: str, entry: ConnectorEntry, session: Session) -> None:
        self.listing = entry.addresses["newest"]
        self._archive = entry.addresses["archive"]
        self._key = key
        self._most = entry.megabytes * 1_000_000
        self._session = session

    def releases(self) -> Sequence[Release]:
        """Return the newest commit."""
        told = self._session.read_json(self.listing)
        commit = told.get("sha") if isinstance(told, dict) else None
        if not isinstance(commit, str) or _COMMIT.fullmatch(commit) is None:
            raise FetchError(f"{self.listing} names no commit.")
        return (Release(commit, _day(told), (self._archive.format(commit=commit),)),)

    def fetch(self, release: Release, folder: Path, advance: Advance) -> Fetched:
        """Bring the archive of the commit into the folder."""
        (address,) = release.addresses
        target = folder / f"{self._key}-{release.name}.tar.gz"
        done = download(self._session, address, target, most=self._most, advance=advance)
        packed = _commit_of(target)
        if packed is not None and packed != release.name:
            target.unlink()
            raise FetchError(f"{address} sends the files of commit {packed[:60]}; they are not kept.")
        keep_only(folder, [target.name])
        return Fetched(release, target, (done,))


def _day(told: dict[str, object]) -> str | None:
    """Return the date of a commit, in the form in which hosts tell it."""
    value: object = told
    for name in ("commit", "committer", "date"):
        value = value.get(name) if isinstance(value, dict) else None
    found = _DAY.match(value) if isinstance(value, str) else None
    return found.group() if found is not None else None


def _commit_of(archive: Path) -> str | None:
    """Return the commit that Git wrote into the head of an archive; None where there is none."""
    try:
        with tarfile.open(archive) as opened:
            return opened.pax_headers.get("comment")
    except tarfile.TarError as error:
        raise FetchError(f"{archive.name} is no archive ({error}).") from None
