"""The file that a backup is: gzipped JSON lines, written at once or not at all, and read with every doubt.

The first line is the header, the last the SHA-256 of all lines before it; between them stands a line for
each row: the table's name, then the values in the order of the header's columns. Tables come in the order
of the header.
"""

import gzip
import hashlib
import json
import os
import secrets
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from serving.contract.errors import LawError

FORMAT = "law-accounts-backup"
VERSION = 1
LONGEST_LINE = 1 << 20
"""Bytes of a line: what is longer was not written by us, and must not fill the memory."""

Value = int | str | None
Row = tuple[str, Sequence[Value]]


class BackupError(LawError):
    """The backup cannot be made, or is not sound, or not for this store. The message names the place."""

    code = "backup_refused"


@dataclass(frozen=True, slots=True)
class TableShape:
    """What a backup holds of one table."""

    name: str
    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class Header:
    """What a backup holds.

    Attributes:
        revision: of the schema that the rows are of.
        created_at: microseconds since 1970 UTC.
        tables: a table comes after those that it refers to.
        imbalanced: accounts whose balance was not the sum of their entries when the backup was made.
    """

    revision: str
    created_at: int
    tables: tuple[TableShape, ...]
    imbalanced: tuple[int, ...] = ()

    @property
    def row_count(self) -> int:
        """Rows of all tables."""
        return sum(table.rows for table in self.tables)


def write(path: Path, header: Header, rows: Iterable[Row], *, force: bool = False) -> None:
    """Write a backup that only its owner can read; the name appears when all is on the disk.

    Raises:
        BackupError: the file exists and `force` is not set, the folder takes no file, or the rows are not
            those that the header promises.
    """
    if path.exists() and not force:
        raise BackupError(f"{path} exists already; --force replaces it.")
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                _write_lines(file, header, rows)
                file.flush()
                os.fsync(file.fileno())
            if force:
                unfinished.replace(path)
            else:
                # Unlike a rename a link never takes the place of a file that appeared meanwhile.
                path.hardlink_to(unfinished)
            _flush_folder(path.parent)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.") from error


def _write_lines(file: BinaryIO, header: Header, rows: Iterable[Row]) -> None:
    hashed, left = hashlib.sha256(), header.row_count
    with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0, compresslevel=6) as out:
        first = _line({"format": FORMAT, "version": VERSION, **asdict(header)})
        hashed.update(first)
        out.write(first)
        for name, values in rows:
            line = _line([name, *values])
            hashed.update(line)
            out.write(line)
            left -= 1
        if left:
            raise BackupError(f"The store gave {-left} rows more than it had counted.")
        out.write(_line({"sha256": hashed.hexdigest()}))


def _line(value: object) -> bytes:
    line = json.dumps(value, separators=(",", ":")).encode() + b"\n"
    if len(line) > LONGEST_LINE:
        raise BackupError(f"A row takes {len(line)} bytes; a backup takes rows of {LONGEST_LINE} at most.")
    return line


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class BackupReader:
    """Reads a backup line by line. What is not as it was written is refused with the number of its line."""

    def __init__(self, file: gzip.GzipFile, name: str) -> None:
        self._file = file
        self._name = name
        self._number = 0
        self._hashed = hashlib.sha256()
        self.header = self._header()

    def rows(self) -> Iterator[Row]:
        """Give the rows. Only once the last was given, and no error came, has the whole file been checked.

        Raises:
            BackupError: a line is missing, too much or altered.
        """
        for table in self.header.tables:
            for _ in range(table.rows):
                found = self._next(f"of table {table.name}")
                if (
                    not isinstance(found, list)
                    or found[:1] != [table.name]
                    or len(found) != 1 + len(table.columns)
                    or not all(_is_value(value) for value in found)
                ):
                    raise self._refusal(f"is not a row of table {table.name}")
                yield table.name, found[1:]
        digest = self._hashed.hexdigest()
        if self._next("with the checksum") != {"sha256": digest}:
            raise self._refusal("does not hold the checksum of the lines before it")
        if self._read():
            raise self._refusal("follows the checksum, which is the last")

    def _header(self) -> Header:
        found = self._next("with the header")
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise self._refusal("is not the header of a backup of accounts")
        if found.get("version") != VERSION:
            raise self._refusal(f"names a format other than version {VERSION}, which alone is known here")
        try:
            return _header_of(found)
        except (KeyError, TypeError, ValueError) as error:
            raise self._refusal("is not a whole header") from error

    def _next(self, what: str) -> Any:
        """Read the next line and count it into the checksum."""
        line = self._read()
        if not line.endswith(b"\n"):
            raise self._refusal(f"{what} is missing or cut off")
        self._hashed.update(line)
        try:
            return json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self._refusal(f"{what} is damaged") from error

    def _read(self) -> bytes:
        self._number += 1
        try:
            return self._file.readline(LONGEST_LINE)
        except EOFError as error:
            raise self._refusal("is cut off: the file ends too early") from error
        except (gzip.BadGzipFile, zlib.error) as error:
            raise self._refusal(f"cannot be unpacked: {error}") from error

    def _refusal(self, why: str) -> BackupError:
        return BackupError(f"{self._name}, line {self._number}: {why}.")


@contextmanager
def reading(path: Path) -> Iterator[BackupReader]:
    """Open a backup.

    Raises:
        BackupError: there is no such file, or it is none.
    """
    try:
        file = gzip.open(path, "rb")  # noqa: SIM115 (closed below; only the opening may find no file)
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    with file:
        yield BackupReader(file, path.name)


def _header_of(found: dict[str, Any]) -> Header:
    header = Header(
        revision=found["revision"],
        created_at=found["created_at"],
        tables=tuple(
            TableShape(table["name"], tuple(table["columns"]), table["rows"]) for table in found["tables"]
        ),
        imbalanced=tuple(found["imbalanced"]),
    )
    names = [header.revision, *(table.name for table in header.tables)]
    names += [column for table in header.tables for column in table.columns]
    counts = [header.created_at, *(table.rows for table in header.tables), *header.imbalanced]
    if not all(isinstance(name, str) for name in names):
        raise TypeError("a name is no text")
    if not all(type(count) is int and count >= 0 for count in counts):
        raise TypeError("a count is no number")
    return header


def _is_value(value: object) -> bool:
    return value is None or isinstance(value, str) or (type(value) is int and -(2**63) <= value < 2**63)
