"""Memory that was freed is given back to the system."""

import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

_FREED = """
from serving.snapshot.memory import give_back
blocks = [bytes(2_000) for _ in range(40_000)]
blocks = blocks[::400]  # what is left keeps the allocator from giving back the rest by itself
print(own())
give_back()
print(own())
"""


_INDEXES = """
from serving.snapshot.memory import LARGE_BYTES, keep_large_apart
keep_large_apart()
begun = own()
for _ in range(2):  # glibc changes its ways when the first are freed
    indexes, kept = [], []
    for _ in range(10):
        indexes.append(b"i" * 2 * LARGE_BYTES)
        kept += [bytes(2_000) for _ in range(100)]
    held = own()
    indexes.clear()
print(held - begun)
print(own() - begun)
"""


def own() -> int:
    """Return the memory of this process's own, in KiB."""
    found = re.search(r"^Anonymous: +(\d+)", Path("/proc/self/smaps_rollup").read_text(), re.MULTILINE)
    assert found
    return int(found[1])


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells what a process holds in /proc")
def test_what_was_freed_is_given_back() -> None:
    before, after = printed(_FREED)
    assert before - after > 40_000


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told where to put large blocks")
def test_an_index_that_is_closed_leaves_no_memory_behind() -> None:
    held, left = printed(_INDEXES)
    assert held > 75_000
    assert left < 5_000


def printed(script: str) -> list[int]:
    """Run a program, and return the numbers that it printed."""
    program = [sys.executable, "-c", f"from {__name__} import own\n{script}"]
    run = subprocess.run(program, capture_output=True, text=True, check=True, cwd=Path.cwd())
    return [int(line) for line in run.stdout.split()]
