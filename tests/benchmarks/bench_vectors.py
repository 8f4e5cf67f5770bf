"""Measure indexes of vectors, our short codes and those of LanceDB: building, memory, time and recall.

Run: `python -m tests.benchmarks.bench_vectors SNAPSHOT_FOLDER [--vectors N] [--indexes NAME ...] [--folder DIR]`. More
vectors than the snapshot has are the same ones with noise, so that each has a cosine of about 0.9 with the one that it
was made of. The queries are those of the evaluation set's training half. What an index proposes is set in order by its
exact cosines, as a search does it; recall is the share of the nearest 100 of all vectors. Memory is what one process
holds for itself beyond what it held before the table was opened, after all queries.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.index import HnswSq, IvfPq, IvfRq, IvfSq

from assets.release.evaluation.judgements import read_evaluation_set
from assets.search.codes import build_codes, code_lists
from serving.contract.layout import ENCODER, PASSAGE_VECTORS, VECTOR_CODES, VECTORS
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder
from serving.snapshot.codes import VectorCodes
from serving.snapshot.passages import unit
from tests.benchmarks.peers.measuring import memory
from tests.serving.servers import CHECKOUT

NEAREST, NOISE, BLOCK = 100, 0.48, 20_000


class Setting(NamedTuple):
    """How an index is searched: candidates of each graph or lists that are probed, and chunks proposed.

    Of our short codes 0 is as many lists as a server looks at, and 1 is all.
    """

    wide: int
    proposed: int


class Tried(NamedTuple):
    """An index of LanceDB's, or our short codes, and the settings that it is searched with."""

    config: Any
    settings: tuple[Setting, ...]


