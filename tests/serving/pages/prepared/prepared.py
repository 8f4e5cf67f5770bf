"""Files of a few short pages, damage to them, and who has them open."""

import gzip
from pathlib import Path

import pyarrow as pa

from serving.pages.prepared.file import Edition, write_pages

PAGES = (b"<p>one</p>" * 9, b"", b"<p>three</p>" * 30)
EDITION = Edition(
    "2026.11.21-1", "00" * 32, "release", "https://law.example", (("/terms", "Terms"),), len(PAGES)
)


def written(folder: Path, edition: Edition = EDITION, pages: tuple[bytes, ...] = PAGES) -> Path:
    """A file of these pages."""
    path = folder / edition.file_name
    write_pages(path, edition, pages)
    return path


def flip(path: Path, place: int) -> None:
    """Change one byte of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= 0x40
    path.write_bytes(content)


def open_files(process: int | str = "self") -> int:
    """How many files of prepared pages a process has open."""
    links = Path(f"/proc/{process}/fd").iterdir()
    return sum(
        link.readlink().name.removesuffix(" (deleted)").endswith(".pages")
        for link in links
        if link.is_symlink()
    )


def decoded(body: bytes, encoding: str, size: int) -> bytes:
    """A page as a client unpacks it."""
    if encoding == "zstd":
        unpacked: bytes = pa.decompress(body, size, "zstd", asbytes=True)
        return unpacked
    return gzip.decompress(body) if encoding == "gzip" else body
