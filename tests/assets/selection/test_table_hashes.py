"""Remembered hashes of tables: of the bytes that stand there now, whatever was there before."""

import os
from pathlib import Path

import pytest

from assets.selection import table_hashes
from assets.selection.table_hashes import table_sha256
from assets.versions import file_sha256


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    path.write_bytes(b"first")
    return path


def test_a_table_that_stays_is_hashed_once(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert table_sha256(table) == file_sha256(table)
    monkeypatch.setattr(table_hashes, "file_sha256", lambda path: f"{path} was read again")
    assert table_sha256(table) == file_sha256(table)


def test_a_table_in_its_place_is_hashed_though_it_looks_the_same(table: Path) -> None:
    facts = table.stat()
    before = table_sha256(table)
    other = table.with_name("other")
    other.write_bytes(b"other")
    os.utime(other, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    other.replace(table)
    assert table_sha256(table) == file_sha256(table) != before


def test_a_table_written_over_with_its_old_times_is_hashed(table: Path) -> None:
    facts = table.stat()
    before = table_sha256(table)
    while table.stat().st_ctime_ns == facts.st_ctime_ns:
        table.write_bytes(b"other")
        os.utime(table, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert table_sha256(table) == file_sha256(table) != before
