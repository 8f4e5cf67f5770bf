"""Verify what an authentication repository of TAF signs: which commit of another repository is official.

TAF (The Archive Framework) keeps metadata of TUF in a git repository: `metadata/` has the roles, and
`targets/NAMESPACE/REPOSITORY` names a commit of that repository. Signatures, thresholds, successors of roots,
delegations, versions and hashes are checked by python-tuf; here is what TAF adds.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tuf.api.exceptions import (
    BadVersionNumberError,
    DownloadError,
    DownloadHTTPError,
    DownloadLengthMismatchError,
    ExpiredMetadataError,
    LengthOrHashMismatchError,
    RepositoryError,
    UnsignedMetadataError,
)
from tuf.api.metadata import Metadata, Root, Targets
from tuf.api.metadata import Signed as TufSigned
from tuf.ngclient import FetcherInterface, Updater

from assets.connectors.errors import SignatureRefusedError
from assets.connectors.git_commits import COMMIT
from assets.connectors.records import Signed, SignedRole
from assets.registry import SignedBy

METADATA, TARGETS = "metadata/", "targets/"

_LIST = "repositories.json"
_ROOTS = "root_history"
_HERE = "taf:/"
_NOT_FOUND = 404
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ROOT_FILE = re.compile(r"metadata/(?:\d{1,9}\.)?root\.json")
_WHY: Mapping[type[Exception], str] = {
    ExpiredMetadataError: (
        "has expired metadata: its publisher has to sign anew. Who has made sure that it leaves them expired "
        "gives `expired_days` in `signed_by`"
    ),
    BadVersionNumberError: "gives metadata of another version than was accepted before, or than is signed",
    UnsignedMetadataError: (
        "gives metadata that too few of the keys signed to which the root in the registry leads"
    ),
    LengthOrHashMismatchError: "gives a file that is not the one that was signed",
    DownloadLengthMismatchError: "gives a file that is not the one that was signed",
    DownloadHTTPError: "lacks a file",
}
_REFUSED = "Nothing is taken from it; ask its publisher."


@dataclass(frozen=True, slots=True)
class AuthenticationRepository:
    """The files of one commit of an authentication repository, none of them verified yet.

    Attributes:
        address: of the repository.
        commit: name of the commit.
        files: content by path, of those in `metadata/` and `targets/`.
    """

    address: str
    commit: str
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Official:
    """A commit that the publisher signed as its newest.

    Attributes:
        commit: its name.
        day: ISO date on which it was built, which Open Law's publishers sign with it; None: it is not said.
        signed: the metadata that say so.
    """

    commit: str
    day: str | None
    signed: Signed


def official(given: AuthenticationRepository, by: SignedBy, accepted: Path, *, now: datetime) -> Official:
    """Return the newest commit of the repository `by.target`, once all that leads to it is verified.

    Args:
        given: the newest commit of the authentication repository.
        by: the root that is trusted, and the name of the repository.
        accepted: folder of the metadata that were accepted before, which are replaced by those given; empty
            for the first time. After an error it is of no use.
        now: the present instant.

    Raises:
        SignatureRefusedError: something is missing, expired, older than what was accepted, or not signed.
    """
    with _told(given):
        updater = Updater(
            str(accepted),
            _HERE + METADATA,
            fetcher=_Committed(given.files),
            bootstrap=_pinned(given, by, accepted),
        )
        # The library compares with the present instant alone, and offers no setting for another.
        updater._trusted_set.reference_time = now - timedelta(days=by.expired_days)
        updater.refresh()
        listed = _signed_json(given, updater, _LIST).get("repositories")
        if not isinstance(listed, dict) or by.target not in listed:
            raise _refused(given, f"{TARGETS}{_LIST} does not list {by.target}")
        told = _signed_json(given, updater, by.target)
        _require_committed(given, accepted)
        roles = tuple(_roles(given, accepted))
    commit, day = told.get("commit"), told.get("build-date")
    if not isinstance(commit, str) or COMMIT.fullmatch(commit) is None:
        raise _refused(given, f"{TARGETS}{by.target} names no commit")
    is_day = isinstance(day, str) and _DAY.fullmatch(day) is not None
    return Official(commit, day if is_day else None, Signed(given.address, given.commit, by.root, roles))


class _Committed(FetcherInterface):
    """Gives the library the files of a commit."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def _fetch(self, url: str) -> Iterator[bytes]:
        path = unquote(url.removeprefix(_HERE))
        if path not in self._files:
            raise DownloadHTTPError(f"{path} is missing", _NOT_FOUND)
        return iter([self._files[path]])


