"""How many files this process may have open: connections and the tables of a snapshot share them."""

import os
import resource

OTHERS = 1024
"""Files that a worker may have open besides connections."""
SPARE = 32
"""Descriptors that are left for files that are open for a moment, as those of a search."""
SNAPSHOTS = 2
"""How many times as many files as are open may be open: a new snapshot is opened beside the old one."""


def raise_limit(connections: int) -> None:
    """Let this process, and those that it starts, have enough files open, as far as the system allows.

    Args:
        connections: that each of them is to take on.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHERS
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
    )


def left_for_connections() -> int:
    """Return how many connections this process can have beside the files that it needs."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = SNAPSHOTS * len(os.listdir("/dev/fd")) + SPARE  # noqa: PTH208 (only counted)
    return limit - needed
