"""Assets of formation: the free datasets and the NAICS table, from curated files to ready answers."""

import dagster as dg

from assets.formation.build import build_comparison, build_naics, build_prices
from assets.progress import Progress
from assets.vocabulary import RELEASE, SEARCH, owners
from assets.workspace import Workspace, replacing


@dg.asset(group_name="formation", kinds={"json"}, owners=owners(RELEASE), tags=RELEASE)
def provider_comparison(workspace: dg.ResourceParam[Workspace]) -> dg.MaterializeResult[None]:
    """Compare formation providers by one rubric, the operator among them."""
    with replacing(workspace.artefact("provider_comparison")) as folder:
        return dg.MaterializeResult(metadata=build_comparison(workspace, folder))


@dg.asset(group_name="formation", kinds={"json"}, owners=owners(RELEASE), tags=RELEASE)
def formation_prices(workspace: dg.ResourceParam[Workspace]) -> dg.MaterializeResult[None]:
    """Price each formation item by item, and say what each state asks for."""
    with replacing(workspace.artefact("formation_prices")) as folder:
        return dg.MaterializeResult(metadata=build_prices(workspace, folder))


@dg.asset(deps=["encoder"], group_name="formation", kinds={"json"}, owners=owners(SEARCH), tags=SEARCH)
def naics_table(
    workspace: dg.ResourceParam[Workspace], progress: dg.ResourceParam[Progress]
) -> dg.MaterializeResult[None]:
    """Give each NAICS code the words that lead to it, and each of these its vector."""
    with (
        progress.stage("NAICS table", "new phrases") as advance,
        replacing(workspace.artefact("naics_table")) as folder,
    ):
        return dg.MaterializeResult(metadata=build_naics(workspace, folder, progress=advance))
