"""Pinned files: read in small pieces, at random, and never with changed bytes."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from assets.errors import SourceError
from assets.ingest.bounds import MIB
from assets.ingest.pinned import (
    FileEntry,
    PinnedSource,
    files_sha256,
    open_pinned,
    verify_pinned,
    write_pinned_files,
)

CONTENTS = {f"{number:03}.xml": bytes([number]) * (MIB + number) for number in range(40)}


def entry(path: str, content: bytes) -> FileEntry:
    return FileEntry(path, hashlib.sha256(content).hexdigest(), len(content), "2026-01-01T00:00:00Z")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def files() -> Iterator[tuple[FileEntry, bytes]]:
        for path, content in CONTENTS.items():
            yield entry(path, content), content

    write_pinned_files(tmp_path, files())
    entries = [entry(path, content) for path, content in CONTENTS.items()]
    size = sum(file.bytes for file in entries)
    PinnedSource(
        "law", None, "2026-01-01T00:00:00Z", "none", "nobody", None, files_sha256(entries), len(entries), size
    ).save(tmp_path)
    return tmp_path


def test_row_groups_are_small_enough_to_stream(folder: Path) -> None:
    metadata = pq.ParquetFile(folder / "files.parquet").metadata
    sizes = [metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups)]
    assert metadata.num_row_groups == 14
    assert max(sizes) <= 5 * MIB


def test_files_are_read_in_any_order(folder: Path) -> None:
    files = open_pinned(folder)
    for path in sorted(CONTENTS, key=lambda path: path[::-1]):
        file = files.get(path)
        assert file is not None
        assert file.content == CONTENTS[path]


def test_changed_bytes_are_refused_by_name(tmp_path: Path) -> None:
    write_pinned_files(tmp_path, [(replace(entry("1.xml", b"<a/>"), sha256="0" * 64), b"<a/>")])
    with pytest.raises(SourceError, match=r"the bytes of 1\.xml have changed; pin the source again"):
        open_pinned(tmp_path).get("1.xml")


def test_a_verified_source_is_whole(folder: Path) -> None:
    assert verify_pinned(folder).files == len(CONTENTS)


def test_files_and_description_that_do_not_belong_together_are_refused(folder: Path) -> None:
    replace(PinnedSource.load(folder), sha256="0" * 64).save(folder)
    with pytest.raises(SourceError, match="do not belong together"):
        verify_pinned(folder)


def test_missing_and_damaged_files_say_so(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(SourceError, match="no source has been pinned there"):
        open_pinned(tmp_path_factory.mktemp("empty"))
    (folder / "files.parquet").write_bytes(b"not a table")
    with pytest.raises(SourceError, match="damaged"):
        open_pinned(folder)
    (folder / "source.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SourceError, match="damaged"):
        PinnedSource.load(folder)
