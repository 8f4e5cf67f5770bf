"""Inputs that once broke something, each in a file of its own: they are tried again with every run of the tests."""

import hashlib
from pathlib import Path

FOLDER = Path(__file__).with_name("corpus")


def kept(target: str) -> list[Path]:
    """The files of a target."""
    return sorted(path for path in (FOLDER / target).glob("*") if path.is_file())


def keep(target: str, data: bytes) -> Path:
    """Write an input that breaks something, and give its file."""
    path = FOLDER / target / hashlib.sha256(data).hexdigest()[:12]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
