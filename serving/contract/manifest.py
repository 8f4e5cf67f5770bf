"""The manifest of a snapshot: its sources, its contents, and the hash of every file."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from serving.contract.errors import DamagedFileError, SnapshotCorruptError
from serving.contract.layout import MANIFEST, SNAPSHOT_FORMAT
from serving.contract.records import Jurisdiction

_SEAL, _UNSEALED = "seal", "0" * 64
"""Field for the hash of the manifest itself, and the placeholder in its place while that hash is computed."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of the snapshot: `rows` is None where it is no table; `rooted`: part of the root hash."""

    path: str
    bytes: int
    sha256: str
    rows: int | None
    rooted: bool


@dataclass(frozen=True, slots=True)
class CodeBodyEntry:
    """One code body of the snapshot.

    Attributes:
        id: UUID string, derived from `key`.
        current_through: what the source says of its own currency; None where it says nothing.
        complete: every file of the source was read and nothing is known to be missing.
        source_sha256: over the sorted list of the source's files and their hashes.
        whole_titles: numbers of the titles of which all is held though not of the code, as citations name
            them; empty in earlier builds.
        titles: numbers of all titles that a code has which is not all held, where they are known; empty in
            earlier builds.
    """

    id: str
    key: str
    name: str
    jurisdiction: str
    level: str
    current_through: str | None
    release_point: str | None
    node_count: int
    chunk_count: int
    complete: bool
    source_url: str | None
    license: str
    source_sha256: str
    whole_titles: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EncoderEntry:
    """The sentence encoder that made the vectors and that queries are encoded with."""

    name: str
    sha256: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """Contents of `manifest.json`. Two builds of the same tables agree in `root_sha256`.

    Attributes:
        nodes_root: root of the tree over all nodes, in which two builds of the same sources agree, whenever
            these were retrieved; None in earlier builds, which have no tree.
    """

    format: int
    id: str
    created: str
    revision: str
    root_sha256: str
    encoder: EncoderEntry
    jurisdictions: tuple[Jurisdiction, ...]
    code_bodies: tuple[CodeBodyEntry, ...]
    counts: dict[str, int]
    files: tuple[FileEntry, ...]
    nodes_root: str | None = None

    def to_json(self) -> bytes:
        """Return the manifest as the bytes of its file, sealed with their own hash."""
        unsealed = (
            json.dumps({**asdict(self), _SEAL: _UNSEALED}, indent=1, ensure_ascii=False).encode() + b"\n"
        )
        head, _, tail = unsealed.rpartition(_UNSEALED.encode())
        return head + hashlib.sha256(unsealed).hexdigest().encode() + tail

    @classmethod
    def load(cls, folder: Path) -> "Manifest":
        """Read the manifest of the snapshot in `folder`.

        Raises:
            DamagedFileError: it is missing or unreadable, or is not what was published.
            SnapshotCorruptError: it is of a format that this code does not read.
        """
        path = folder / MANIFEST
        try:
            content = path.read_bytes()
            raw: dict[str, Any] = json.loads(content)
        except (FileNotFoundError, NotADirectoryError):
            raise DamagedFileError(str(path), "is missing") from None
        except ValueError as error:
            raise DamagedFileError(str(path), f"is not JSON: {error}") from error
        if not isinstance(raw, dict) or raw.get("format") != SNAPSHOT_FORMAT:
            found = raw.get("format") if isinstance(raw, dict) else None
            raise SnapshotCorruptError(str(path), f"has format {found}; this server reads {SNAPSHOT_FORMAT}")
        if not _is_whole(content, raw):
            raise DamagedFileError(str(path), "is not the file that was published: its hash differs")
        try:
            return cls(
                format=raw["format"],
                id=raw["id"],
                created=raw["created"],
                revision=raw["revision"],
                root_sha256=raw["root_sha256"],
                encoder=EncoderEntry(**raw["encoder"]),
                jurisdictions=tuple(Jurisdiction(**entry) for entry in raw["jurisdictions"]),
                code_bodies=tuple(map(_code_body, raw["code_bodies"])),
                counts=raw["counts"],
                files=tuple(FileEntry(**entry) for entry in raw["files"]),
                nodes_root=raw.get("nodes_root"),
            )
        except (KeyError, TypeError) as error:
            raise DamagedFileError(str(path), f"lacks or misnames a field: {error}") from error


def _code_body(raw: Mapping[str, Any]) -> CodeBodyEntry:
    titles = {name: tuple(raw.get(name, ())) for name in ("whole_titles", "titles")}
    return CodeBodyEntry(**{**raw, **titles})


def _is_whole(content: bytes, raw: dict[str, Any]) -> bool:
    """Return whether a manifest matches the hash in its seal; one older than seals has none and passes."""
    unknown = set(raw) - {one.name for one in fields(Manifest)}
    if unknown != {_SEAL}:
        return not unknown
    seal = f'"{raw[_SEAL]}"'.encode()
    head, found, tail = content.rpartition(seal)
    digest = hashlib.sha256(head + f'"{_UNSEALED}"'.encode() + tail).hexdigest()
    return bool(found) and digest == raw[_SEAL]


def root_sha256(files: Iterable[FileEntry]) -> str:
    """Return the hash over the rooted files: tables, text and ready answers, not indexes and vectors."""
    digest = hashlib.sha256()
    for entry in sorted(files, key=lambda entry: entry.path):
        if entry.rooted:
            digest.update(f"{entry.path}\0{entry.sha256}\n".encode())
    return digest.hexdigest()
