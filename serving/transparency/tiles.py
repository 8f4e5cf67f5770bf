"""Tiles of the log: runs of 256 hashes or entries, each in a file, in the layout tlog-tiles of C2SP."""

from collections.abc import Iterator, Sequence

WIDTH = 256
"""Hashes of a complete tile, which are those under one hash eight levels above."""
ENTRIES = "entries"
_LENGTH_BYTES = 2


def tile_file(level: int | str, index: int, width: int = WIDTH) -> str:
    """Return the path of a tile below the log; a narrower one than a complete tile has its width in the path.

    Args:
        level: 0 for the hashes of leaves, 1 for those over 256 leaves; `ENTRIES` for the entries themselves.
        index: number of the tile in its level.
        width: hashes or entries in it.
    """
    groups = [f"{index % 1000:03}"]
    while index >= 1000:
        index //= 1000
        groups.insert(0, f"x{index % 1000:03}")
    partial = "" if width == WIDTH else f".p/{width}"
    return f"tile/{level}/{'/'.join(groups)}{partial}"


def tiles_of(count: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """Yield number and width of the tiles over so many hashes, from the tile of the first one on."""
    for index in range(first // WIDTH, -(-count // WIDTH)):
        yield index, min(WIDTH, count - index * WIDTH)


def pack_entries(entries: Sequence[bytes]) -> bytes:
    """Return entries as a tile of them: each behind its length."""
    return b"".join(len(entry).to_bytes(_LENGTH_BYTES, "big") + entry for entry in entries)


def unpack_entries(content: bytes) -> list[bytes]:
    """Return the entries in a tile of them.

    Raises:
        ValueError: an entry is cut off.
    """
    entries = []
    place = 0
    while place < len(content):
        start = place + _LENGTH_BYTES
        place = start + int.from_bytes(content[place:start], "big")
        if start > len(content) or place > len(content):
            raise ValueError("an entry is cut off")
        entries.append(content[start:place])
    return entries
