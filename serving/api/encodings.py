"""Encodings of bodies over HTTP: which one a client prefers, and compression."""

import zlib
from functools import lru_cache

import pyarrow as pa

IDENTITY = "identity"
WORTHWHILE = 512
"""Bytes below which a body is sent uncompressed, because that saves a client nothing."""
LONGEST = 512
"""Characters of `Accept-Encoding` that are examined. Longer headers are ignored, as RFC 9110 (12.4.1) allows:
parsed headers are cached, and clients choose their size."""
_OFFERED = ("zstd", "gzip", IDENTITY)
_UNNAMED_IDENTITY = 0.0001
"""Quality of an unencoded answer for a client that does not name it: acceptable, but after all others."""
_GZIP_LEVEL = 4


def encoding_for(header: str | None, length: int) -> str:
    """Return the encoding for a body of that many bytes that is made for one request."""
    return accepted_encodings(header)[0] if length >= WORTHWHILE else IDENTITY


def accepted_encodings(header: str | None) -> tuple[str, ...]:
    """Return the encodings of `Accept-Encoding` that the server has, best first (RFC 9110, 12.5.3).

    Among equals the smaller one comes first: zstd, gzip, identity. Identity comes last if the header refuses
    it, because any answer serves the client better than none.
    """
    return _encodings(header if header is not None and len(header) <= LONGEST else "")


@lru_cache(maxsize=1024)
def _encodings(header: str) -> tuple[str, ...]:
    qualities = dict(_quality(part) for part in header.lower().split(",") if part.strip())
    wildcard = qualities.get("*", 0.0)
    wishes = {name: qualities.get(name, wildcard) for name in _OFFERED}
    if IDENTITY not in qualities:
        wishes[IDENTITY] = wildcard if "*" in qualities else _UNNAMED_IDENTITY
    accepted = sorted((name for name in _OFFERED if wishes[name] > 0), key=lambda name: -wishes[name])
    return tuple(accepted) if IDENTITY in accepted else (*accepted, IDENTITY)


def _quality(part: str) -> tuple[str, float]:
    name, _, weight = part.partition(";")
    key, _, value = weight.strip().partition("=")
    if key.strip() != "q":
        return name.strip(), 1.0
    try:
        return name.strip(), min(max(float(value), 0.0), 1.0)
    except ValueError:
        return name.strip(), 0.0


def compress(body: bytes, encoding: str) -> bytes:
    """Return a body in gzip or zstd."""
    if encoding == "zstd":
        compressed: bytes = pa.compress(body, codec="zstd", asbytes=True)
        return compressed
    compressor = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return compressor.compress(body) + compressor.flush()
