"""Files of a code body that anybody may download: their tables, formats, names and addresses."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from serving.contract.layout import DOWNLOADS, STATIC

ADDRESS = "/api/v1/downloads"
PROVISIONS, REFERENCES, CHANGES = "provisions", "references", "changes"
TABLES = (PROVISIONS, REFERENCES, CHANGES)
DATA_PACKAGE = "datapackage.json"
"""The data dictionary of a code body's files: a Data Package, which says of each file what it holds."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format in which each table is published; `suffix` ends the names of its files."""

    name: str
    suffix: str
    media_type: str


PARQUET = Format("parquet", "parquet", "application/vnd.apache.parquet")
JSONL = Format("jsonl", "jsonl.gz", "application/gzip")
FORMATS = (PARQUET, JSONL)

MEDIA_TYPES = {f".{form.suffix}": form.media_type for form in FORMATS} | {".json": "application/json"}
"""Media types by how a file's name ends."""


def file_name(table: str, form: Format) -> str:
    """Return the name of a table's file."""
    return f"{table}.{form.suffix}"


def media_type_of(name: str) -> str:
    """Return the media type of a file by its name."""
    return next(kind for suffix, kind in MEDIA_TYPES.items() if name.endswith(suffix))


def path_in_snapshot(code_body: str, name: str) -> str:
    """Return the path of a code body's file, as the manifest lists it; `code_body` is its key."""
    return f"{DOWNLOADS}/{code_body}/{name}"


def address_of(snapshot: str, code_body: str, name: str) -> str:
    """Return the address of a file, below that of the service."""
    return f"{ADDRESS}/{snapshot}/{code_body}/{name}"


def is_download(path: str) -> bool:
    """Return whether a file of a snapshot is one that anybody may download."""
    return PurePosixPath(path).parts[0] == DOWNLOADS


def depends_on_predecessor(path: str) -> bool:
    """Return whether a file tells of changes or lists those that do: they depend on what was in service."""
    if path.startswith(f"{STATIC}/{DOWNLOADS}.json"):
        return True
    name = PurePosixPath(path).name
    return is_download(path) and (name == DATA_PACKAGE or name.startswith(f"{CHANGES}."))
