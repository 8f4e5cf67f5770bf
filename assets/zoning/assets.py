"""Assets of the zoning stage: pinned files of a layer, its zones, and the version to publish."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
from pydantic import Field

from assets.connectors.fetching import fetch_source
from assets.failing import failing_plainly
from assets.ingest.origins import is_fetched
from assets.partitions import zoning_layers as layers
from assets.progress import Progress
from assets.registry import Layer, load_registry
from assets.reporting import picture, table
from assets.selection.accepted_layers import accept_layer, begin, fail
from assets.selection.config import PublicationConfig, selection_of
from assets.storage.given_sources import on_this_machine
from assets.storage.working_copy import keep
from assets.storage.workspace_parts import layer_part
from assets.vocabulary import ZONING, owners
from assets.workspace import Workspace, replacing
from assets.zoning.built_links import links_of_layer
from assets.zoning.confined import build_confined
from assets.zoning.links import Links
from assets.zoning.picture import picture_of
from assets.zoning.publication import PublishedLayers
from assets.zoning.report import LayerReport
from assets.zoning.sources import LayerSource, layer_origin, pin_layer
from assets.zoning.zones_table import read_zones
from assets.zoning.zoning_answers import build_zoning_answers
from serving.contract.errors import LawError


class LayerConfig(dg.Config):
    """The source of a layer's polygons."""

    path: str | None = Field(
        default=None,
        description="File, folder or archive; unset: the registry's own source, what its publisher has now, "
        "or what is pinned.",
    )


@dg.asset(
    partitions_def=layers,
    group_name="zoning",
    kinds={"file"},
    owners=owners(ZONING),
    tags=ZONING,
    pool="publishers",
)
def layer_files(
    context: dg.AssetExecutionContext,
    config: LayerConfig,
    workspace: dg.ResourceParam[Workspace],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Pin a layer's polygons, and what its entry names beside them, byte for byte with hashes and a date."""
    layer = load_registry(workspace.registry).layer(context.partition_key)
    pinned = workspace.layer_source(layer.short_code)
    now = datetime.now(UTC)
    begin(workspace, layer.short_code, now=now)
    with failing_plainly(context), _recorded(workspace, layer):
        fetched = None
        given = on_this_machine(config.path, workspace, layer.short_code)
        if is_fetched(given, layer):
            key = layer.short_code
            sighted = workspace.newest_release(key)
            fetched = fetch_source(key, layer, workspace.downloads(key), sighted=sighted, progress=progress)
            origin: Path | None = fetched.path
        else:
            origin = layer_origin(given, layer, datasets=workspace.datasets, pinned=pinned)
        if origin is None:
            source = LayerSource.load(pinned)
        else:
            source = pin_layer(origin, layer, pinned, retrieved_at=now, fetched=fetched)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(source.sha256),
        metadata={
            "file": source.file,
            "origin": source.origin,
            "fetched from": [file.address for file in source.fetched] or "nowhere: a path was given",
            "signed": [file.signed.described(file.retrieved_at) for file in source.fetched if file.signed]
            or "no signature was asked for",
            "release": source.release or "not fetched",
            "date of the map": source.date,
            "bytes": source.bytes,
            "compared with": source.compare or "nothing",
            "official sections": source.sections or "no table",
            "retrieved at": source.retrieved_at,
            "licence": layer.license,
            "publisher": layer.publisher,
            "sha256": source.sha256,
        },
    )


@dg.asset(
    partitions_def=layers,
    deps=[layer_files],
    group_name="zoning",
    kinds={"parquet"},
    owners=owners(ZONING),
    tags=ZONING,
)
def zoning_layers(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[None]:
    """Repair polygons, join them into zones in WGS 84, and look each zone's district up in the code."""
    layer = load_registry(workspace.registry).layer(context.partition_key)
    # An attempt of its own: a build from files that are pinned already may fail as well.
    begin(workspace, layer.short_code, now=datetime.now(UTC))
    with (
        failing_plainly(context),
        _recorded(workspace, layer),
        replacing(workspace.layer(layer.short_code)) as folder,
    ):
        pinned = workspace.layer_source(layer.short_code)
        report = build_confined(pinned, layer, folder, built_at=datetime.now(UTC))
    return dg.MaterializeResult(metadata=_seen(report, layer, workspace))


@dg.asset(
    partitions_def=layers,
    deps=[zoning_layers],
    group_name="zoning",
    kinds={"parquet"},
    owners=owners(ZONING),
    tags=ZONING,
)
def accepted_layers(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[None]:
    """Keep a layer that passed all its checks as what snapshots are made from."""
    with failing_plainly(context):
        sizes = accept_layer(workspace, context.partition_key)
        keep([layer_part(workspace, context.partition_key)])
    return dg.MaterializeResult(metadata={f"{name} bytes": size for name, size in sizes.items()})


@dg.asset(
    deps=["accepted_tables", accepted_layers],
    group_name="zoning",
    kinds={"geojson", "arrow"},
    owners=owners(ZONING),
    tags=ZONING,
)
def zoning_answers(
    config: PublicationConfig, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult[None]:
    """Link every layer's zones to the law it is published with, and make its answers and tables ready."""
    with replacing(workspace.artefact("zoning_answers")) as folder:
        counts = build_zoning_answers(selection_of(config, workspace), folder)
    published = PublishedLayers.load(workspace.artefact("zoning_answers"))
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": counts["zones"],
            "layers": table(
                [
                    {
                        "layer": entry.short_code,
                        "zones": entry.feature_count,
                        "citations": entry.citation_quality,
                        "map of": entry.layer_date,
                        "stale": str(entry.stale),
                    }
                    for entry in published.entries.values()
                ]
            ),
            "gaps": table(
                [{"layer": code, "gap": gap} for code, gaps in published.gaps.items() for gap in gaps]
            ),
        }
    )


@contextmanager
def _recorded(workspace: Workspace, layer: Layer) -> Iterator[None]:
    """Record why a step failed, so that coverage can say it of the version that stays."""
    try:
        yield
    except LawError as error:
        fail(workspace, layer.short_code, error.message)
        raise


def _seen(
    report: LayerReport, layer: Layer, workspace: Workspace
) -> dict[str, dg.MetadataValue | int | float | str]:
    """Return what a person wants to know of a layer."""
    zones = read_zones(workspace.layer(layer.short_code))
    links = links_of_layer(workspace, layer)
    return {
        "dagster/partition_row_count": report.zones,
        "date of the map": report.date,
        "citations": links.citation_quality,
        "map": picture(picture_of(zones, report.bbox), layer.name),
        "zones": _table_of(links),
        "districts of the code without a zone": table(
            [
                {"code": district.code, "provision": district.node.label, "words": district.quote}
                for district in links.unused
            ]
        ),
        "left out": table(
            [
                {"value": value.value, "polygons": value.polygons, "reason": value.reason}
                for value in report.not_zones
            ]
        ),
        "spellings": table(
            [
                {"value": value.value, "zone": value.zone, "polygons": value.polygons}
                for value in report.spellings
            ]
        ),
        "repairs": table([{"what": name, "count": count} for name, count in report.repairs.items()]),
        "square kilometres": round(report.area / 1e6, 3),
        "tolerance of the map, metres": report.tolerance_metres,
    }


def _table_of(links: Links) -> dg.MetadataValue:
    return table(
        [
            {
                "zone": link.code,
                "provision": link.citation or "none",
                "link": link.state,
                "evidence": link.reason,
            }
            for link in links.links
        ]
    )
