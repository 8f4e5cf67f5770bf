"""The client loads and works where only the base install is."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BASE = ["httpx", "httpcore", "h11", "anyio", "sniffio", "idna", "certifi", "typing_extensions", "serving"]
ALONE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in sys.stdlib_module_names or top in BASE:
            return None
        raise ModuleNotFoundError(f"{name} is not in the base install", name=name)

BASE = set(sys.argv[1:])
sys.meta_path.insert(0, Absent())
import serving.client
from serving.client.cli import main
assert main(["coverage", "--base-url", "http://127.0.0.1:1", "--wait", "0"]) == 6
ours = {name for name in sys.modules if name.startswith("serving.") and not name.startswith("serving.client")}
assert not ours, ours
installed = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - BASE
assert not {name for name in installed if not name.startswith("_")}, installed
print("alone")
"""


@pytest.mark.e2e
def test_it_needs_httpx_and_nothing_else():
    done = subprocess.run(
        [sys.executable, "-c", ALONE, *BASE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == "alone\n", done.stderr
    assert "not reached" in done.stderr
