"""Asset of the selection: the tables of a code body that passed all checks together."""

import dagster as dg

from assets.partitions import code_bodies
from assets.selection.accepted_tables import accept
from assets.stage_record import version_of
from assets.versions import digest_of
from assets.vocabulary import LAW, OWNER
from assets.workspace import Workspace


@dg.asset(
    partitions_def=code_bodies,
    deps=["embeddings"],
    group_name="selection",
    kinds={"parquet"},
    owners=[OWNER],
    tags=LAW,
)
def accepted_tables(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[None]:
    """Keep a code body's tables, which passed all checks together, as what snapshots are made from."""
    sizes = accept(workspace, context.partition_key)
    folder = workspace.accepted(context.partition_key)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(digest_of(*(version_of(folder / part) for part in sizes))),
        metadata={f"{part} bytes": size for part, size in sizes.items()},
    )
