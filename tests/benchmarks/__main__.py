"""Run every benchmark: readers, encoding, search, citations, resolving, drafts, outline, metering, HTTP, zoning. `SNAPSHOT=folder` names the snapshot that is searched.

Without it the current snapshot of `LAW_SNAPSHOTS` is taken; where there is none, build one first.
"""

import os
import subprocess
import sys
from pathlib import Path

from serving.contract.errors import LawError
from serving.settings.settings import Settings
from serving.snapshot.pointer import current_snapshot_id


def main() -> int:
    """Run them one after the other; return 1 if one was above its bound."""
    try:
        snapshots = Settings.from_env().snapshots
        snapshot = os.environ.get("SNAPSHOT") or str(snapshots / current_snapshot_id(snapshots))
    except LawError as error:
        sys.stderr.write(f"{error.message}\nBuild one with `make snapshot`, or name one: SNAPSHOT=folder.\n")
        return 1
    folder = Path(__file__).parent
    status = 0
    for name, arguments in (
        ("readers", []),
        ("encode", []),
        ("search", [snapshot]),
        ("citations", []),
        ("resolve", [snapshot]),
        ("drafts", [snapshot]),
        ("outline", []),
        ("metering", []),
        ("http", [snapshot]),
        ("gis", [snapshot]),
        ("layers", []),
        ("rebuild", []),
    ):
        print(f"\n== {name}\n", flush=True)
        command = [sys.executable, "-m", f"tests.benchmarks.bench_{name}", *arguments]
        status |= subprocess.run(command, cwd=folder.parents[1], check=False).returncode
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
