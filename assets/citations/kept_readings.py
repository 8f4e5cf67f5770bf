"""Readings of texts that are kept from the build before: a text that did not change is not read again.

What is read in a text depends on it, on its place, on the schemes of all codes, and on those names of acts
that stand in it. Each release brings names or takes some away: the texts that have them are read again.
"""

import hashlib
import pickle
import struct
import zlib
from collections.abc import Collection, Mapping, Sequence, Set
from pathlib import Path
from typing import BinaryIO

import orjson

from assets.citations.implicit_title import ReadCitation
from assets.registry import Citing
from assets.versions import code_version, digest_of
from serving.contract.citations import CitationDataError, PopularName
from serving.contract.citations.grammar import keys_of_act, name_key
from serving.contract.layout import CITING

CODE = code_version("assets/citations", "assets/ingest/links.py", "serving/contract")
"""Version of the code that reads citations."""

READINGS = "readings.bin"
"""Name of the file in the folder of the artefact."""

_LENGTH = struct.Struct("<I")
_DIGEST = 32


MOST_CHANGED = 500
"""Names that may differ from those of the build before, until everything is read anew: to look for more of
them in all texts takes as long."""


class KeptReadings:
    """Readings by the digest of what was read, still packed.

    Args:
        packed: the readings.
        changed: keys of the names that are known now and were not then, or the other way.
    """

    def __init__(self, packed: Mapping[bytes, bytes], changed: Collection[str] = ()) -> None:
        self._packed = packed
        self._changed = changed

    @classmethod
    def load(cls, folder: Path, citing: Citing) -> "KeptReadings":
        """Read those of an earlier build that hold for these schemes and names; none where nothing does."""
        try:
            content = (folder / READINGS).read_bytes()
            known = orjson.loads((folder / CITING).read_bytes())["popularNames"]
            names = [PopularName.from_dict(name) for name in known]
        except (OSError, ValueError, KeyError, TypeError, CitationDataError):
            return cls({})
        changed = _changed(names, citing.popular_names)
        if content[:_DIGEST] != _rules(citing) or changed is None or len(changed) > MOST_CHANGED:
            return cls({})
        packed, place = {}, _DIGEST
        while place < len(content):
            key = content[place : place + _DIGEST]
            (size,) = _LENGTH.unpack_from(content, place + _DIGEST)
            place += _DIGEST + _LENGTH.size
            packed[key] = content[place : place + size]
            place += size
        return cls(packed, changed)

    def __len__(self) -> int:
        return len(self._packed)

    def keys(self) -> Set[bytes]:
        """Return the digests of what was read."""
        return self._packed.keys()

    def packed(self, key: bytes, text: str) -> bytes | None:
        """Return the reading of a text as it is kept; None where there is none, or it is to be read again."""
        found = self._packed.get(key)
        if found is None or not self._changed:
            return found
        letters = name_key(text)
        return None if any(name in letters for name in self._changed) else found


class ReadingsWriter:
    """Writes the readings of a build, each once."""

    def __init__(self, folder: Path, citing: Citing) -> None:
        self._file: BinaryIO = (folder / READINGS).open("wb")
        self._file.write(_rules(citing))
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


def _rules(citing: Citing) -> bytes:
    """Return the digest of all that a reading depends on but its text, its place and the names of acts."""
    return bytes.fromhex(digest_of(CODE, orjson.dumps(citing.schemes)))


def _changed(before: Sequence[PopularName], now: Sequence[PopularName]) -> set[str] | None:
    """Return the keys of all names of acts that are in one list alone.

    None where those of both stand in another order, which is that of their meanings.
    """
    both = set(before) & set(now)
    if [name for name in before if name in both] != [name for name in now if name in both]:
        return None
    return {key for act in set(before) ^ set(now) for key in keys_of_act(act)}
