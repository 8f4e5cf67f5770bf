"""Connector `taf`: the commit of a repository that its publisher signed in an authentication repository."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from assets.connectors.authentication import METADATA, TARGETS, AuthenticationRepository, Official, official
from assets.connectors.errors import FetchError
from assets.connectors.folders import keep_only
from assets.connectors.git_commits import NEWEST, GitCommits, files_of
from assets.connectors.records import (
    Downloaded,
    Signed,
    Validators,
    known_file,
    record_of,
    replace_with,
    sha256_of,
)
from assets.connectors.release import Fetched, Release
from assets.connectors.session import Session
from assets.progress import Advance
from assets.registry import ConnectorEntry
from assets.workspace import replacing

_MOST_SIGNED = 256_000_000
"""Bytes that an authentication repository may have: some thousand times what Open Law's have."""


class SignedRepository:
    """The newest commit that was signed, which may be older than the newest of the branch."""

    def __init__(self, key: str, entry: ConnectorEntry, session: Session) -> None:
        if entry.signed_by is None:
            raise ValueError("an entry of this kind says by whom it is signed")
        self.listing = entry.addresses["authentication"]
        self._repository = entry.addresses["repository"]
        self._by = entry.signed_by
        self._key = key
        self._most = entry.megabytes * 1_000_000
        self._session = session
        self._given: AuthenticationRepository | None = None

    def releases(self) -> Sequence[Release]:
        """Return the newest signed commit, verified from the root in the registry on."""
        self._given = self._newest()
        with TemporaryDirectory() as folder:
            found = official(self._given, self._by, Path(folder), now=datetime.now(UTC))
        return (Release(found.commit, found.day, (self._repository, self.listing)),)

    def fetch(self, release: Release, folder: Path, advance: Advance) -> Fetched:
        """Bring the files of the commit into the folder; metadata older than those accepted are refused."""
        found = self._accept(self._given or self._newest(), folder)
        if found.commit != release.name:
            raise FetchError(f"{self.listing} has signed commit {found.commit} instead of {release.name}.")
        target = folder / f"{self._key}-{release.name}.tar.gz"
        done = known_file(target, self._repository)
        if done is None or done.signed is None:
            done = self._download(release.name, target, found.signed, advance)
        keep_only(folder, [target.name])
        return Fetched(release, target, (done,))

    def _newest(self) -> AuthenticationRepository:
        with TemporaryDirectory() as folder:
            archive = Path(folder) / "authentication.tar.gz"
            with GitCommits(Path(folder) / "git", self._session) as commits:
                commit = commits.fetch(
                    self.listing, NEWEST, most=_MOST_SIGNED, advance=lambda _done, _total: None
                )
                commits.pack(commit, archive, top="signed")
            files = files_of(archive, (METADATA, TARGETS), most=_MOST_SIGNED)
        return AuthenticationRepository(self.listing, commit, files)

    def _accept(self, given: AuthenticationRepository, folder: Path) -> Official:
        """Verify what is given against what was accepted before, and remember it, both or neither."""
        # By its root: whoever pins another one begins anew.
        accepted = folder / f".accepted-{self._by.root[:16]}"
        with replacing(accepted) as staging:
            if accepted.is_dir():
                shutil.copytree(accepted, staging, symlinks=True, dirs_exist_ok=True)
            return official(given, self._by, staging, now=datetime.now(UTC))

    def _download(self, commit: str, target: Path, signed: Signed, advance: Advance) -> Downloaded:
        folder = target.with_name(f".{self._key}.git")
        with GitCommits(folder, self._session) as commits:
            commits.fetch(self._repository, commit, most=self._most, advance=advance)
            packed = folder / target.name
            commits.pack(commit, packed, top=target.name.removesuffix(".tar.gz"))
            with packed.open("rb") as written:
                os.fsync(written.fileno())
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            size = packed.stat().st_size
            done = Downloaded(self._repository, Validators(), sha256_of(packed), size, now, signed)
            # Killed between any two of these, the file is the old or the new one, perhaps without a record.
            record_of(target).unlink(missing_ok=True)
            packed.replace(target)
        replace_with(record_of(target), asdict(done))
        return done
