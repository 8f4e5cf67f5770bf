"""Assets of the text stage: chunks of the provisions' texts, and their vectors."""

import dagster as dg

from assets.partitions import code_bodies
from assets.progress import Progress
from assets.reporting import columns, histogram
from assets.stage_record import made_from, version_of
from assets.text.chunking import chunk_anew
from assets.text.embedding import EmbeddingProgress, embed
from assets.text.encoding import EncodingEngine
from assets.text.lineage import CODE, text_inputs, text_rules
from assets.text.tables import (
    read_accepted,
    read_chunks,
    read_embeddings,
    read_provisions,
    write_chunks,
    write_embeddings,
)
from assets.vocabulary import SEARCH, owners
from assets.workspace import Workspace
from serving.contract.records import CHUNKS
from serving.encoder.config import load_config, verify_files
from serving.encoder.encoder import open_encoder


@dg.asset(
    partitions_def=code_bodies,
    deps=["provisions", "encoder"],
    group_name="text",
    kinds={"parquet"},
    owners=owners(SEARCH),
    tags=SEARCH,
    code_version=CODE,
    metadata=columns(CHUNKS),
)
def chunks(
    context: dg.AssetExecutionContext,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Cut each text into spans that the encoder takes whole, at the boundaries that the outline gives."""
    body = context.partition_key
    encoder = open_encoder(workspace.encoder)
    folder = workspace.chunks(body)
    rules = text_rules(encoder.sha256)
    if made_from(folder) != text_inputs(workspace.provisions(body), rules):
        with progress.stage(f"{body}: chunks", "provisions") as advance:
            before = read_accepted(workspace, body, rules)
            table = read_provisions(workspace, body)
            made = chunk_anew(table, encoder.tokenizer, encoder.sha256, before=before, advance=advance)
        write_chunks(folder, made, rules=rules, of=workspace.provisions(body))
    tokens = read_chunks(workspace, body).column("tokens").to_numpy()
    return dg.MaterializeResult(
        data_version=dg.DataVersion(version_of(folder)),
        metadata={
            "dagster/partition_row_count": len(tokens),
            "tokens": int(tokens.sum()),
            "longest": int(tokens.max(initial=0)),
            "tokens per chunk": histogram(tokens.tolist(), title="Tokens per chunk", unit="tokens"),
        },
    )


@dg.asset(
    partitions_def=code_bodies,
    deps=[chunks],
    group_name="text",
    kinds={"onnx", "file"},
    owners=owners(SEARCH),
    tags=SEARCH,
    code_version=CODE,
    pool="embedding",
)
def embeddings(
    context: dg.AssetExecutionContext,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
    encoding_engine: dg.ResourceParam[EncodingEngine],
) -> dg.MaterializeResult[None]:
    """Encode each chunk whose vector is not in the cache, on all cores; a killed run goes on where it was.

    The cores are those of this machine, or with `ENCODE_ENGINE=ray` those of a Ray cluster.
    """
    body, folder = context.partition_key, workspace.embeddings(context.partition_key)
    rules = text_rules(verify_files(workspace.encoder, load_config(workspace.encoder)))
    if made_from(folder) == text_inputs(workspace.chunks(body), rules):
        vectors = read_embeddings(workspace, body)
        return dg.MaterializeResult(
            data_version=dg.DataVersion(version_of(folder)),
            metadata={"dagster/partition_row_count": len(vectors), "dimension": vectors.shape[1]},
        )
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
            engine=encoding_engine,
            progress=report,
        )
    write_embeddings(folder, vectors, rules=rules, of=workspace.chunks(body))
    last = seen[0]
    return dg.MaterializeResult(
        data_version=dg.DataVersion(version_of(folder)),
        metadata={
            "dagster/partition_row_count": len(vectors),
            "dimension": vectors.shape[1],
            "distinct": last.distinct,
            "from the cache": last.reused,
            "encoded": last.encoded,
            "chunks per second": round(last.chunks_per_second, 1),
            "seconds": round(last.seconds, 1),
        },
    )
