"""Encodes chunks by an engine: each distinct one once, never one whose vector is already in the cache."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.errors import BuildError
from assets.text.encoding import Batch, EncodingEngine, Vectors
from assets.text.passages import chunk_key, passage
from assets.text.vector_cache import VectorCache
from serving.encoder.config import load_config, verify_files


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
    engine: EncodingEngine,
    progress: Callable[[EmbeddingProgress], None] = lambda _: None,
) -> Vectors:
    """Return the unit vectors of chunks: float16 (n, dimension), row by row.

    Killed at any point, the next call goes on after the last batch that was finished.

    Args:
        chunks: contract `CHUNKS`.
        provisions: contract `PROVISIONS`; only `node_id` and `text` are read.
        encoder_folder: of the encoder that the chunks were made for.
        cache: folder of the vector cache, shared by all code bodies and builds.
        engine: that encodes; a batch of its size is written to the cache together.
        progress: called at the start and after every batch.

    Raises:
        BuildError: the chunks were made for another encoder or other texts, or the engine left some out.
    """
    config = load_config(encoder_folder)
    sha256 = verify_files(encoder_folder, config)
    keys = [bytes.fromhex(key) for key in chunks.column("key").to_pylist()]
    first_rows: dict[bytes, int] = {}
    for row, key in enumerate(keys):
        first_rows.setdefault(key, row)
    vectors = np.empty((len(keys), config.dimension), np.float16)
    with VectorCache(cache) as stored:
        found = stored.load(first_rows, vectors)
        missing = np.array([row for key, row in first_rows.items() if key not in found], np.int64)
        # Longest first: the last batches, at which some cores run dry, are then the shortest.
        tokens = chunks.column("tokens").to_numpy()
        missing = missing[np.argsort(-tokens[missing], kind="stable")]
        source = _Passages(chunks, provisions, missing)
        tally = _Tally(len(keys), len(first_rows), len(found), int(tokens[missing].sum()))
        progress(tally.snapshot())
        batches = (source.batch(rows, sha256) for rows in _cut(missing, engine.batch))
        left = np.zeros(len(keys), bool)
        left[missing] = True
        for rows, encoded in engine.encoded(encoder_folder, batches):
            stored.append([keys[row] for row in rows], encoded)
            vectors[rows] = encoded
            left[rows] = False
            tally.add(len(rows), int(tokens[rows].sum()))
            progress(tally.snapshot())
    if left.any():
        raise BuildError(
            f"{int(left.sum())} of {len(missing)} chunks came back without a vector: build again."
        )
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

    def batch(self, rows: NDArray[np.int64], encoder_sha256: str) -> Batch:
        return Batch(rows, [self._passage(int(row), encoder_sha256) for row in rows])

    def _passage(self, row: int, encoder_sha256: str) -> str:
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


def _cut(rows: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]
