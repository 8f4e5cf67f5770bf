"""Memory of this process that is held but not used, given back to the system."""

import ctypes

import pyarrow as pa


def give_back() -> None:
    """Give back what was freed: allocators keep it for their next call, and most is never wanted again."""
    pa.default_memory_pool().release_unused()
    # Only glibc has it. It goes through the memory of all threads, which nothing else does.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
