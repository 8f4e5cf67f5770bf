"""Make Dagster checks from pure functions that return verdicts, and keep a failed one from being missed."""

import warnings
from collections.abc import Callable

import dagster as dg

from assets.findings import Verdict
from assets.partitions import code_bodies
from assets.registry import CodeBody, load_registry
from assets.reporting import check_result
from assets.workspace import Workspace

BodyCheck = Callable[[Workspace, CodeBody], Verdict]
ArtefactCheck = Callable[[Workspace], Verdict]


def body_check(
    asset: dg.AssetsDefinition, run: BodyCheck, *, description: str, blocking: bool = True
) -> dg.AssetChecksDefinition:
    """Return the check `run` of one code body's part of `asset`; a failed blocking one stops its body."""
    with warnings.catch_warnings():
        # Checks by partition are new: without them one body's failure would hide another's.
        warnings.simplefilter("ignore", dg.PreviewWarning)

        @dg.asset_check(
            asset=asset,
            name=run.__name__,
            description=description,
            blocking=blocking,
            partitions_def=code_bodies,
        )
        def check(
            context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
        ) -> dg.AssetCheckResult:
            body = load_registry(workspace.registry).code_body(context.partition_key)
            return check_result(run(workspace, body))

    return check


def artefact_check(
    asset: dg.AssetsDefinition, run: ArtefactCheck, *, description: str, blocking: bool = True
) -> dg.AssetChecksDefinition:
    """Return the check `run` of an artefact over all code bodies."""

    @dg.asset_check(asset=asset, name=run.__name__, description=description, blocking=blocking)
    def check(workspace: dg.ResourceParam[Workspace]) -> dg.AssetCheckResult:
        return check_result(run(workspace))

    return check
