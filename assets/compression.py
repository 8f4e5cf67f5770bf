"""Ready answers with their compressed forms, where those pay."""

import gzip
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from serving.contract.identity import content_etag

SMALLEST = 512
"""Bytes below which a compressed form saves nothing worth its place."""
_PAYS = 0.9
_ZSTD = pa.Codec("zstd", compression_level=9)


@dataclass(frozen=True, slots=True)
class ReadyBody:
    """An answer as it will be sent; a compressed form is None where it does not pay."""

    plain: bytes
    gzip: bytes | None
    zstd: bytes | None
    etag: str

    def write(self, path: Path) -> None:
        """Write the answer to a path, and its compressed forms beside it."""
        for suffix, content in (("", self.plain), (".gz", self.gzip), (".zst", self.zstd)):
            if content is not None:
                path.with_name(path.name + suffix).write_bytes(content)


def make_ready(plain: bytes) -> ReadyBody:
    """Return an answer with its entity tag and compressed forms, the same bytes for the same answer."""
    if len(plain) < SMALLEST:
        return ReadyBody(plain, None, None, content_etag(plain))
    zipped = gzip.compress(plain, 6, mtime=0)
    packed = _ZSTD.compress(plain, asbytes=True)
    enough = len(plain) * _PAYS
    return ReadyBody(
        plain,
        zipped if len(zipped) < enough else None,
        packed if len(packed) < enough else None,
        content_etag(plain),
    )
