"""Measure what each stage costs for one item, and what a collection of a given size then takes on several machines.

Run: `python -m tests.benchmarks.bench_capacity WORKSPACE [BODY] [--provisions N] [--chunks N] [--cores N]`. It does every
stage anew for one code body of a workspace that holds its source and accepted tables, in a temporary folder, and
counts the processor seconds of all processes, so that other work on the machine hardly matters. docs/capacity.md has
the result and what it leaves out.
"""

import argparse
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from assets.citations.build import build_citation_index
from assets.ingest.pinned import PinnedSource, open_pinned
from assets.ingest.provisions import build_provisions
from assets.ingest.readers import dialect
from assets.ingest.tags import load_tag_rules
from assets.registry import load_registry
from assets.release.responses import build_response_store
from assets.search.keyword import build_keyword_index
from assets.search.vector import build_vector_index
from assets.selection.selection import load_selection
from assets.text.chunking import chunk_provisions
from assets.text.embedding import embed
from assets.text.thread_engine import ThreadEngine
from assets.workspace import Workspace
from serving.encoder.encoder import open_encoder

ROOT = Path(__file__).parents[2]
MACHINES = (1, 8, 64)
EVERYWHERE, ONE_MACHINE, ONE_CORE = "all machines", "one machine", "one core"


@dataclass(frozen=True)
class Rate:
    """The cost of a stage, as it was measured.

    Attributes:
        unit: of its items, `provisions` or `chunks`.
        seconds: of processors, for `items` of them.
        written: bytes on disk, for the same.
        spreads: how far it can be shared: one of `EVERYWHERE`, `ONE_MACHINE`, `ONE_CORE`.
    """

    stage: str
    unit: str
    items: int
    seconds: float
    written: int
    spreads: str

    def hours(self, wanted: dict[str, int], *, machines: int, cores: int) -> float:
        """Return the hours that a collection takes."""
        at_work = {EVERYWHERE: machines * cores, ONE_MACHINE: cores, ONE_CORE: 1}[self.spreads]
        return self.seconds / self.items * wanted[self.unit] / at_work / 3600


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("workspace", type=Path)
    parser.add_argument("body", nargs="?", default="dc-code")
    parser.add_argument("--provisions", type=int, default=3_000_000)
    parser.add_argument("--chunks", type=int, default=10_000_000)
    parser.add_argument("--cores", type=int, default=16, help="of a machine")
    parser.add_argument("--sample", type=int, default=400, help="chunks that are encoded")
    options = parser.parse_args()
    workspace = Workspace(options.workspace, ROOT / "datasets", options.workspace / "snapshots")
    rates = []
    print(f"{'stage':<12}{'items':>22}{'processor s':>13}{'ms an item':>12}{'bytes an item':>15}  shared by")
    with tempfile.TemporaryDirectory(prefix="capacity-") as folder:
        for rate in _rates(workspace, options.body, Path(folder), options.sample):
            rates.append(rate)
            print(
                f"{rate.stage:<12}{rate.items:>11,} {rate.unit:<10}{rate.seconds:>13.1f}"
                f"{1000 * rate.seconds / rate.items:>12.3f}{rate.written / rate.items:>15,.0f}  {rate.spreads}",
                flush=True,
            )
    wanted = {"provisions": options.provisions, "chunks": options.chunks}
    print(
        f"\nhours for {options.provisions:,} provisions and {options.chunks:,} chunks, {options.cores} cores a machine"
    )
    print(f"{'stage':<12}" + "".join(f"{f'{count} machines':>14}" for count in MACHINES) + f"{'GB':>10}")
    for rate in rates:
        hours = (rate.hours(wanted, machines=count, cores=options.cores) for count in MACHINES)
        size = rate.written / rate.items * wanted[rate.unit] / 1e9
        print(f"{rate.stage:<12}" + "".join(f"{taken:>14.2f}" for taken in hours) + f"{size:>10.1f}")
    return 0


def _rates(workspace: Workspace, key: str, folder: Path, sample: int) -> Iterator[Rate]:
    registry = load_registry(workspace.registry)
    body, accepted = registry.code_body(key), workspace.accepted(key)
    provisions = pq.read_table(accepted / "provisions" / "provisions.parquet")
    encoder = open_encoder(workspace.encoder)

    def read() -> None:
        build_provisions(
            open_pinned(workspace.source_files(key)),
            PinnedSource.load(workspace.source_files(key)),
            body,
            dialect(body.reader).reader,
            folder / "provisions",
            tags=load_tag_rules(workspace.registry / "tags.toml"),
            previous=None,
            progress=lambda _done, _total: None,
            enacting_law=dialect(body.reader).enacting_law,
        )

    seconds = _seconds(read)
    yield Rate("reading", "provisions", len(provisions), seconds, _size(folder / "provisions"), EVERYWHERE)

    made: list[pa.Table] = []
    seconds = _seconds(lambda: made.append(chunk_provisions(provisions, encoder.tokenizer, encoder.sha256)))
    (chunks,) = made
    size = _size(accepted / "chunks")
    yield Rate("chunks", "chunks", len(chunks), seconds, size, EVERYWHERE)

    drawn = chunks.take(pa.array(np.random.default_rng(0).permutation(len(chunks))[:sample]))
    cache = folder / "cache"
    seconds = _seconds(lambda: embed(drawn, provisions, workspace.encoder, cache, engine=ThreadEngine()))
    yield Rate("encoding", "chunks", len(drawn), seconds, _size(cache), EVERYWHERE)

    selection = load_selection(workspace, registry, [key], [])
    folders = {name: folder / name for name in ("citations", "keyword", "vectors", "responses")}
    for path in folders.values():
        path.mkdir()

    def rate(stage: str, unit: str, spreads: str, build: Callable[[], object]) -> Rate:
        count = len(selection) if unit == "provisions" else selection.chunks.num_rows
        return Rate(stage, unit, count, _seconds(build), _size(folders[stage]), spreads)

    yield rate(
        "citations", "provisions", ONE_MACHINE, lambda: build_citation_index(selection, folders["citations"])
    )
    yield rate("keyword", "provisions", ONE_CORE, lambda: build_keyword_index(selection, folders["keyword"]))
    yield rate("vectors", "chunks", ONE_MACHINE, lambda: build_vector_index(selection, folders["vectors"]))
    yield rate(
        "responses",
        "provisions",
        ONE_CORE,
        lambda: build_response_store(selection, folders["responses"], references=folders["citations"]),
    )


def _seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds of this process and those that it started and saw end."""
    before = _used()
    work()
    return _used() - before


def _used() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    sys.exit(main())
