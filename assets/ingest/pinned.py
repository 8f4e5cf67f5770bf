"""Pinned sources: the folder with `files.parquet` and `source.json`, written once and read by readers."""

import hashlib
import json
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from assets.connectors.records import Downloaded
from assets.errors import SourceError
from assets.ingest.bounds import MIB
from assets.ingest.model import SourceFile, SourceFiles

_FILES = "files.parquet"
_SOURCE = "source.json"
_GROUP_BYTES = 4 * MIB
_GROUP_ROWS = 8_192
_CACHE_BYTES = 96 * MIB
_MOST_UNPACKED = 20
"""Bytes of a source to each byte given, beyond which it may not cost more; law packs 7 to 15 times."""

PINNED_FILES = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("retrieved_at", pa.string(), nullable=False),  # when these bytes were first retrieved
        pa.field("content", pa.large_binary(), nullable=False),
    ]
)
"""`files.parquet`: sorted by path."""


@dataclass(frozen=True, slots=True)
class PinnedSource:
    """Contents of `source.json`.

    Attributes:
        origin: name of the folder or archive, without where it lay.
        retrieved_at: RFC 3339 in UTC; when exactly these files were first retrieved.
        sha256: over the sorted paths and hashes of the files.
        files: how many.
        given: bytes of the archive that was given, or of all files of a folder.
        release: the publisher's release that was fetched, as the publisher names it; None: a path was given.
        release_date: ISO date of that release; None: the publisher does not say it.
        fetched: the files of that release, as they were downloaded: address, validators, SHA-256, time.
        archive: SHA-256 of the archive that was given; None: a folder was.
    """

    origin: str
    release_point: str | None
    retrieved_at: str
    license: str
    publisher: str
    source_url: str | None
    sha256: str
    files: int
    bytes: int
    given: int = 0
    release: str | None = None
    release_date: str | None = None
    fetched: tuple[Downloaded, ...] = ()
    archive: str | None = None

    @property
    def weight(self) -> int:
        """The bytes by which it is judged what reading may cost: a small archive is a small source."""
        return min(self.bytes, _MOST_UNPACKED * self.given) if self.given else self.bytes

    def save(self, folder: Path) -> None:
        """Write `source.json` into `folder`."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"
        (folder / _SOURCE).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "PinnedSource":
        """Read `source.json` of a pinned source.

        Raises:
            SourceError: it is missing or damaged.
        """
        path = folder / _SOURCE
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            return cls(**{**raw, "fetched": tuple(map(Downloaded.from_dict, raw.get("fetched", ())))})
        except FileNotFoundError:
            raise SourceError(f"{path} is missing: no source has been pinned there.") from None
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise SourceError(f"{path} is damaged ({error}); pin the source again.") from error


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a pinned source, without its content. `retrieved_at` is that of these very bytes."""

    path: str
    sha256: str
    bytes: int
    retrieved_at: str


class IndexedFiles(SourceFiles, Protocol):
    """The files of a code body with their index."""

    def entry(self, path: str) -> FileEntry | None:
        """Return the index entry of the file at `path`, or None where the source has none."""
        ...

    def __len__(self) -> int:
        """Return how many files there are."""
        ...


def write_pinned_files(folder: Path, files: Iterable[tuple[FileEntry, bytes]]) -> None:
    """Write `files.parquet` from files in the order of their paths, holding one row group at a time."""
    with pq.ParquetWriter(
        folder / _FILES,
        PINNED_FILES,
        compression="zstd",
        use_dictionary=["retrieved_at"],
        write_statistics=["path"],
    ) as writer:
        entries: list[FileEntry] = []
        contents: list[bytes] = []
        held = 0
        for entry, content in files:
            if entries and (held + entry.bytes > _GROUP_BYTES or len(entries) >= _GROUP_ROWS):
                writer.write_table(_group(entries, contents))
                entries, contents, held = [], [], 0
            entries.append(entry)
            contents.append(content)
            held += entry.bytes
        if entries:
            writer.write_table(_group(entries, contents))


