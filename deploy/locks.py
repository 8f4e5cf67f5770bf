"""Read lock files: which packages at which version, with the hashes of the files that may be installed."""

import re
from dataclasses import dataclass
from pathlib import Path

_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?P<rest>(?:.*\\\n)*.*)$", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_RUNS = re.compile(r"[-_.]+")


@dataclass(frozen=True, slots=True)
class Pin:
    """One package of a lock file; the name is normalised."""

    name: str
    version: str
    sha256: tuple[str, ...]


def read_lock(path: Path) -> dict[str, Pin]:
    """Return the pins of a lock file by name."""
    found = (
        Pin(normal_name(match["name"]), match["version"], tuple(_HASH.findall(match["rest"])))
        for match in _PIN.finditer(path.read_text(encoding="utf-8"))
    )
    return {pin.name: pin for pin in found}


def normal_name(name: str) -> str:
    """Return a package's name as indexes compare it."""
    return _RUNS.sub("-", name).lower()
