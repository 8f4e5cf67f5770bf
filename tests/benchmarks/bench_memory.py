"""Measure what a worker holds of a snapshot: memory of its own and files that it has mapped, after searches of all modes.

Run: `python -m tests.benchmarks.bench_memory SNAPSHOT_FOLDER`. Prints MiB before it opens the snapshot, after, and
after searches, and the bytes of the snapshot's files. Memory of its own is what workers cannot share (`Anonymous` of
Linux); mapped files are in the page cache, once for all of them.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from serving.services.opening import open_warm
from serving.services.requests import Mode, SearchRequest
from serving.services.search import SearchService
from tests.benchmarks.bench_search import QUERIES


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    options = parser.parse_args()
    _print("before")
    snapshot, service = open_warm(options.snapshot), SearchService()
    _print("open")
    for query in QUERIES:
        for mode in Mode:
            service.search(snapshot, SearchRequest(query=query, mode=mode))
    _print("searched")
    sizes = Counter[str]()
    for path in options.snapshot.rglob("*"):
        if path.is_file():
            sizes[path.relative_to(options.snapshot).parts[0]] += path.stat().st_size
    print(f"\n{len(snapshot.nodes):,} provisions, {len(snapshot.chunks):,} chunks; files in MB")
    for name, size in sizes.most_common(8):
        print(f"{name:20}{size / 1e6:10,.1f}")
    print(f"{'all':20}{sizes.total() / 1e6:10,.1f}")
    snapshot.close()
    return 0


def _print(when: str) -> None:
    rollup = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    held = {name: int(kib) / 1024 for name, kib in re.findall(r"^(\w+): +(\d+) kB$", rollup, re.MULTILINE)}
    own = held["Anonymous"]
    print(f"{when:10}own {own:8,.0f} MiB   mapped {held['Rss'] - own:8,.0f} MiB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