def _group(entries: list[FileEntry], contents: list[bytes]) -> pa.Table:
    return pa.table(
        [
            [entry.path for entry in entries],
            [entry.sha256 for entry in entries],
            [entry.bytes for entry in entries],
            [entry.retrieved_at for entry in entries],
            pa.array(contents, pa.large_binary()),
        ],
        schema=PINNED_FILES,
    )


class PinnedFiles:
    """The files of a pinned source: its index in memory, contents by row group with a bounded cache.

    Every content is checked against its hash when it is handed out. One thread at a time.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / _FILES
        try:
            self._table = pq.ParquetFile(path, memory_map=True)
            index = self._table.read(["path", "sha256", "bytes", "retrieved_at"])
        except FileNotFoundError:
            raise SourceError(f"{path} is missing: no source has been pinned there.") from None
        except (pa.ArrowException, OSError) as error:
            raise SourceError(f"{path} is damaged ({error}); pin the source again.") from error
        self._name = str(path)
        self._entries = [FileEntry(*row.values()) for row in index.to_pylist()]
        self._rows = {entry.path: row for row, entry in enumerate(self._entries)}
        self._starts = [0]
        for group in range(self._table.num_row_groups):
            self._starts.append(self._starts[-1] + self._table.metadata.row_group(group).num_rows)
        self._cache: OrderedDict[int, pa.Array] = OrderedDict()

    def paths(self) -> list[str]:
        """Return the paths of all files, sorted."""
        return [entry.path for entry in self._entries]

    def entries(self) -> list[FileEntry]:
        """Return the index: all files without their contents, in the order of their paths."""
        return list(self._entries)

    def entry(self, path: str) -> FileEntry | None:
        """Return the index entry of the file at `path`, or None where the source has none."""
        row = self._rows.get(path)
        return None if row is None else self._entries[row]

    def get(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None where the source has none.

        Raises:
            SourceError: its bytes are not those that were pinned.
        """
        row = self._rows.get(path)
        return None if row is None else self._file(row)

    def __iter__(self) -> Iterator[SourceFile]:
        """Iterate over all files in the order of their paths; raises as `get` does."""
        return (self._file(row) for row in range(len(self._entries)))

    def __len__(self) -> int:
        return len(self._entries)

    def _file(self, row: int) -> SourceFile:
        group = bisect_right(self._starts, row) - 1
        content: bytes = self._contents(group)[row - self._starts[group]].as_py()
        entry = self._entries[row]
        if hashlib.sha256(content).hexdigest() != entry.sha256:
            raise SourceError(f"{self._name}: the bytes of {entry.path} have changed; pin the source again.")
        return SourceFile(entry.path, entry.sha256, content)

    def _contents(self, group: int) -> pa.Array:
        cached = self._cache.get(group)
        if cached is not None:
            self._cache.move_to_end(group)
            return cached
        try:
            column = self._table.read_row_group(group, columns=["content"], use_threads=False).column(0)
        except (pa.ArrowException, OSError) as error:
            raise SourceError(f"{self._name} is damaged ({error}); pin the source again.") from error
        contents = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
        self._cache[group] = contents
        while len(self._cache) > 1 and sum(array.nbytes for array in self._cache.values()) > _CACHE_BYTES:
            self._cache.popitem(last=False)
        return contents


def open_pinned(folder: Path) -> PinnedFiles:
    """Open the pinned files in `folder`.

    Raises:
        SourceError: they are missing or damaged.
    """
    return PinnedFiles(folder)


def files_sha256(entries: Iterable[FileEntry]) -> str:
    """Return the hash of a source: over the paths and hashes of its files, which must come sorted by path."""
    digest = hashlib.sha256()
    for entry in entries:
        digest.update(f"{entry.path}\0{entry.sha256}\n".encode())
    return digest.hexdigest()


def verify_pinned(folder: Path) -> PinnedSource:
    """Read every byte of a pinned source and return its description.

    Raises:
        SourceError: a file, or the source as a whole, is not what `source.json` says.
    """
    source = PinnedSource.load(folder)
    files = open_pinned(folder)
    for _ in files:
        pass  # each is checked against its hash as it is read
    if files_sha256(files.entries()) != source.sha256 or len(files) != source.files:
        raise SourceError(f"{folder}: {_FILES} and {_SOURCE} do not belong together; pin the source again.")
    return source
