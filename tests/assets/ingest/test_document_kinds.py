"""What a source is, by its first bytes, where no reader found law in it."""

import hashlib
import re
from collections.abc import Callable

import pytest

from assets.ingest.document_kinds import kind_of, kinds_of
from assets.ingest.model import SourceFile, SourceFiles
from assets.ingest.readers import SIGNS

Files = Callable[[dict[str, bytes]], SourceFiles]


def file(content: bytes, path: str = "a.xml") -> SourceFile:
    return SourceFile(path, hashlib.sha256(content).hexdigest(), content)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<!DOCTYPE html>\n<html><body/></html>", "HTML"),
        (b"\xef\xbb\xbf <HTML LANG='en'>", "HTML"),
        (b'<?xml version="1.0"?>\n<!-- made by hand -->\n<DLPSTEXTCLASS>', "XML <DLPSTEXTCLASS>"),
        (b'<?xml version="1.0"?><!DOCTYPE ECFR SYSTEM "x.dtd"><ECFR>', "XML <ECFR>"),
        (b'<r:code xmlns:r="https://law.example/v1">', "XML <code> of https://law.example/v1"),
        (
            b'<code xmlns="https://law.example/v1" xmlns:x="https://x.example">',
            "XML <code> of https://law.example/v1",
        ),
        (b"%PDF-1.7 ...", "PDF"),
        (b'{"code": 1}', "JSON"),
        (b"{\\rtf1 x}", "RTF"),
        (b"PK\x03\x04...", "ZIP"),
        (b"Title 1. General provisions", "unknown kind (xml)"),
        (b"", "unknown kind (xml)"),
        (b"<" * 5000, "unknown kind (xml)"),
    ],
)
def test_a_file_is_of_a_kind(content: bytes, kind: str) -> None:
    assert kind_of(file(content), {}) == kind


@pytest.mark.parametrize(
    ("content", "readers"),
    [
        (b'<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0">', ["uslm"]),
        (b'<lawDoc xmlns="http://schemas.gpo.gov/xml/uslm">', ["uslm"]),
        (b'<document xmlns="https://code.dccouncil.us/schemas/dc-library">', ["dc_law", "open_law"]),
        (b'<html><head><meta itemprop="doc-type" content="section"/></head></html>', ["open_law"]),
        (b"<ECFR>", ["ecfr"]),
        (b"<CFRDOC>", []),
    ],
)
def test_the_readers_of_a_kind_are_named(content: bytes, readers: list[str]) -> None:
    said = kind_of(file(content), SIGNS)
    assert [
        name for name in SIGNS if re.search(rf"\b{name}\b", said.partition("which the reader")[2])
    ] == readers


def test_the_kinds_of_a_source_are_counted_the_commonest_first(source_files: Files) -> None:
    pages = {f"title.{number}.html": b"<html/>" for number in range(3)}
    found = kinds_of(source_files({**pages, "README.md": b"Law"}), SIGNS)
    assert found == "3 files of HTML, such as title.0.html; 1 file of unknown kind (md), such as README.md"


def test_of_many_files_some_are_looked_at(source_files: Files) -> None:
    found = kinds_of(source_files({f"{number:04}.html": b"<html/>" for number in range(500)}), {})
    assert found.startswith("of 500 files, ")
    assert "files of HTML, such as 0000.html" in found
