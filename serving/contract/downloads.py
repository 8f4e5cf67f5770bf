"""Files of a code body that anybody may download: their tables, formats and names in a snapshot."""

from dataclasses import dataclass
from itertools import product
from pathlib import PurePosixPath

from serving.contract.layout import DOWNLOADS

PROVISIONS, REFERENCES, CHANGES = "provisions", "references", "changes"
TABLES = (PROVISIONS, REFERENCES, CHANGES)
DATA_PACKAGE = "datapackage.json"
"""The data dictionary of a code body's files: a Data Package, which tells of each file what it holds."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format in which each table is published; `suffix` ends the names of its files."""

    name: str
    suffix: str
    media_type: str


PARQUET = Format("parquet", "parquet", "application/vnd.apache.parquet")
JSONL = Format("jsonl", "jsonl.gz", "application/gzip")
FORMATS = (PARQUET, JSONL)

_OF_NAME = {f"{table}.{form.suffix}": (table, form) for table, form in product(TABLES, FORMATS)}


def file_name(table: str, form: Format) -> str:
    """Return the name of a table's file."""
    return f"{table}.{form.suffix}"


def table_of(name: str) -> tuple[str, Format] | None:
    """Return the table and the format of a file by its name; None for the data dictionary."""
    return _OF_NAME.get(name)


def path_in_snapshot(code_body: str, name: str) -> str:
    """Return the path of a code body's file, as the manifest lists it; `code_body` is its key."""
    return f"{DOWNLOADS}/{code_body}/{name}"


def is_download(path: str) -> bool:
    """Return whether a file of a snapshot is one that anybody may download."""
    return PurePosixPath(path).parts[0] == DOWNLOADS


def depends_on_predecessor(path: str) -> bool:
    """Return whether a file tells of changes, which depend on what was in service before."""
    name = PurePosixPath(path).name
    return is_download(path) and (name == DATA_PACKAGE or name.startswith(f"{CHANGES}."))
