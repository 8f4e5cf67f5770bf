"""Measure rebuilding beside a full build: of an unchanged source, and of one with one changed title of many.

Run: `python -m tests.benchmarks.bench_rebuild [SOURCE] [--key KEY]`. Without a source it takes the shared archive of
23 titles of the US Code, where it is. Builds in a temporary workspace by `lawbuild`, encoding included, the
encoder itself not. A title is a folder within `titles`, as the D.C. Code has them, or else a file. The title that is
changed is the one nearest to the mean in size, and the change is in nearly each of its sections. Prints seconds and processor seconds; exit status 1 if a figure is above its bound.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from assets.encoder.build import build_encoder
from tests.conftest import QUERY_TOWER

ROOT = Path(__file__).parents[2]
SOURCE = ROOT.parent / "shared" / "data" / "usc-titles-119-36.tar.xz"
MOST_OF_A_FULL_BUILD = 0.1
MOST_SECONDS_UNCHANGED = 5.0


class Cost(NamedTuple):
    """Seconds of a build, and processor seconds of all its processes."""

    wall: float
    processor: float


def main() -> int:
    """Build three times and compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", nargs="?", type=Path, default=SOURCE, help="archive (.tar.xz) or folder")
    parser.add_argument("--key", default="us-usc")
    options = parser.parse_args()
    if not options.source.exists():
        print(f"not measured: {options.source} is not there (python -m tests.publications takes it)")
        return 0
    with tempfile.TemporaryDirectory(prefix="rebuild-") as folder:
        return _compare(Path(folder), options.source, options.key)


def _compare(folder: Path, given: Path, key: str) -> int:
    source = folder / "source"
    if given.is_dir():
        shutil.copytree(given, source)
    else:
        with tarfile.open(given) as archive:
            archive.extractall(source, filter="data")
    build_encoder(folder / "work" / "encoder", QUERY_TOWER)
    wanted = f"{key}={source}"
    full = _build(folder, wanted)
    print(f"full build         {full.wall:8.1f} s  {full.processor:8.1f} s of processors", flush=True)
    unchanged = _build(folder, wanted)
    _print("nothing changed", unchanged, full)
    title = _change(source)
    changed = _build(folder, wanted)
    _print(f"{title} changed", changed, full)
    share = changed.wall / full.wall
    print(
        f"bounds: {MOST_SECONDS_UNCHANGED:g} s where nothing changed; {MOST_OF_A_FULL_BUILD:g} of a full build"
    )
    return int(unchanged.wall > MOST_SECONDS_UNCHANGED or share > MOST_OF_A_FULL_BUILD)


def _build(folder: Path, wanted: str) -> Cost:
    environment = {
        **os.environ,
        "LAW_WORKSPACE": str(folder / "work"),
        "LAW_SNAPSHOTS": str(folder / "snapshots"),
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("DAGSTER_HOME", None)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-c", "import sys; from pipelines.build import main; sys.exit(main())", wanted]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stderr)
    if os.environ.get("REBUILD_REPORT"):
        print(done.stderr)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.monotonic() - began, used)


def _change(source: Path) -> str:
    """Change the words of the title nearest to the mean in size; return its name."""
    titles = sorted(path for path in source.rglob("titles/*") if path.is_dir()) or sorted(
        source.rglob("*.xml")
    )
    mean = fmean(_bytes(title) for title in titles)
    chosen = min(titles, key=lambda title: abs(_bytes(title) - mean))
    for path in _files(chosen):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(" shall ", " must ").replace(" may ", " can "), encoding="utf-8")
    return f"title {chosen.name}"


def _files(title: Path) -> list[Path]:
    return sorted(title.rglob("*.xml")) if title.is_dir() else [title]


def _bytes(title: Path) -> int:
    return sum(path.stat().st_size for path in _files(title))


def _print(what: str, cost: Cost, full: Cost) -> None:
    print(
        f"{what:18} {cost.wall:8.1f} s  {cost.processor:8.1f} s of processors: "
        f"{cost.wall / full.wall:.3f} and {cost.processor / full.processor:.3f} of it",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
