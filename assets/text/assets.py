"""Assets of the text stage: chunks of the provisions' texts, and their vectors."""

from collections.abc import Iterator

import dagster as dg
import pyarrow as pa

from assets.partitions import code_bodies
from assets.progress import Advance, Progress
from assets.reporting import histogram
from assets.text.chunking import chunk_batches
from assets.text.embedding import EmbeddingProgress, embed
from assets.text.tables import (
    read_chunks,
    read_provisions,
    write_chunks,
    write_embeddings,
)
from assets.vocabulary import OWNER, SEARCH
from assets.workspace import Workspace
from serving.encoder.encoder import open_encoder


@dg.asset(
    partitions_def=code_bodies,
    deps=["provisions", "encoder"],
    group_name="text",
    kinds={"parquet"},
    owners=[OWNER],
    tags=SEARCH,
)
def chunks(
    context: dg.AssetExecutionContext,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Cut each text into spans that the encoder takes whole, at the boundaries that the outline gives."""
    body = context.partition_key
    encoder = open_encoder(workspace.encoder)
    table = read_provisions(workspace, body)

    def batches(advance: Advance) -> Iterator[pa.RecordBatch]:
        for batch in chunk_batches(table, encoder.tokenizer, encoder.sha256):
            yield batch.chunks
            advance(batch.provisions, table.num_rows)

    with progress.stage(f"{body}: chunks", "provisions") as advance:
        rows = write_chunks(workspace.chunks(body), batches(advance))
    tokens = read_chunks(workspace, body).column("tokens").to_numpy()
    return dg.MaterializeResult(
        metadata={
            "dagster/partition_row_count": rows,
            "tokens": int(tokens.sum()),
            "longest": int(tokens.max(initial=0)),
            "tokens per chunk": histogram(tokens.tolist(), title="Tokens per chunk", unit="tokens"),
        }
    )


@dg.asset(
    partitions_def=code_bodies,
    deps=[chunks],
    group_name="text",
    kinds={"onnx", "file"},
    owners=[OWNER],
    tags=SEARCH,
    pool="embedding",
)
def embeddings(
    context: dg.AssetExecutionContext,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Encode each chunk whose vector is not in the cache, on all cores; a killed run goes on where it was."""
    body = context.partition_key
    seen: list[EmbeddingProgress] = []
    with progress.stage(f"{body}: embeddings", "chunks") as advance:

        def report(now: EmbeddingProgress) -> None:
            seen[:] = [now]
            advance(now.encoded, now.distinct - now.reused)

        vectors = embed(
            read_chunks(workspace, body),
            read_provisions(workspace, body, ["node_id", "text"]),
            workspace.encoder,
            workspace.embedding_cache,
            progress=report,
        )
    write_embeddings(workspace.embeddings(body), vectors)
    last = seen[0]
    return dg.MaterializeResult(
        metadata={
            "dagster/partition_row_count": len(vectors),
            "dimension": vectors.shape[1],
            "distinct": last.distinct,
            "from the cache": last.reused,
            "encoded": last.encoded,
            "chunks per second": round(last.chunks_per_second, 1),
            "seconds": round(last.seconds, 1),
        }
    )