def indexes(count: int) -> dict[str, Tried]:
    """Return the indexes over so many vectors, by name."""
    graphs, lists = max(1, count // 1_000_000), max(256, int(count**0.5) // 2)
    graph = tuple(Setting(ef, ef) for ef in (300, 500, 700, 1_000))
    half, quarter = lists // 2, lists // 4
    coded = tuple(
        Setting(probes, proposed) for probes in (quarter, half) for proposed in (600, 1_000, 1_500, 3_000)
    )
    ours = tuple(Setting(everywhere, proposed) for everywhere in (0, 1) for proposed in (500, 1_000))
    return {
        "codes": Tried(None, ours),
        "hnsw_sq": Tried(
            HnswSq(distance_type="cosine", num_partitions=graphs, m=20, ef_construction=300), graph
        ),
        "hnsw_sq_150": Tried(
            HnswSq(distance_type="cosine", num_partitions=graphs, m=20, ef_construction=150), graph
        ),
        "ivf_rq": Tried(IvfRq(distance_type="cosine", num_partitions=lists, num_bits=1), coded),
        "ivf_pq": Tried(IvfPq(distance_type="cosine", num_partitions=lists, num_sub_vectors=96), coded),
        "ivf_sq": Tried(IvfSq(distance_type="cosine", num_partitions=lists), coded),
    }


def main() -> int:
    """Build each index and print what it costs and finds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--vectors", type=int, help="how many (default: those of the snapshot)")
    parser.add_argument("--queries", type=int, default=100, help="queries asked (default 100)")
    parser.add_argument(
        "--indexes", nargs="*", default=["codes", "hnsw_sq", "ivf_rq"], help=", ".join(indexes(1))
    )
    parser.add_argument("--folder", type=Path, help="where the table is built (default: a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="law-bench-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        kept = np.load(options.snapshot / VECTORS / PASSAGE_VECTORS, mmap_mode="r")
        count = options.vectors or len(kept)
        encoder = open_encoder(query_folder(options.snapshot / ENCODER))
        asked = read_evaluation_set(CHECKOUT / "datasets" / "evaluation").queries
        texts = [query.text for query in asked if query.split == "train"][: options.queries]
        queries = np.array([unit(encoder.encode_query(text)) for text in texts])
        table = _write(kept, count, folder)
        nearest = _nearest(queries, folder / PASSAGE_VECTORS)
        print(f"{count} vectors, {len(queries)} queries; p50 with and without the exact cosines")
        for name in options.indexes:
            tried = indexes(count)[name]
            started, busy = perf_counter(), process_time()
            if tried.config is None:
                vectors = np.load(folder / PASSAGE_VECTORS, mmap_mode="r")
                build_codes(vectors, folder / VECTOR_CODES, lists=code_lists(count))
            else:
                table.create_index("vector", config=tried.config, replace=True)
            built = f"built in {perf_counter() - started:.0f} s ({process_time() - busy:.0f} of processors)"
            print(f"{name}: {built}", flush=True)
            for setting in tried.settings:
                told = multiprocessing.get_context("spawn").Queue()
                asking = multiprocessing.get_context("spawn").Process(
                    target=_ask_codes if tried.config is None else _ask,
                    args=(folder, queries, nearest, setting, told),
                )
                asking.start()
                print("  " + told.get(), flush=True)
                asking.join()
    return 0


def _write(kept: np.ndarray, count: int, folder: Path) -> Any:
    """Write the vectors as a file and as a table."""
    path = folder / PASSAGE_VECTORS
    vectors = np.lib.format.open_memmap(path, "w+", np.float16, (count, kept.shape[1]))
    random = np.random.default_rng(0)

    def batches() -> Iterator[pa.RecordBatch]:
        for first in range(0, count, BLOCK):
            rows = np.arange(first, min(first + BLOCK, count))
            block = kept[rows % len(kept)].astype(np.float32)
            if first + BLOCK > len(kept):
                block /= np.linalg.norm(block, axis=1, keepdims=True)
                noise = random.standard_normal(block.shape, np.float32) * NOISE / block.shape[1] ** 0.5
                block += noise * (rows >= len(kept))[:, np.newaxis]
                block /= np.linalg.norm(block, axis=1, keepdims=True)
            vectors[rows] = block
            flat = pa.array(vectors[rows].ravel())
            yield pa.RecordBatch.from_arrays(
                [pa.array(rows, pa.uint32()), pa.FixedSizeListArray.from_arrays(flat, block.shape[1])],
                names=["id", "vector"],
            )

    schema = pa.schema([("id", pa.uint32()), ("vector", pa.list_(pa.float16(), kept.shape[1]))])
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    table = lancedb.connect(str(folder)).create_table("chunks", reader, mode="overwrite")
    vectors.flush()
    return table


def _nearest(queries: np.ndarray, path: Path) -> np.ndarray:
    """Return the nearest vectors of each query, by comparison with all."""
    vectors = np.load(path, mmap_mode="r")
    cosines = np.empty((len(queries), len(vectors)), np.float32)
    for first in range(0, len(vectors), BLOCK):
        block = vectors[first : first + BLOCK].astype(np.float32)
        block /= np.linalg.norm(block, axis=1, keepdims=True)
        cosines[:, first : first + BLOCK] = queries @ block.T
    return np.argpartition(-cosines, NEAREST, axis=1)[:, :NEAREST]


def _ask(folder: Path, queries: np.ndarray, nearest: np.ndarray, setting: Setting, told: Any) -> None:
    told.put(asyncio.run(_figures_of_table(folder, queries, nearest, setting)))


def _ask_codes(folder: Path, queries: np.ndarray, nearest: np.ndarray, setting: Setting, told: Any) -> None:
    held = memory([os.getpid()])
    vectors = np.load(folder / PASSAGE_VECTORS, mmap_mode="r")
    codes = VectorCodes(folder / VECTOR_CODES)
    figures = Figures(setting, vectors, held)
    for _ in range(2):  # the first warms up
        figures.begin()
        for query, near in zip(queries, nearest, strict=True):
            started = perf_counter()
            rows = codes.nearest(query, setting.proposed, everywhere=bool(setting.wide)).rows
            figures.note(query, near, rows, started)
    told.put(figures.told())


async def _figures_of_table(folder: Path, queries: np.ndarray, nearest: np.ndarray, setting: Setting) -> str:
    held = memory([os.getpid()])
    table = await (await lancedb.connect_async(str(folder))).open_table("chunks")
    vectors = np.load(folder / PASSAGE_VECTORS, mmap_mode="r")
    figures = Figures(setting, vectors, held)
    for _ in range(2):  # the first warms up
        figures.begin()
        for query, near in zip(queries, nearest, strict=True):
            started = perf_counter()
            search = (
                table.query().nearest_to(query.astype(np.float16)).column("vector").distance_type("cosine")
            )
            search = search.nprobes(setting.wide).ef(setting.wide).limit(setting.proposed)
            found = await search.select(["_distance"]).with_row_id().to_arrow()
            figures.note(query, near, _rows(found.column("_rowid").to_numpy(), len(vectors)), started)
    return figures.told()


class Figures:
    """Durations and recall of the searches of one turn.

    Args:
        setting: what is measured.
        vectors: the vectors.
        held: bytes that the process held for itself before it opened the index.
    """

    def __init__(self, setting: Setting, vectors: np.ndarray, held: int) -> None:
        self._setting, self._vectors, self._held = setting, vectors, held
        self.begin()

    def begin(self) -> None:
        """Forget what was noted."""
        self._proposing: list[float] = []
        self._whole: list[float] = []
        self._recalls: list[float] = []

    def note(self, query: np.ndarray, near: np.ndarray, rows: np.ndarray, started: float) -> None:
        """Set what an index proposed in its order, and note how long all took and how much was found."""
        answered = perf_counter()
        block = self._vectors[rows].astype(np.float32)
        cosines = block @ query / np.linalg.norm(block, axis=1)
        best = rows[np.argsort(-cosines)[:NEAREST]]
        self._proposing.append(answered - started)
        self._whole.append(perf_counter() - started)
        self._recalls.append(len(np.intersect1d(best, near)) / NEAREST)

    def told(self) -> str:
        """Return the figures as JSON."""
        figures = {
            "wide": self._setting.wide,
            "proposed": self._setting.proposed,
            "p50 ms": round(median(self._whole) * 1e3, 1),
            "index alone": round(median(self._proposing) * 1e3, 1),
            "recall@100": round(float(np.mean(self._recalls)), 4),
            "own MB": round((memory([os.getpid()]) - self._held) / 1e6),
        }
        return json.dumps(figures)


def _rows(row_ids: np.ndarray, count: int) -> np.ndarray:
    """Return the rows that ids stand for: all fragments but the last have as many, written in order."""
    per_fragment = 1_048_576
    rows = (row_ids.astype(np.int64) >> 32) * per_fragment + (row_ids.astype(np.int64) & 0xFFFF_FFFF)
    if len(rows) and rows.max() >= count:
        raise ValueError(f"Row {rows.max()} of {count}: fragments are not of {per_fragment} rows.")
    return rows


if __name__ == "__main__":
    sys.exit(main())
