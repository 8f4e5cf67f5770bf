"""Asset of the selection: the tables of a code body that passed all checks together."""

import dagster as dg

from assets.failing import failing_plainly
from assets.partitions import code_bodies
from assets.reporting import columns
from assets.selection.accepted_tables import accept
from assets.stage_record import version_of
from assets.storage.working_copy import keep
from assets.storage.workspace_parts import body_part, encoder_part, vectors_part
from assets.versions import digest_of
from assets.vocabulary import LAW, owners
from assets.workspace import Workspace
from serving.contract.records import PROVISIONS


@dg.asset(
    partitions_def=code_bodies,
    deps=["embeddings"],
    group_name="selection",
    kinds={"parquet"},
    owners=owners(LAW),
    tags=LAW,
    metadata=columns(PROVISIONS),
)
def accepted_tables(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[None]:
    """Keep a code body's tables, which passed all checks together, as what snapshots are made from."""
    with failing_plainly(context):
        sizes = accept(workspace, context.partition_key)
        body = body_part(workspace, context.partition_key)
        keep([encoder_part(workspace), vectors_part(workspace), body])
    folder = workspace.accepted(context.partition_key)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(digest_of(*(version_of(folder / part) for part in sizes))),
        metadata={f"{part} bytes": size for part, size in sizes.items()},
    )
