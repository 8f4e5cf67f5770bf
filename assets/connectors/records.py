"""Records of downloaded files, kept beside them: from where, which version, since when."""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Validators:
    """Signs by which a publisher tells one version of a file from the next; None: it gives none."""

    etag: str | None = None
    last_modified: str | None = None

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> "Validators":
        """Return those of an answer."""
        return cls(headers.get("ETag"), headers.get("Last-Modified"))

    @property
    def exact(self) -> str | None:
        """The one by which a part of a file may be continued: bytes under it are the same for certain."""
        if self.etag is not None and not self.etag.startswith("W/"):
            return self.etag
        return self.last_modified if self.etag is None else None

    def conditions(self) -> dict[str, str]:
        """Return the headers that ask for a file only if it changed."""
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class SignedRole:
    """Metadata of a role, and who signed it.

    Attributes:
        expires: RFC 3339 in UTC.
        keys: ids of the keys whose signatures were found good, as many as the role asks for or more.
    """

    name: str
    version: int
    expires: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signed:
    """The signed metadata by which a file is known to be the publisher's.

    Attributes:
        repository: address of the repository that holds them.
        commit: of that repository.
        root: SHA-256 of the root that the registry names.
        roles: from the root on, those that lead to the file.
    """

    repository: str
    commit: str
    root: str
    roles: tuple[SignedRole, ...]

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> "Signed":
        """Return what a record says.

        Raises:
            TypeError: a field is unknown or missing.
            KeyError: it names no roles or keys.
        """
        roles = tuple(SignedRole(**{**role, "keys": tuple(role["keys"])}) for role in raw["roles"])
        return cls(**{**raw, "roles": roles})

    def described(self, instant: str) -> str:
        """Return by which keys, and which roles had expired at an instant, RFC 3339 in UTC."""
        by = "; ".join(f"{role.name} {role.version}: {', '.join(role.keys)}" for role in self.roles)
        expired = [role.name for role in self.roles if role.expires <= instant]
        late = f"; taken though expired: {', '.join(expired)}" if expired else ""
        return f"{self.repository} at {self.commit}: {by}{late}"


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A whole file, as its record beside it describes it.

    Attributes:
        retrieved_at: RFC 3339 in UTC: when these bytes were first retrieved.
        signed: by whom, where its publisher signs and the registry asks for it.
    """

    address: str
    validators: Validators
    sha256: str
    bytes: int
    retrieved_at: str
    signed: Signed | None = None

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> "Downloaded":
        """Return what a record says.

        Raises:
            TypeError: a field is unknown or missing.
            KeyError: it names no validators.
        """
        signed = None if raw.get("signed") is None else Signed.from_dict(raw["signed"])
        return cls(**{**raw, "validators": Validators(**raw["validators"]), "signed": signed})


def record_of(target: Path) -> Path:
    """Return the path of a file's record."""
    return target.with_name(f".{target.name}.json")


def known_file(target: Path, address: str) -> Downloaded | None:
    """Return the record of a file of this address, if the file is there and still the one of the record."""
    raw = load(record_of(target))
    try:
        known = Downloaded.from_dict(raw)
        is_same = known.address == address and sha256_of(target) == known.sha256
    except (TypeError, KeyError, OSError):
        return None
    return known if is_same else None


def load(path: Path) -> dict[str, Any]:
    """Return a record; an empty one where there is none that can be read."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def replace_with(path: Path, content: bytes | dict[str, Any]) -> None:
    """Write a file that several processes may write at once: a reader sees one of them, whole.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    written = content if isinstance(content, bytes) else json.dumps(content, indent=1).encode() + b"\n"
    descriptor, begun = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(written)
        Path(begun).replace(path)
    except OSError:
        Path(begun).unlink(missing_ok=True)
        raise


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
