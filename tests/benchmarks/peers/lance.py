"""LanceDB's own hybrid search: its full-text index, its HNSW index, and its reranker by reciprocal ranks.

As in its documentation on hybrid search: one table, `create_fts_index` with the defaults, `query_type="hybrid"`,
`RRFReranker`. Columns that are filtered by have bitmap indexes; the graph is the one with scalar quantization.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.index import Bitmap, HnswSq
from lancedb.rerankers import RRFReranker

from serving.contract.layout import ENCODER
from serving.contract.records import IN_FORCE
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder
from tests.benchmarks.peers.corpus import Corpus
from tests.benchmarks.peers.engine import PASSAGES, Asked, Connect, distinct, size_of

_TABLE = "passages"
_BATCH_ROWS = 8_192


@dataclass(frozen=True, slots=True)
class Lance:
    """A LanceDB table in a folder.

    Attributes:
        snapshot: folder of the snapshot whose encoder encodes queries.
    """

    snapshot: Path
    folder: Path
    name: str = "LanceDB hybrid"

    def build(self, corpus: Corpus) -> None:
        """Write the table and its indexes."""
        schema = pa.schema(
            [(name, pa.string()) for name in ("node", "text", "jurisdiction", "status")]
            + [("vector", pa.list_(pa.float16(), corpus.vectors.shape[1]))]
        )
        rows = pa.RecordBatchReader.from_batches(schema, _batches(corpus, schema))
        table: Any = lancedb.connect(str(self.folder)).create_table(_TABLE, rows)
        for column in ("jurisdiction", "status"):
            table.create_index(column, config=Bitmap())
        table.create_fts_index("text")
        table.create_index("vector", config=HnswSq(distance_type="cosine"))

    def open(self) -> Connect:
        """Open the table."""
        encoder = open_encoder(query_folder(self.snapshot / ENCODER))
        table: Any = lancedb.connect(str(self.folder)).open_table(_TABLE)
        reranker = RRFReranker()

        def search(asked: Asked, limit: int) -> list[str]:
            query = table.search(query_type="hybrid", vector_column_name="vector", fts_columns="text")
            query = query.vector(encoder.encode_query(asked.text)).text(asked.text)
            query = query.distance_type("cosine").where(_condition(asked.scope)).rerank(reranker)
            return distinct(query.limit(PASSAGES).to_arrow().column("node").to_pylist(), limit)

        return lambda: search

    def bytes_on_disk(self) -> int:
        """Return the size of the folder."""
        return size_of(self.folder)

    def servers(self) -> list[int]:
        """Return none: it runs in its clients' process."""
        return []


def _condition(scope: tuple[str, ...]) -> str:
    listed = ", ".join(f"'{code}'" for code in scope)
    return f"status = '{IN_FORCE}'" + (f" AND jurisdiction IN ({listed})" if scope else "")


def _batches(corpus: Corpus, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(corpus), _BATCH_ROWS):
        part = slice(start, start + _BATCH_ROWS)
        vectors = pa.array(corpus.vectors[part].ravel(), pa.float16())
        columns = (corpus.nodes, corpus.texts, corpus.jurisdictions, corpus.statuses)
        arrays = [pa.array(column[part], pa.string()) for column in columns]
        arrays.append(pa.FixedSizeListArray.from_arrays(vectors, corpus.vectors.shape[1]))
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)
