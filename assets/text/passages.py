"""The passage that is encoded for a chunk, and the key that names it."""

import hashlib


def passage(context: str, span: str) -> str:
    """Return what is encoded for a chunk: its context line, and its span of the text if that is not empty."""
    return f"{context}\n{span}" if span else context


def chunk_key(encoder_sha256: str, encoded: str) -> str:
    """Return the hexadecimal SHA-256 that names a vector: of the encoder's hash and of what is encoded."""
    return hashlib.sha256(f"{encoder_sha256}\0{encoded}".encode()).hexdigest()
