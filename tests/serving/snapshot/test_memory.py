"""Memory that was freed is given back to the system."""

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


def own() -> int:
    """Return the memory of this process's own, in KiB."""
    found = re.search(r"^Anonymous: +(\d+)", Path("/proc/self/smaps_rollup").read_text(), re.MULTILINE)
    assert found
    return int(found[1])


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells what a process holds in /proc")
def test_what_was_freed_is_given_back() -> None:
    script = f"import sys\nfrom {__name__} import own\n{_FREED}"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path.cwd()
    )
    before, after = map(int, run.stdout.split())
    assert before - after > 40_000
