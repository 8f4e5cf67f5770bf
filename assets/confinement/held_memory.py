"""Memory that a process holds: now, and at most so far."""

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_PEAK = b"VmHWM:"


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds; 0 where the system does not tell it this way."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):  # it just ended, or this is no Linux: the process bounds itself, too
        return 0


def peak() -> int:
    """Return the most bytes that this process ever held; 0 where the system does not tell it this way."""
    try:
        status = Path("/proc/self/status").read_bytes()
    except OSError:
        return 0
    _, found, rest = status.partition(_PEAK)
    return int(rest.split(maxsplit=1)[0]) * 1024 if found else 0
