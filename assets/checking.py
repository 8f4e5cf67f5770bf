"""Make Dagster checks from pure functions that return verdicts, and keep a failed one from being missed."""

import warnings
from collections.abc import Callable

import dagster as dg

from assets.findings import Verdict
from assets.partitions import code_bodies, zoning_layers
from assets.registry import CodeBody, Layer, load_registry
from assets.reporting import check_result
from assets.workspace import Workspace

BodyCheck = Callable[[Workspace, CodeBody], Verdict]
LayerCheck = Callable[[Workspace, Layer], Verdict]
ArtefactCheck = Callable[[Workspace], Verdict]


def body_check(
    asset: dg.AssetsDefinition, run: BodyCheck, *, description: str, blocking: bool = True
) -> dg.AssetChecksDefinition:
    """Return the check `run` of one code body's part of `asset`; a failed blocking one stops its body."""

    def by_key(workspace: Workspace, key: str) -> Verdict:
        return run(workspace, load_registry(workspace.registry).code_body(key))

    return _partition_check(
        asset,
        by_key,
        name=run.__name__,
        partitions=code_bodies,
        description=description,
        blocking=blocking,
    )


def layer_check(
    asset: dg.AssetsDefinition, run: LayerCheck, *, description: str, blocking: bool = True
) -> dg.AssetChecksDefinition:
    """Return the check `run` of one layer's part of `asset`; a failed blocking one stops its layer."""

    def by_key(workspace: Workspace, key: str) -> Verdict:
        return run(workspace, load_registry(workspace.registry).layer(key))

    return _partition_check(
        asset,
        by_key,
        name=run.__name__,
        partitions=zoning_layers,
        description=description,
        blocking=blocking,
    )


def _partition_check(
    asset: dg.AssetsDefinition,
    run: Callable[[Workspace, str], Verdict],
    *,
    name: str,
    partitions: dg.PartitionsDefinition[str],
    description: str,
    blocking: bool,
) -> dg.AssetChecksDefinition:
    with warnings.catch_warnings():
        # Checks by partition are new: without them one partition's failure would hide another's.
        warnings.simplefilter("ignore", dg.PreviewWarning)

        @dg.asset_check(
            asset=asset,
            name=name,
            description=description,
            blocking=blocking,
            partitions_def=partitions,
        )
        def check(
            context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
        ) -> dg.AssetCheckResult:
            return check_result(run(workspace, context.partition_key))

    return check


def artefact_check(
    asset: dg.AssetsDefinition, run: ArtefactCheck, *, description: str, blocking: bool = True
) -> dg.AssetChecksDefinition:
    """Return the check `run` of an artefact over all code bodies."""

    @dg.asset_check(asset=asset, name=run.__name__, description=description, blocking=blocking)
    def check(workspace: dg.ResourceParam[Workspace]) -> dg.AssetCheckResult:
        return check_result(run(workspace))

    return check
