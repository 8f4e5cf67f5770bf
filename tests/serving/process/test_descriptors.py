"""The limit on open files: raised as far as the system allows, and shared between connections and files."""

import json
import subprocess
import sys

import pytest

from serving.process.descriptors import OTHERS, SPARE


def limits(soft: int, hard: int, *, connections: int) -> dict[str, int]:
    """What a process that began with these limits has after it raised them."""
    code = (
        "import json, resource, sys\n"
        "from serving.process.descriptors import left_for_connections, raise_limit\n"
        "raise_limit(int(sys.argv[1]))\n"
        "print(json.dumps([*resource.getrlimit(resource.RLIMIT_NOFILE), left_for_connections()]))"
    )
    command = ["prlimit", f"--nofile={soft}:{hard}", sys.executable, "-c", code, str(connections)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(zip(("soft", "hard", "left"), json.loads(done.stdout), strict=True))


@pytest.mark.parametrize(
    ("soft", "hard", "raised"),
    [(256, 4096, 100 + OTHERS), (256, 512, 512), (256, 256, 256), (4096, 4096, 4096)],
)
def test_limit_is_raised_as_far_as_is_needed_and_allowed(soft, hard, raised):
    found = limits(soft, hard, connections=100)
    assert (found["soft"], found["hard"]) == (raised, hard)
    assert raised - SPARE - 40 < found["left"] < raised - SPARE
