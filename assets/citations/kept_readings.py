"""Readings of texts that are kept from the build before: a text that did not change is not read again.

What is read in a text depends on it, on its place, and on the grammar with all names of acts: a build that
knows another name reads everything anew.
"""

import hashlib
import pickle
import struct
import zlib
from collections.abc import Mapping, Set
from pathlib import Path
from typing import BinaryIO

from assets.citations.implicit_title import ReadCitation

READINGS = "readings.bin"
"""Name of the file in the folder of the artefact."""

_LENGTH = struct.Struct("<I")
_DIGEST = 32


class KeptReadings:
    """Readings by the digest of what was read, still packed."""

    def __init__(self, packed: Mapping[bytes, bytes]) -> None:
        self._packed = packed

    @classmethod
    def load(cls, folder: Path, grammar: str) -> "KeptReadings":
        """Read those of an earlier build; none where it was made with another version of the grammar."""
        try:
            content = (folder / READINGS).read_bytes()
        except OSError:
            return cls({})
        if content[:_DIGEST] != bytes.fromhex(grammar):
            return cls({})
        packed, place = {}, _DIGEST
        while place < len(content):
            key = content[place : place + _DIGEST]
            (size,) = _LENGTH.unpack_from(content, place + _DIGEST)
            place += _DIGEST + _LENGTH.size
            packed[key] = content[place : place + size]
            place += size
        return cls(packed)

    def __len__(self) -> int:
        return len(self._packed)

    def keys(self) -> Set[bytes]:
        """Return the digests of what was read."""
        return self._packed.keys()

    def packed(self, key: bytes) -> bytes | None:
        """Return a reading as it is kept; None where what it is of was not read before."""
        return self._packed.get(key)


class ReadingsWriter:
    """Writes the readings of a build, each once."""

    def __init__(self, folder: Path, grammar: str) -> None:
        self._file: BinaryIO = (folder / READINGS).open("wb")
        self._file.write(bytes.fromhex(grammar))
        self._written: set[bytes] = set()

    def __enter__(self) -> "ReadingsWriter":
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def write(self, key: bytes, packed: bytes) -> None:
        """Add a packed reading."""
        if key not in self._written:
            self._written.add(key)
            self._file.write(key + _LENGTH.pack(len(packed)) + packed)


def key_of(*parts: object) -> bytes:
    """Return the digest of what is read: a text, its context, its scheme."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).digest()


def pack(reading: list[ReadCitation]) -> bytes:
    """Return a reading as bytes."""
    return zlib.compress(pickle.dumps(reading, protocol=5), 1)


def unpack(packed: bytes) -> list[ReadCitation]:
    """Return the reading that `pack` made bytes of."""
    found: list[ReadCitation] = pickle.loads(zlib.decompress(packed))  # noqa: S301 - of our own workspace
    return found
