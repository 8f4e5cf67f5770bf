"""Processor time that processes have taken."""

import os
import resource
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_USER, _SYSTEM = 11, 12
"""Places of the two times behind the name, which is in brackets and may hold blanks."""


def processor_seconds(pid: int) -> float:
    """Return the processor time of all threads of a process; 0 where the system does not tell it this way."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS
    except (OSError, IndexError):  # it just ended, or this is no Linux: the process judges itself, too
        return 0.0


def ended_seconds() -> float:
    """Return the processor time of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
