"""Encoding against bare ONNX Runtime loops over the same chunks, and the latency of a query.

Run from the checkout: `python -m tests.benchmarks.bench_encode`. The arrangements take turns, so that whatever
else the machine does falls on all of them alike; the fastest of the rounds are compared.
"""

import argparse
import itertools
import os
import statistics
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pyarrow as pa
from numpy.typing import NDArray

from assets.encoder.build import build_encoder
from assets.encoder.sentences import SENTENCES
from assets.ingest.formats import uslm
from assets.ingest.model import Provision, SourceFile
from assets.ingest.provisions_table import unit_table
from assets.registry import load_registry
from assets.text.chunking import chunk_provisions
from assets.text.embedding import embed
from assets.text.passages import passage
from assets.text.thread_engine import ThreadEngine
from serving.encoder.config import MODEL
from serving.encoder.encoder import Encoder, open_encoder
from tests.conftest import QUERY_TOWER

CHECKOUT = Path(__file__).resolve().parents[2]
TITLES = CHECKOUT.parent / "shared" / "data" / "usc-titles-119-36.tar.xz"
TITLE = "usc17.xml"
CORES = len(os.sched_getaffinity(0))

Feed = dict[str, NDArray[np.int32]]


class OneFile:
    """A source of one file."""

    def __init__(self, path: str, content: bytes) -> None:
        self._file = SourceFile(path, "0" * 64, content)

    def paths(self) -> list[str]:
        return [self._file.path]

    def get(self, path: str) -> SourceFile | None:
        return self._file if path == self._file.path else None

    def __iter__(self) -> itertools.chain[SourceFile]:
        return itertools.chain([self._file])


def real_provisions() -> pa.Table:
    """Title 17 of the US Code, from the shared data."""
    with tarfile.open(TITLES) as archive:
        member = next(member for member in archive if member.name.endswith(TITLE))
        packed = archive.extractfile(member)
        assert packed is not None
        content = packed.read()
    body = load_registry(CHECKOUT / "datasets" / "registry").code_body("us-usc")
    unit = next(uslm.read(OneFile(f"usc/{TITLE}", content), body))
    parents = [provision.parent for provision in unit.provisions]
    return unit_table(unit.key, unit.provisions, parents=parents, tags=[()] * len(unit.provisions), body=body)


def synthetic_provisions() -> pa.Table:
    """The encoder's reference sentences, in changing order."""
    body = load_registry(CHECKOUT / "datasets" / "registry").code_body("us-usc")
    provisions = [
        Provision(
            identifier=f"/us/usc/t1/s{number}", parent=None, level="section", num=str(number),
            heading=f"Section {number}", citation=f"1 U.S.C. § {number}", citable=True, file="f", byte_start=0,
            byte_end=1, source_sha256="0" * 64, text="\n".join(SENTENCES[number % 24 :] + SENTENCES[: number % 24]),
        )
        for number in range(200)
    ]  # fmt: skip
    return unit_table("t1", provisions, parents=[None] * 200, tags=[()] * 200, body=body)


def bare_session(model: Path, threads: int) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    return ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def feeds(sequences: Sequence[NDArray[np.int32]], batch: int) -> list[Feed]:
    """Length-sorted batches, longest first; those of more than one are padded to a multiple of eight."""
    ordered = sorted(sequences, key=len, reverse=True)
    made = []
    for start in range(0, len(ordered), batch):
        chosen = ordered[start : start + batch]
        width = len(chosen[0]) if batch == 1 else -(-len(chosen[0]) // 8) * 8
        ids = np.zeros((len(chosen), width), np.int32)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(chosen):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        made.append({"input_ids": ids, "attention_mask": mask})
    return made


def bare_loop(model: Path, sequences: Sequence[NDArray[np.int32]], batch: int, *, side_by_side: bool) -> None:
    """Run the model over prepared batches and throw the result away."""
    session = bare_session(model, 1 if side_by_side else CORES)
    with ThreadPoolExecutor(CORES if side_by_side else 1) as pool:
        for _ in pool.map(lambda feed: session.run(None, feed)[0].shape, feeds(sequences, batch)):
            pass


def seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def query_latency(encoder: Encoder) -> float:
    """Median over 500 calls of a query of 12 tokens, in milliseconds."""
    query = "can my landlord evict me without written notice"
    return statistics.median(seconds(lambda: encoder.encode_query(query)) for _ in range(500)) * 1000


def compare(chunks: pa.Table, provisions: pa.Table, folder: Path, rounds: int) -> None:
    encoder = open_encoder(folder)
    texts = dict(
        zip(provisions.column("node_id").to_pylist(), provisions.column("text").to_pylist(), strict=True)
    )
    sequences = encoder.tokenizer.passage_ids(
        [
            passage(row["context"], texts[row["node_id"]][row["start"] : row["end"]])
            for row in chunks.to_pylist()
        ]
    )
    model = folder / MODEL
    same = f"bare ONNX Runtime, the same calls ({CORES} threads x 1)"
    contenders: dict[str, Callable[[], object]] = {
        same: lambda: bare_loop(model, sequences, 1, side_by_side=True)
    }
    for batch in (1, 16, 32, 64):
        name = f"bare ONNX Runtime, batches of {batch} ({CORES} threads a call)"
        contenders[name] = partial(bare_loop, model, sequences, batch, side_by_side=False)
    with tempfile.TemporaryDirectory() as scratch:
        caches = (Path(scratch) / str(number) for number in itertools.count())
        contenders["embed, empty cache"] = lambda: embed(
            chunks, provisions, folder, next(caches), engine=ThreadEngine()
        )
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(rounds):
            for name, action in contenders.items():
                times[name].append(seconds(action))
    ours = min(times["embed, empty cache"])
    print(f"{len(sequences)} chunks, {np.mean([len(ids) for ids in sequences]):.0f} tokens each on average")
    print(f"{'':62}chunks/s   embed is")
    for name, taken in times.items():
        print(f"{name:60}{len(sequences) / min(taken):10.1f}{min(taken) / ours:10.2f}x")
    print(f"query of 12 tokens, one thread: p50 {query_latency(encoder):.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    folder = CHECKOUT / ".cache" / "encoder"
    report = build_encoder(folder, QUERY_TOWER)
    print(
        f"{report.name}: cosine to the reference worst {report.worst_cosine:.4f}, mean {report.mean_cosine:.4f}"
    )
    real = TITLES.exists()
    provisions = real_provisions() if real else synthetic_provisions()
    encoder = open_encoder(folder)
    chunks = chunk_provisions(provisions, encoder.tokenizer, encoder.sha256)
    picked = np.random.default_rng(0).permutation(chunks.num_rows)[: options.chunks]
    print("title 17, U.S. Code" if real else "synthetic text (the shared data is missing)")
    compare(chunks.take(pa.array(picked)), provisions, folder, options.rounds)


if __name__ == "__main__":
    main()
