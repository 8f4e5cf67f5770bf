"""Asset of the encoder, which every code body's vectors and every query are made with."""

import dagster as dg

from assets.encoder.build import build_encoder
from assets.vocabulary import SEARCH, owners
from assets.workspace import Workspace


@dg.asset(
    group_name="text",
    kinds={"onnx"},
    owners=owners(SEARCH),
    tags=SEARCH,
    pool="encoder",  # builds side by side make it once
)
def encoder(workspace: dg.ResourceParam[Workspace]) -> dg.MaterializeResult[None]:
    """Build the encoders of passages and of queries as int8 ONNX, checked against reference vectors; once."""
    report = build_encoder(workspace.encoder, workspace.query_tower)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(report.sha256),
        metadata={
            "name": report.name,
            "dimension": report.dimension,
            "worst cosine to the reference": report.worst_cosine,
            "mean cosine to the reference": report.mean_cosine,
            "reference sentences": report.sentences,
            "model bytes": report.model_bytes,
            "sha256": report.sha256,
            "queries": report.queries or "as passages",
            "worst cosine to the reference, queries": report.queries_worst_cosine,
        },
    )
