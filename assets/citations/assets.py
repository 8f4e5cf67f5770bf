"""Asset of citations: where each leads, and what refers to what."""

import dagster as dg

from assets.citations.build import build_citation_index
from assets.progress import Progress, counted
from assets.reporting import table
from assets.selection.config import PublicationConfig, selection_of
from assets.vocabulary import RELEASE, owners
from assets.workspace import Workspace, replacing


@dg.asset(
    deps=["accepted_tables"], group_name="citations", kinds={"arrow"}, owners=owners(RELEASE), tags=RELEASE
)
def citation_index(
    config: PublicationConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Key every citation, and follow every reference that the law's markup or text makes."""
    selection = selection_of(config, workspace)
    with (
        progress.stage("citations", "provisions") as advance,
        replacing(workspace.artefact("citation_index")) as folder,
    ):
        counts = build_citation_index(
            selection,
            folder,
            before=workspace.artefact("citation_index"),
            progress=counted(advance, len(selection)),
        )
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": counts["citations"],
            "marked references that their words contradict": counts["contradicted"],
            "references": table(
                [
                    {
                        "read from": origin,
                        "references": counts[f"from_{origin}"],
                        "lead to a node": counts[f"from_{origin}_resolved"],
                    }
                    for origin in ("markup", "text")
                ]
            ),
        }
    )
