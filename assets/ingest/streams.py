"""Compressed streams that are not trusted: bounded memory, bounded output, no silent end."""

import io
import lzma
from typing import BinaryIO, Protocol

from assets.errors import SourceError
from assets.ingest.bounds import MIB, Limits

_CHUNK = 256 * 1024
_XZ_MEMORY = 256 * MIB  # xz -9 needs 65 MiB; a header may ask for 4 GiB
_SLACK = 2 * MIB  # headers between members, and what the archive reader reads ahead


class Readable(Protocol):
    """Anything with `read`."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes; b"" at the end."""
        ...


class XzStream:
    """Decodes xz as `lzma.LZMAFile` does, but within a bound of memory, which that class does not offer."""

    def __init__(self, raw: Readable) -> None:
        self._raw = raw
        self._decoder = self._fresh()

    @staticmethod
    def _fresh() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` decoded bytes, b"" at the end.

        Raises:
            EOFError: the input ends inside a stream.
            lzma.LZMAError: it is damaged, not xz, or wants too much memory.
        """
        while True:
            if self._decoder.eof:
                packed = self._next_stream()
                if not packed:
                    return b""
                self._decoder = self._fresh()
            elif self._decoder.needs_input:
                packed = self._raw.read(_CHUNK)
                if not packed:
                    raise EOFError("it ends before its end marker")
            else:
                packed = b""
            unpacked = self._decoder.decompress(packed, size)
            if unpacked:
                return unpacked

    def _next_stream(self) -> bytes:
        """Return the first bytes of a further stream, past the null bytes that may pad the one before."""
        packed = self._decoder.unused_data.lstrip(b"\0")
        while not packed:
            chunk = self._raw.read(_CHUNK)
            if not chunk:
                break
            packed = chunk.lstrip(b"\0")
        return packed


class BoundedStream(io.RawIOBase):
    """Passes bytes on as long as they were allowed for and do not swell like a compression bomb.

    What is read beyond `allow` is headers: those of hostile archives claim gigabytes too.
    """

    def __init__(self, inner: Readable, raw: BinaryIO, origin: str, limits: Limits) -> None:
        self._inner = inner
        self._raw = raw
        self._origin = origin
        self._limits = limits
        self._unpacked = 0
        self._allowed = _SLACK

    def allow(self, size: int) -> None:
        """Let the next `size` bytes through, and headers after them."""
        self._allowed = size + _SLACK

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes.

        Raises:
            SourceError: more comes out than was allowed for, or than such input can hold.
        """
        data = self._inner.read(size)
        self._unpacked += len(data)
        self._allowed -= len(data)
        if self._allowed < 0:
            raise SourceError(
                f"{self._origin} holds an oversized header; it is hostile or damaged and refused."
            )
        packed = max(self._raw.tell(), 1)
        if self._unpacked > max(self._limits.ratio_free_bytes, self._limits.ratio * packed):
            raise SourceError(
                f"{self._origin} swells to more than {self._limits.ratio} times its size; "
                "it is refused as a compression bomb. Unpack it yourself and give the folder."
            )
        return data
