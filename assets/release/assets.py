"""Assets of the release stage: ready answers, coverage, gates of citations, and the published snapshot."""

from contextlib import suppress
from pathlib import Path

import dagster as dg

from assets.freshness.known import known_freshness
from assets.progress import Progress, counted
from assets.registry import load_registry
from assets.release.bulk.build import build_bulk_files
from assets.release.coverage import build_coverage
from assets.release.evaluation.figures import MEASURES
from assets.release.evaluation.scores import Scores
from assets.release.lineage import note_publication, publication_inputs
from assets.release.preview import manifest_in_service, preview_publication
from assets.release.publish import publish_snapshot
from assets.release.quality.report import Artefacts, build_quality
from assets.release.responses import build_response_store
from assets.release.revision import code_revision
from assets.reporting import bar_chart, findings_table, line_chart, table
from assets.selection.config import PublicationConfig, SnapshotConfig, selection_of
from assets.selection.selection import available_bodies
from assets.storage.working_copy import keep
from assets.storage.workspace_parts import publication_part, snapshots_part
from assets.vocabulary import RELEASE, owners
from assets.workspace import Workspace, replacing
from serving.contract.changes import KINDS, Summary
from serving.contract.errors import SnapshotCorruptError
from serving.contract.manifest import Manifest
from serving.snapshot.addresses import code_of
from serving.snapshot.pointer import list_snapshots


@dg.asset(
    deps=["accepted_tables", "citation_index"],
    group_name="release",
    kinds={"arrow"},
    owners=owners(RELEASE),
    tags=RELEASE,
)
def response_store(
    config: PublicationConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Make every node's and every list's answer ready, so that no request builds one."""
    selection = selection_of(config, workspace)
    with (
        progress.stage("response store", "provisions") as advance,
        replacing(workspace.artefact("response_store")) as folder,
    ):
        counts = build_response_store(
            selection,
            folder,
            references=workspace.artefact("citation_index"),
            before=workspace.artefact("response_store"),
            progress=counted(advance, len(selection)),
        )
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": counts["nodes"],
            "chunks": counts["chunks"],
            "lists of children": counts["browse"],
            "references that lead to a node": counts["citing"],
        }
    )


@dg.asset(
    deps=["accepted_tables", "citation_index", "zoning_answers"],
    group_name="release",
    kinds={"json"},
    owners=owners(RELEASE),
    tags=RELEASE,
)
def coverage(config: PublicationConfig, workspace: dg.ResourceParam[Workspace]) -> dg.MaterializeResult[None]:
    """Say what is covered and what is known to be missing, per jurisdiction and code body."""
    selection = selection_of(config, workspace)
    fresh = {entry.body.key: known_freshness(workspace, entry.body) for entry in selection.bodies}
    with replacing(workspace.artefact("coverage")) as folder:
        counts = build_coverage(
            selection,
            folder,
            references=workspace.artefact("citation_index"),
            layers=workspace.artefact("zoning_answers"),
            fresh=fresh,
        )
    bodies = selection.bodies
    return dg.MaterializeResult(
        metadata={
            "jurisdictions listed": counts["jurisdictions"],
            "jurisdictions with law": counts["with_law"],
            "provisions by code body": bar_chart(
                {entry.body.key: float(entry.count) for entry in bodies},
                title="Provisions by code body",
                unit="provisions",
            ),
            "beside publishers": table(
                [
                    {
                        "code body": key,
                        "status": one.status.value,
                        "days behind": "" if one.days_behind is None else one.days_behind,
                        "reason": "" if one.reason is None else one.reason.value,
                    }
                    for key, one in fresh.items()
                ]
            ),
            "gaps": table(
                [{"code body": entry.body.key, "gap": gap} for entry in bodies for gap in entry.report.gaps]
            ),
        }
    )


@dg.asset(
    deps=["citation_index", response_store],
    group_name="release",
    kinds={"json"},
    owners=owners(RELEASE),
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


@dg.asset(
    deps=["citation_index", response_store],
    group_name="release",
    kinds={"parquet"},
    owners=owners(RELEASE),
    tags=RELEASE,
)
def bulk_files(
    config: PublicationConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Write the provisions and references of every code body as files that anybody may download."""
    selection = selection_of(config, workspace)
    artefacts = Artefacts(workspace.artefact("response_store"), workspace.artefact("citation_index"))
    with (
        progress.stage("bulk files", "provisions") as advance,
        replacing(workspace.artefact("bulk_files")) as folder,
    ):
        counts = build_bulk_files(
            selection,
            folder,
            artefacts=artefacts,
            before=workspace.artefact("bulk_files"),
            progress=counted(advance, len(selection)),
        )
    written = sorted(workspace.artefact("bulk_files").glob("*/*"))
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": counts["published_provisions"],
            "references": counts["published_references"],
            "files": table(
                [{"file": f"{one.parent.name}/{one.name}", "bytes": one.stat().st_size} for one in written]
            ),
        }
    )


