"""Versions of what a code body's provisions are made from."""

from pathlib import Path

from assets.ingest.pinned import PinnedSource
from assets.registry import CodeBody
from assets.versions import code_version, digest_of, file_sha256

CODE = code_version(
    *("assets/ingest", "assets/registry/code_bodies.py", "assets/registry/labels.py"),
    *("assets/registry/markup.py", "serving/contract"),
    libraries=("lxml", "pyarrow"),
)
"""Version of the code that reads sources and checks what it read."""


def reading_rules(body: CodeBody, tag_rules: Path) -> str:
    """Return the version of how a code body is read: by which code, entry and rules of tags."""
    return digest_of(CODE, body, file_sha256(tag_rules))


def provisions_inputs(source: PinnedSource, rules: str) -> str:
    """Return the version of what provisions are made from: a source, and the rules of reading it."""
    return digest_of(rules, source.sha256, source.release_point, source.retrieved_at, source.weight)
