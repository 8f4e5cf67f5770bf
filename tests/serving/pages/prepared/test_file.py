"""Files of prepared pages: what was written comes back in every encoding, and nothing else ever does."""

import os
from dataclasses import replace
from itertools import repeat

import pytest

from serving.pages.prepared.file import DamagedPagesError, PageFile, edition_in, write_pages
from tests.serving.pages.prepared.prepared import EDITION, PAGES, decoded, flip, open_files, written

ENCODINGS = ("zstd", "gzip", "identity")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_pages_come_back(tmp_path, encoding):
    file = PageFile(written(tmp_path), EDITION)
    assert len(file) == len(PAGES)
    for row, page in enumerate(PAGES):
        assert decoded(file.page(row, encoding), encoding, len(page)) == page
    file.require_whole()


def test_many_pages_are_written_as_they_come(tmp_path):
    edition = replace(EDITION, pages=1000)
    path = tmp_path / edition.file_name
    size = write_pages(path, edition, (b"<p>%d</p>" % row for row in range(1000)))
    assert size == path.stat().st_size
    file = PageFile(path, edition)
    assert [file.page(row, "identity") for row in range(1000)] == [b"<p>%d</p>" % row for row in range(1000)]


def test_a_file_says_what_its_pages_follow_from(tmp_path):
    path = written(tmp_path)
    assert edition_in(path) == EDITION
    path.write_bytes(b"something else")
    assert edition_in(path) is None


@pytest.mark.parametrize(
    "other",
    [
        {"snapshot": "2026.11.21-2"},
        {"manifest": "11" * 32},
        {"release": "another"},
        {"public_url": "https://other.example"},
        {"links": ()},
        {"links": (("/terms", "Other words"),)},
    ],
)
def test_pages_of_another_edition_are_not_given(tmp_path, other):
    edition = replace(EDITION, **other)
    path = written(tmp_path)
    assert path.name != edition.file_name
    with pytest.raises(DamagedPagesError):
        PageFile(path, edition)


def test_whatever_byte_differs_another_page_is_never_given(tmp_path):
    path = written(tmp_path)
    whole = path.read_bytes()
    refused = 0
    for place in range(len(whole)):
        path.write_bytes(whole)
        flip(path, place)
        try:
            file = PageFile(path, EDITION)
        except DamagedPagesError:
            refused += 1
            continue
        for row, page in enumerate(PAGES):
            for encoding in ENCODINGS:
                try:
                    assert decoded(file.page(row, encoding), encoding, len(page)) == page
                except DamagedPagesError:
                    refused += 1
        with pytest.raises(DamagedPagesError):
            file.require_whole()
    assert refused >= len(whole)


def test_a_file_that_is_cut_short_is_refused_before_and_after_it_was_opened(tmp_path):
    path = written(tmp_path)
    size, file = path.stat().st_size, PageFile(path, EDITION)
    os.truncate(path, size - 3)
    assert file.page(0, "zstd")
    for row, encoding in ((2, "identity"), (2, "gzip")):
        if encoding == "gzip":
            os.truncate(path, 30)
        with pytest.raises(DamagedPagesError, match="cut short"):
            file.page(row, encoding)
    with pytest.raises(DamagedPagesError):
        PageFile(path, EDITION)
    with pytest.raises(FileNotFoundError):
        PageFile(tmp_path / "none", EDITION)


def test_a_file_is_closed_with_its_last_reference(tmp_path):
    path = written(tmp_path)
    before = open_files()
    file = PageFile(path, EDITION)
    assert open_files() == before + 1
    del file
    assert open_files() == before


def test_half_a_file_is_never_there(tmp_path):
    with pytest.raises(ValueError, match="2 pages for 3"):
        write_pages(tmp_path / EDITION.file_name, EDITION, repeat(b"page", 2))
    assert not list(tmp_path.iterdir())
    path = written(tmp_path)
    before = path.read_bytes()

    def failing():
        yield b"page"
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        write_pages(path, EDITION, failing())
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == before
