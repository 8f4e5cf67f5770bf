"""Read and write the tables of the text stage in a workspace."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from assets.stage_record import made_by, record_made
from assets.text.kept import SEEN, Before
from assets.text.lineage import text_inputs
from assets.workspace import Workspace, replacing

_CHUNKS = "chunks.parquet"
_EMBEDDINGS = "embeddings.npy"


def read_provisions(workspace: Workspace, body: str, columns: list[str] | None = None) -> pa.Table:
    """Return the provisions of a code body, contract `PROVISIONS`, all columns or some."""
    return pq.read_table(workspace.provisions(body) / "provisions.parquet", columns=columns)


def read_chunks(workspace: Workspace, body: str) -> pa.Table:
    """Return the chunks of a code body, contract `CHUNKS`."""
    return pq.read_table(workspace.chunks(body) / _CHUNKS)


def read_accepted(workspace: Workspace, body: str, rules: str) -> Before | None:
    """Return the provisions and chunks that were accepted, if they were made by the same rules."""
    provisions, chunks = (workspace.accepted(body) / name for name in ("provisions", "chunks"))
    if made_by(chunks) != rules:
        return None
    return Before(
        pq.read_table(provisions / "provisions.parquet", columns=list(SEEN)), pq.read_table(chunks / _CHUNKS)
    )


def read_embeddings(workspace: Workspace, body: str) -> NDArray[np.float16]:
    """Return the vectors of a code body: float16 (chunks, dimension), mapped from the file."""
    vectors: NDArray[np.float16] = np.load(workspace.embeddings(body) / _EMBEDDINGS, mmap_mode="r")
    return vectors


def write_chunks(folder: Path, chunks: pa.Table, *, rules: str, of: Path) -> None:
    """Write chunks in the place of `folder`, made by which rules of the provisions in which folder."""
    with replacing(folder) as staging:
        pq.write_table(chunks, staging / _CHUNKS, compression="zstd")
        record_made(staging, inputs=text_inputs(of, rules), rules=rules)


def write_embeddings(folder: Path, vectors: NDArray[np.float16], *, rules: str, of: Path) -> None:
    """Write vectors in the place of `folder`, made by which rules of the chunks in which folder."""
    with replacing(folder) as staging:
        np.save(staging / _EMBEDDINGS, vectors)
        record_made(staging, inputs=text_inputs(of, rules), rules=rules)
