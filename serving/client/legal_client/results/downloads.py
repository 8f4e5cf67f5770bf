"""Records of the files that the service offers for download."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class DataPackage:
    """The data dictionary of a code body's files; `path` is below the address of the service."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Download:
    """A file of a code body.

    Attributes:
        table: `provisions`, `references` or `changes`.
        format: `parquet` or `jsonl`.
        path: below the address of the service.
    """

    table: str
    format: str
    path: str
    media_type: str
    bytes: int
    sha256: str
    rows: int


@dataclass(frozen=True, slots=True)
class CodeBodyDownloads:
    """The files of a code body, and what has to be said of it where they are passed on."""

    id: str
    key: str
    name: str
    jurisdiction: str
    current_through: str | None
    current_through_date: str | None
    complete: bool
    publisher: str
    source_url: str | None
    license: str
    data_package: DataPackage
    files: tuple[Download, ...]


@dataclass(frozen=True, slots=True)
class Downloads:
    """The files of a snapshot."""

    snapshot: str
    created_at: str
    code_bodies: tuple[CodeBodyDownloads, ...]
    meta: Meta