def _pinned(given: AuthenticationRepository, by: SignedBy, accepted: Path) -> bytes:
    """Return the root that the registry names, from the repository or from what was accepted before."""
    roots = [content for path, content in given.files.items() if _ROOT_FILE.fullmatch(path)]
    roots += [path.read_bytes() for path in sorted((accepted / _ROOTS).glob("*.json"))]
    for content in roots:
        if hashlib.sha256(content).hexdigest() == by.root:
            return content
    raise _refused(given, f"no root in {METADATA} has the SHA-256 {by.root}, which the registry names")


def _signed_json(given: AuthenticationRepository, updater: Updater, name: str) -> dict[str, Any]:
    """Return the content of a target, whose bytes are those that were signed."""
    path, info = TARGETS + name, updater.get_targetinfo(name)
    if info is None:
        raise _refused(given, f"{path} is signed by nobody who may sign it")
    if path not in given.files:
        raise _refused(given, f"{path} is missing, though it is signed")
    try:
        info.verify_length_and_hashes(given.files[path])
    except LengthOrHashMismatchError as error:
        raise _refused(given, f"{path} is not the file that was signed ({error})") from error
    try:
        value = json.loads(given.files[path])
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise _refused(given, f"{path} is no object in JSON")
    return value


def _require_committed(given: AuthenticationRepository, accepted: Path) -> None:
    """Check that what counts is what lies in the commit.

    The library keeps metadata that it has where the version given is the same, and does not look further.

    Raises:
        SignatureRefusedError: a version that was accepted came back with other content, or a file is gone.
    """
    newest = (accepted / "root.json").read_bytes()
    if given.files.get(f"{METADATA}root.json") != newest:
        last = f"root {_read(newest).version}, the last of those that sign each other"
        raise _refused(given, f"{METADATA}root.json is not {last}")
    for path in (accepted / _ROOTS).glob("*.root.json"):
        if given.files.get(METADATA + path.name, path.read_bytes()) != path.read_bytes():
            raise _refused(given, f"{METADATA}{path.name} was accepted with other content")
    for path in accepted.glob("*.json"):
        name, held = METADATA + unquote(path.name), path.read_bytes()
        came = given.files.get(name)
        if came is None:
            raise _refused(given, f"{name} is missing, though it was accepted before")
        # A role that no longer leads to the target is not looked at, and may have a newer version.
        if came != held and _read(came).version <= _read(held).version:
            raise _refused(given, f"{name} was accepted in version {_read(held).version} with other content")


def _roles(given: AuthenticationRepository, accepted: Path) -> Iterator[SignedRole]:
    """Yield the roles that were verified, the root first, and the keys that signed each."""
    read: dict[str, Metadata[Any]] = {}
    for path in accepted.glob("*.json"):
        if given.files.get(METADATA + unquote(path.name)) == path.read_bytes():
            read[unquote(path.stem)] = Metadata.from_bytes(path.read_bytes())
    delegators = [one.signed for one in read.values() if isinstance(one.signed, Root | Targets)]
    for name in sorted(read, key=lambda role: (role != Root.type, role)):
        keys: set[str] = set()
        for delegator in delegators:
            try:
                result = delegator.get_verification_result(
                    name, read[name].signed_bytes, read[name].signatures
                )
            except ValueError:  # it delegates nothing to this role
                continue
            keys |= set(result.signed) if result.verified else set()
        signed = read[name].signed
        yield SignedRole(name, signed.version, f"{signed.expires:%Y-%m-%dT%H:%M:%SZ}", tuple(sorted(keys)))


def _read(content: bytes) -> TufSigned:
    signed: TufSigned = Metadata.from_bytes(content).signed
    return signed


def _refused(given: AuthenticationRepository, why: str) -> SignatureRefusedError:
    return SignatureRefusedError(f"{given.address} at commit {given.commit}: {why}. {_REFUSED}")


@contextmanager
def _told(given: AuthenticationRepository) -> Iterator[None]:
    """Say in words of ours what the library finds."""
    try:
        yield
    except (RepositoryError, DownloadError) as error:
        why = next((why for kind, why in _WHY.items() if isinstance(error, kind)), "cannot be read")
        raise SignatureRefusedError(
            f"{given.address} at commit {given.commit} {why} ({error}). {_REFUSED}"
        ) from error
