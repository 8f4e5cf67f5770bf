"""Encodes chunks: on all cores, each distinct one once, never one whose vector is already in the cache.

Threads encode side by side, each call on its own thread and with one chunk. Measured on 2 cores, this is
faster than calls that use both cores (which wait for each other) and than batches of 16 to 128 (which leave
the processor's cache), and it makes a vector independent of what else is encoded.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.errors import BuildError
from assets.text.passages import chunk_key, passage
from assets.text.vector_cache import VectorCache
from serving.encoder.encoder import Encoder, open_encoder

Vectors = NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """Progress of encoding.

    Attributes:
        chunks: rows of the table.
        distinct: chunks that differ in what is encoded.
        reused: distinct chunks whose vectors were in the cache.
        encoded: distinct chunks encoded so far by this run, out of `distinct - reused`.
        tokens_left: tokens that are still to be encoded.
        tokens_encoded: tokens encoded so far.
        seconds: since the first batch was started.
    """

    chunks: int
    distinct: int
    reused: int
    encoded: int
    tokens_left: int
    tokens_encoded: int
    seconds: float

    @property
    def chunks_per_second(self) -> float:
        """Rate of this run so far; 0 before the first batch."""
        return self.encoded / self.seconds if self.encoded else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimate by tokens, as chunks become shorter; None before the first batch."""
        if not self.tokens_left:
            return 0.0
        return self.seconds * self.tokens_left / self.tokens_encoded if self.tokens_encoded else None


def embed(
    chunks: pa.Table,
    provisions: pa.Table,
    encoder_folder: Path,
    cache: Path,
    *,
    batch: int = 64,
    threads: int | None = None,
    progress: Callable[[EmbeddingProgress], None] = lambda _: None,
) -> Vectors:
    """Return the unit vectors of chunks: float16 (n, dimension), row by row.

    Killed at any point, the next call goes on after the last batch that was finished.

    Args:
        chunks: contract `CHUNKS`.
        provisions: contract `PROVISIONS`; only `node_id` and `text` are read.
        encoder_folder: of the encoder that the chunks were made for.
        cache: folder of the vector cache, shared by all code bodies and builds.
        batch: chunks that are written to the cache together.
        threads: that encode side by side; None: as many as cores are available.
        progress: called at the start and after every batch.

    Raises:
        BuildError: the chunks were made for another encoder or other texts.
    """
    encoder = open_encoder(encoder_folder)
    keys = [bytes.fromhex(key) for key in chunks.column("key").to_pylist()]
    first_rows: dict[bytes, int] = {}
    for row, key in enumerate(keys):
        first_rows.setdefault(key, row)
    vectors = np.empty((len(keys), encoder.dimension), np.float16)
    with VectorCache(cache) as stored:
        found = stored.load(first_rows, vectors)
        missing = np.array([row for key, row in first_rows.items() if key not in found], np.int64)
        # Longest first: the last batches, at which some cores run dry, are then the shortest.
        tokens = chunks.column("tokens").to_numpy()
        missing = missing[np.argsort(-tokens[missing], kind="stable")]
        source = _Passages(chunks, provisions, missing)
        tally = _Tally(len(keys), len(first_rows), len(found), int(tokens[missing].sum()))
        progress(tally.snapshot())
        batches = [missing[start : start + batch] for start in range(0, len(missing), batch)]
        for rows, encoded in _encoded(encoder, source, batches, threads or _cores()):
            stored.append([keys[row] for row in rows], encoded)
            vectors[rows] = encoded
            tally.add(len(rows), int(tokens[rows].sum()))
            progress(tally.snapshot())
    for row, key in enumerate(keys):
        if first_rows[key] != row:
            vectors[row] = vectors[first_rows[key]]
    return vectors


class _Passages:
    """Passages of given rows of the chunks, made when they are needed and checked against their keys."""

    def __init__(self, chunks: pa.Table, provisions: pa.Table, rows: NDArray[np.int64]) -> None:
        chosen = chunks.take(pa.array(rows))
        columns = (chosen.column(name).to_pylist() for name in ("node_id", "start", "end", "context", "key"))
        self._columns = dict(zip(rows.tolist(), zip(*columns, strict=True), strict=True))
        wanted = provisions.filter(
            pc.is_in(provisions.column("node_id"), pc.unique(chosen.column("node_id")))
        )
        self._texts = dict(
            zip(wanted.column("node_id").to_pylist(), wanted.column("text").to_pylist(), strict=True)
        )

    def get(self, row: int, encoder_sha256: str) -> str:
        node_id, start, end, context, key = self._columns[row]
        text = self._texts.get(node_id)
        if text is None:
            raise BuildError(
                f"Chunks of {node_id}, which is not among the provisions: build the chunks again."
            )
        encoded = passage(context, text[start:end])
        if chunk_key(encoder_sha256, encoded) != key:
            raise BuildError(
                f"Chunk [{start}, {end}) of {node_id} was made for another encoder or of another text: "
                "build the chunks again."
            )
        return encoded


class _Tally:
    """Counts what is done."""

    def __init__(self, chunks: int, distinct: int, reused: int, tokens: int) -> None:
        self._fixed = (chunks, distinct, reused)
        self._tokens = tokens
        self._encoded = 0
        self._tokens_encoded = 0
        self._began = time.monotonic()

    def add(self, chunks: int, tokens: int) -> None:
        self._encoded += chunks
        self._tokens_encoded += tokens

    def snapshot(self) -> EmbeddingProgress:
        return EmbeddingProgress(
            *self._fixed,
            encoded=self._encoded,
            tokens_left=self._tokens - self._tokens_encoded,
            tokens_encoded=self._tokens_encoded,
            seconds=time.monotonic() - self._began,
        )


def _encoded(
    encoder: Encoder, source: _Passages, batches: Sequence[NDArray[np.int64]], threads: int
) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
    """Yield each batch with its vectors, in the order in which they are finished."""

    def encode(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], Vectors]:
        passages = [source.get(int(row), encoder.sha256) for row in rows]
        return rows, encoder.encode_batch(passages).astype(np.float16)

    with ThreadPoolExecutor(threads) as pool:
        running: set[Future[tuple[NDArray[np.int64], Vectors]]] = set()
        for rows in batches:
            # One batch a thread is ready beside those at work, no more: an error or a stop is then quick.
            if len(running) >= 2 * threads:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
            running.add(pool.submit(encode, rows))
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


def _cores() -> int:
    return len(os.sched_getaffinity(0))
