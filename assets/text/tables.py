"""Read and write the tables of the text stage in a workspace."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from assets.workspace import Workspace, replacing
from serving.contract.records import CHUNKS

_CHUNKS = "chunks.parquet"
_EMBEDDINGS = "embeddings.npy"


def read_provisions(workspace: Workspace, body: str, columns: list[str] | None = None) -> pa.Table:
    """Return the provisions of a code body, contract `PROVISIONS`, all columns or some."""
    return pq.read_table(workspace.provisions(body) / "provisions.parquet", columns=columns)


def read_chunks(workspace: Workspace, body: str) -> pa.Table:
    """Return the chunks of a code body, contract `CHUNKS`."""
    return pq.read_table(workspace.chunks(body) / _CHUNKS)


def read_embeddings(workspace: Workspace, body: str) -> NDArray[np.float16]:
    """Return the vectors of a code body: float16 (chunks, dimension), mapped from the file."""
    vectors: NDArray[np.float16] = np.load(workspace.embeddings(body) / _EMBEDDINGS, mmap_mode="r")
    return vectors


def write_chunks(folder: Path, batches: Iterable[pa.RecordBatch]) -> int:
    """Write batches of chunks in the place of `folder`; return how many rows."""
    rows = 0
    with replacing(folder) as staging, pq.ParquetWriter(staging / _CHUNKS, CHUNKS, compression="zstd") as out:
        for batch in batches:
            out.write_batch(batch)
            rows += batch.num_rows
    return rows


def write_embeddings(folder: Path, vectors: NDArray[np.float16]) -> None:
    """Write the vectors in the place of `folder`."""
    with replacing(folder) as staging:
        np.save(staging / _EMBEDDINGS, vectors)