@dg.asset(
    deps=["accepted_tables", "accepted_layers"],
    group_name="release",
    kinds={"json"},
    owners=owners(RELEASE),
    tags=RELEASE,
)
def publication_preview(
    config: PublicationConfig, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[None]:
    """Say what a publication of what is accepted now would change, and what would hold it back."""
    registry = load_registry(workspace.registry)
    bodies = config.code_bodies or available_bodies(workspace, registry)
    preview = preview_publication(
        workspace, registry, manifest_in_service(workspace), bodies=bodies, layers=config.layers
    )
    with replacing(workspace.artefact("publication_preview")) as folder:
        preview.save(folder)
    return dg.MaterializeResult(
        metadata={
            "in service": preview.snapshot or "nothing",
            "code bodies": table(
                [
                    {
                        "code body": body.key,
                        "in service": body.before,
                        "then": body.after,
                        "added": body.added,
                        "removed": body.removed,
                        "changed": body.changed,
                        "such as": "; ".join(body.examples),
                    }
                    for body in preview.bodies
                ]
            ),
            "layers added": ", ".join(preview.layers_added) or "none",
            "layers removed": ", ".join(preview.layers_removed) or "none",
            "gaps": table(
                [{"code body": body.key, "gap": gap} for body in preview.bodies for gap in body.gaps]
            ),
            "titles of an earlier edition": table(
                [
                    {"code body": body.key, "title": one}
                    for body in preview.bodies
                    for one in body.stale_titles
                ]
            ),
            "to be judged, and what holds it back": findings_table(preview.findings),
        }
    )


@dg.asset(
    deps=[
        "keyword_index",
        "vector_index",
        "question_index",
        "citation_index",
        citation_quality,
        response_store,
        bulk_files,
        "zoning_answers",
        coverage,
        "provider_comparison",
        "formation_prices",
        "naics_table",
        "encoder",
    ],
    group_name="release",
    kinds={"snapshot"},
    owners=owners(RELEASE),
    tags=RELEASE,
)
def snapshot(
    config: SnapshotConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Put the artefacts together, verify them with the server's own reader, score its search, and publish."""
    selection = selection_of(config, workspace)
    keys = [entry.body.key for entry in selection.bodies]
    inputs = publication_inputs(workspace, load_registry(workspace.registry), keys, config.layers)
    published = publish_snapshot(
        workspace,
        selection,
        revision=code_revision(),
        publish_worse=config.publish_worse,
        progress=progress,
    )
    manifest = published.manifest
    note_publication(workspace, manifest, inputs)
    keep([publication_part(workspace), snapshots_part(workspace)])
    pages = f"{workspace.served_at}/law"
    return dg.MaterializeResult(
        data_version=dg.DataVersion(manifest.root_sha256),
        metadata={
            "id": manifest.id,
            "root sha256": manifest.root_sha256,
            "root of the provisions": manifest.nodes_root,
            "folder": dg.MetadataValue.path(published.folder),
            "served at": dg.MetadataValue.url(pages),
            "code bodies": table(
                [
                    {
                        "code body": f"[{body.key}]({pages}/{body.jurisdiction}/{code_of(body)})",
                        "nodes": body.node_count,
                        "chunks": body.chunk_count,
                        "current through": body.current_through or "not stated",
                        "complete": str(body.complete),
                    }
                    for body in manifest.code_bodies
                ]
            ),
            "largest files": table(
                [
                    {"file": file.path, "bytes": file.bytes}
                    for file in sorted(manifest.files, key=lambda file: -file.bytes)[:10]
                ]
            ),
            "scores of search": table(
                _scored(published.scores), empty=str(published.scores.report["reason"])
            ),
            "provisions over releases": provisions_over_releases(workspace.snapshots),
            **release_notes(published.changes),
            "snapshots dropped": ", ".join(published.removed) or "none",
        },
    )


def _scored(scores: Scores) -> list[dict[str, str | int | float]]:
    """Return a row for each mode and kind of query."""
    return [
        {
            "mode": mode,
            "kind": kind["kind"],
            "questions": kind["queries"],
            **{measure.name: kind[measure.field]["mean"] for measure in MEASURES},
        }
        for mode, found in (scores.report["modes"] or {}).items()
        for kind in found["kinds"]
    ]


def provisions_over_releases(snapshots: Path) -> dg.MetadataValue:
    """Return the number of provisions of each code body in each retained snapshot, oldest first, as lines.

    A snapshot that cannot be read, of another version perhaps, has no point.
    """
    held: dict[str, dict[str, float]] = {}
    for snapshot in list_snapshots(snapshots):
        with suppress(SnapshotCorruptError):
            for body in Manifest.load(snapshots / snapshot).code_bodies:
                held.setdefault(body.key, {})[snapshot] = float(body.node_count)
    return line_chart(held, title="Provisions over releases", unit="provisions")


def release_notes(changes: Summary) -> dict[str, dg.MetadataValue | str]:
    """Return what a person wants to know of a snapshot's changes from the one that was in service before."""
    if changes["from"] is None:
        return {"changes": f"none: {changes['reason']}"}
    bodies = changes["codeBodies"]
    return {
        "compared with": changes["from"]["id"],
        "changes": table(
            [
                {
                    "code body": body["name"],
                    **{kind: body["counts"].get(kind, 0) for kind in KINDS},
                    "not updated": ", ".join(body["staleTitles"]),
                }
                for body in bodies
            ]
        ),
    }
