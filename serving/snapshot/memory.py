"""Memory of this process that is held but not used, given back to the system."""

import ctypes

import pyarrow as pa

LARGE_BYTES = 4 << 20
"""Size from which a block of memory is large: indexes are of such blocks, and next to nothing that one answer
needs."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Names of settings of glibc's `mallopt`."""


def keep_large_apart() -> None:
    """Have large blocks of memory taken from the system one by one, and given back to it one by one.

    By itself glibc puts a block among the others once one of its size was freed: where an index was, small
    blocks come to lie, and the next index needs other room.
    """
    # Only glibc has it.
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, LARGE_BYTES)
        # As glibc sets it by itself, which it ceases to do when the other is set.
        set_option(_TRIM_THRESHOLD, 2 * LARGE_BYTES)


def give_back() -> None:
    """Give back what was freed: allocators keep it for their next call, and most is never wanted again."""
    pa.default_memory_pool().release_unused()
    # Only glibc has it. It goes through the memory of all threads, which nothing else does.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
