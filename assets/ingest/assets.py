"""Assets of the ingest stage: the pinned source of a code body, and its provisions."""

from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pyarrow.parquet as pq
from pydantic import Field

from assets.connectors.fetching import fetch_source
from assets.failing import failing_plainly
from assets.ingest.lineage import CODE, provisions_inputs, reading_rules
from assets.ingest.origins import is_fetched, origin_of
from assets.ingest.pinned import PinnedSource
from assets.ingest.quarantine import build_quarantined
from assets.ingest.report import ProvisionsReport
from assets.ingest.sources import pin_source
from assets.partitions import code_bodies
from assets.progress import Progress
from assets.registry import load_registry
from assets.reporting import bar_chart, columns, excerpt, table
from assets.stage_record import made_from, version_of
from assets.storage.given_sources import on_this_machine
from assets.vocabulary import LAW, owners
from assets.workspace import Workspace
from serving.contract.records import PROVISIONS

_PREVIEWED = 5


class SourceConfig(dg.Config):
    """The source of a code body."""

    path: str | None = Field(
        default=None,
        description="Folder, .tar.xz, .tar.gz or .zip, or the URL of an archive on an object store; unset: "
        "the registry's own source, what its publisher has now, or what is pinned.",
    )


@dg.asset(
    partitions_def=code_bodies,
    group_name="ingest",
    kinds={"xml", "parquet"},
    owners=owners(LAW),
    tags=LAW,
    pool="publishers",  # one build at a time asks them, so that no host is asked twice at once
)
def source_files(
    context: dg.AssetExecutionContext,
    config: SourceConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Pin the official files of a code body, byte for byte, by SHA-256, with licence and date."""
    with failing_plainly(context):
        body = load_registry(workspace.registry).code_body(context.partition_key)
        destination = workspace.source_files(body.key)
        fetched = None
        given = on_this_machine(config.path, workspace, body.key)
        if is_fetched(given, body):
            fetched = fetch_source(
                body.key,
                body,
                workspace.downloads(body.key),
                sighted=workspace.newest_release(body.key),
                progress=progress,
            )
            origin: Path | None = fetched.path
        else:
            origin = origin_of(given, body, datasets=workspace.datasets, pinned=destination)
        if origin is None:
            source = PinnedSource.load(destination)
        else:
            with progress.stage(f"{body.key}: source files", "files") as advance:
                now = datetime.now(UTC)
                source = pin_source(
                    origin, body, destination, retrieved_at=now, progress=advance, fetched=fetched
                )
    return dg.MaterializeResult(
        data_version=dg.DataVersion(source.sha256),
        metadata={
            "dagster/partition_row_count": source.files,
            "bytes": source.bytes,
            "origin": source.origin,
            "fetched from": [file.address for file in source.fetched] or "nowhere: a path was given",
            "signed": [file.signed.described(file.retrieved_at) for file in source.fetched if file.signed]
            or "no signature was asked for",
            "release": source.release or "not fetched",
            "release point": source.release_point or "not stated in the name",
            "retrieved at": source.retrieved_at,
            "licence": source.license,
            "publisher": source.publisher,
            "sha256": source.sha256,
        },
    )


@dg.asset(
    partitions_def=code_bodies,
    deps=[source_files],
    group_name="ingest",
    kinds={"parquet"},
    owners=owners(LAW),
    tags=LAW,
    code_version=CODE,
    metadata=columns(PROVISIONS),
)
def provisions(
    context: dg.AssetExecutionContext,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Read one row per container and section: hierarchy, citation, status, operative text, notes apart."""
    with failing_plainly(context):
        body = load_registry(workspace.registry).code_body(context.partition_key)
        pinned, folder = workspace.source_files(body.key), workspace.provisions(body.key)
        tag_rules = workspace.registry / "tags.toml"
        rules = reading_rules(body, tag_rules)
        inputs = provisions_inputs(PinnedSource.load(pinned), rules)
        if made_from(folder) == inputs:
            report = ProvisionsReport.load(folder)
        else:
            with progress.stage(f"{body.key}: provisions", "files") as advance:
                report = build_quarantined(
                    pinned,
                    body,
                    folder,
                    tag_rules=tag_rules,
                    previous=workspace.accepted(body.key) / "provisions",
                    progress=advance,
                    rules=rules,
                    kept=workspace.read_titles(body.key),
                )
    return dg.MaterializeResult(
        data_version=dg.DataVersion(version_of(folder)), metadata=_seen(report, workspace, body.key)
    )


def _seen(
    report: ProvisionsReport, workspace: Workspace, body: str
) -> dict[str, dg.MetadataValue | int | str]:
    """Return what a person wants to know of a code body's provisions."""
    units = {unit.label: float(unit.sections) for unit in report.units}
    preview = pq.ParquetFile(workspace.provisions(body) / "provisions.parquet")
    shown = ["citation", "heading", "status", "text"]
    first = next(preview.iter_batches(200, columns=[*shown, "citable"])).to_pylist()
    return {
        "dagster/partition_row_count": report.provisions,
        "sections": report.sections,
        "complete": str(report.complete),
        "current through": report.current_through or "not stated",
        "release point": report.release_point or "not stated",
        "by level": table([{"level": name, "provisions": count} for name, count in report.levels.items()]),
        "by status": table(
            [{"status": name, "provisions": count} for name, count in report.statuses.items()]
        ),
        "gaps": table([{"gap": gap} for gap in report.gaps]),
        "sections by unit": bar_chart(units, title="Sections by unit", unit="sections"),
        "preview": table(
            [{name: excerpt(row[name]) for name in shown} for row in first if row["citable"]][:_PREVIEWED]
        ),
    }
