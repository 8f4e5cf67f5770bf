"""Assets of citations: where each leads, what refers to what, and how well that holds."""

import dagster as dg

from assets.citations.build import build_citation_index
from assets.citations.quality import Artefacts, build_quality
from assets.progress import Progress, counted
from assets.reporting import table
from assets.selecting import PublicationConfig, selection_of
from assets.vocabulary import OWNER, RELEASE
from assets.workspace import Workspace, replacing


@dg.asset(deps=["accepted_tables"], group_name="release", kinds={"arrow"}, owners=[OWNER], tags=RELEASE)
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
        counts = build_citation_index(selection, folder, progress=counted(advance, len(selection)))
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


@dg.asset(
    deps=[citation_index, "response_store"],
    group_name="release",
    kinds={"json"},
    owners=[OWNER],
    tags=RELEASE,
)
def citation_quality(
    config: PublicationConfig, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[None]:
    """Cite every live provision, as it is stored and as people write it, and see where the resolver leads."""
    selection = selection_of(config, workspace)
    artefacts = Artefacts(workspace.artefact("response_store"), workspace.artefact("citation_index"))
    with replacing(workspace.artefact("citation_quality")) as folder:
        report = build_quality(selection, folder, artefacts=artefacts)["citations"]
    return dg.MaterializeResult(
        metadata={
            "citations": report["roundTrip"]["examined"],
            "citations that lead to their provision": report["roundTrip"]["share"],
            "numbers of several live provisions": len(report["roundTrip"]["ambiguous"]),
            "spellings": report["spellings"]["examined"],
            "spellings that lead to their provision": report["spellings"]["share"],
            "spellings astray by form": table(
                [
                    {"form": form, "astray": count}
                    for form, count in report["spellings"]["byForm"].items()
                    if count
                ]
            ),
        }
    )
