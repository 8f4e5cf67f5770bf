"""Measure the readers beside a bare lxml pass over the same files: parse, and look at every element once.

Run: `python -m tests.benchmarks.bench_readers [BODY=PATH ...] [--rounds N]`. Without a path it takes the shared
archives of seven code bodies where they are, else the embedded sample. Prints processor seconds, the
fastest of the rounds; exit status 1 if a ratio is above its bound.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from lxml import etree

from assets.ingest.model import SourceFile
from assets.ingest.pinned import open_pinned
from assets.ingest.readers import dialect
from assets.ingest.sources import pin_source
from assets.registry import CodeBody, load_registry

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
ARCHIVES = {
    "us-usc": SHARED / "usc-titles-119-36.tar.xz",
    "us-cfr": SHARED / "ecfr-2022-12-titles-1-4.tar.xz",
    "dc-code": SHARED / "dc-code-2024-10-20.tar.xz",
    "ak-code": SHARED / "ak-code-unicourt-r82.tar.xz",
    "va-code": SHARED / "va-code-unicourt-r88.tar.xz",
    "tn-code": SHARED / "tn-code-unicourt-r76.tar.xz",
    "co-code": SHARED / "co-code-unicourt-r80.tar.xz",
}
BOUND = 3.0
BOUND_OF_PAGES = 4.5
"""For HTML, whose inline elements stand on lines of their own: every run of text has to be folded and joined."""
BOUND_OF_TEXT = 8.0
"""For XML that is nearly all text: a bare pass counts its elements, a reader folds its words."""
FEW_ELEMENTS = 120
"""Bytes per element from which a source is nearly all text."""


class InMemory:
    """All files of a source, held in memory so that disks are not measured."""

    def __init__(self, files: list[SourceFile]) -> None:
        self._files = {file.path: file for file in files}

    def paths(self) -> list[str]:
        """Return all paths, sorted."""
        return list(self._files)

    def get(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None."""
        return self._files.get(path)

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self._files.values())


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bodies", nargs="*", metavar="BODY=PATH")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    registry = load_registry(ROOT / "datasets" / "registry")
    wanted = dict(text.split("=", 1) for text in options.bodies) or {
        key: str(path) for key, path in ARCHIVES.items() if path.is_file()
    }
    if not wanted:
        wanted = {"sample-code": str(ROOT / "datasets" / "sample" / "sample-code")}
    print(f"{'code body':<12}{'files':>8}{'MB':>8}{'bare s':>9}{'reader s':>10}{'MB/s':>7}{'ratio':>8}")
    passed = True
    totals = [0.0, 0.0]
    for key, path in wanted.items():
        files = _load(Path(path), registry.code_body(key))
        bare, reader = _measure(files, registry.code_body(key), options.rounds)
        passed &= _report(key, files, bare, reader)
        totals = [totals[0] + bare, totals[1] + reader]
    print(f"{'together':<28}{totals[0]:>9.2f}{totals[1]:>10.2f}{totals[1] / totals[0]:>15.2f}")
    return 0 if passed else 1


def _load(path: Path, body: CodeBody) -> InMemory:
    with tempfile.TemporaryDirectory() as folder:
        destination = Path(folder) / "pinned"
        pin_source(path, body, destination, retrieved_at=datetime.now(UTC), progress=lambda done, total: None)
        return InMemory(list(open_pinned(destination)))


def _measure(files: InMemory, body: CodeBody, rounds: int) -> tuple[float, float]:
    reader = dialect(body.reader).reader

    def bare() -> None:
        for file in files:
            page = file.path.endswith(".html")
            if page or file.path.endswith(".xml"):
                parser = etree.HTMLParser(encoding="utf-8") if page else None
                for element in etree.fromstring(file.content, parser).iter():
                    _ = element.tag, element.text, element.tail

    def read() -> None:
        for _ in reader.read(files, body):
            pass

    return min(_seconds(bare) for _ in range(rounds)), min(_seconds(read) for _ in range(rounds))


def _seconds(run: Callable[[], None]) -> float:
    started = process_time()
    run()
    return process_time() - started


def _report(key: str, files: InMemory, bare: float, reader: float) -> bool:
    megabytes = sum(len(file.content) for file in files) / 1e6
    ratio = reader / bare
    pages = sum(path.endswith(".html") for path in files.paths())
    bound = BOUND_OF_PAGES if pages > len(files.paths()) / 2 else _bound_of_xml(files)
    verdict = "within" if ratio <= bound else "ABOVE"
    print(
        f"{key:<12}{len(files.paths()):>8,}{megabytes:>8.1f}{bare:>9.2f}{reader:>10.2f}"
        f"{megabytes / reader:>7.1f}{ratio:>8.2f}"
        f"  {verdict} {bound:g}"
    )
    return ratio <= bound


def _bound_of_xml(files: InMemory) -> float:
    elements = sum(file.content.count(b"</") for file in files)
    size = sum(len(file.content) for file in files)
    return BOUND_OF_TEXT if size > FEW_ELEMENTS * elements else BOUND


if __name__ == "__main__":
    sys.exit(main())
