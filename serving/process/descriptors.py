"""File descriptors of this process: their limit, which connections and the tables of a snapshot share."""

import resource
from pathlib import Path

OTHERS = 1024
"""Files, other than connections, that a worker may have open."""
SPARE = 32
"""Descriptors kept free for files that are open only for a moment, such as those of a search."""
SNAPSHOTS = 2
"""Factor for the files now open, because a new snapshot is opened while the old one is still open."""


def raise_limit(connections: int) -> None:
    """Raise the limit on open files of this process and its children as far as needed and allowed.

    Args:
        connections: number of connections that each process has to serve.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHERS
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
    )


def left_for_connections() -> int:
    """Return the number of connections that this process can have beside the files that it needs."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = SNAPSHOTS * sum(1 for _ in Path("/dev/fd").iterdir()) + SPARE
    return limit - needed
