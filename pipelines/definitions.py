"""The code location: all assets, checks, jobs and resources, as Dagster loads them."""

import dagster as dg

from assets.citations import assets as citations
from assets.citations import checks as citation_checks
from assets.encoder import assets as encoder
from assets.formation import assets as formation
from assets.formation import checks as formation_checks
from assets.freshness import checks as freshness_checks
from assets.ingest import assets as ingest
from assets.ingest import checks as ingest_checks
from assets.registry import load_registry
from assets.release import assets as release
from assets.release import checks as release_checks
from assets.search import assets as search
from assets.search import checks as search_checks
from assets.selection import assets as selection
from assets.settings import BuildSettings
from assets.text import assets as text
from assets.text import checks as text_checks
from assets.zoning import assets as zoning
from assets.zoning import checks as zoning_checks
from pipelines.jobs import (
    build_code_body,
    build_zoning_layer,
    check_law,
    check_map,
    judge_citations,
    make_answers,
    make_bulk_files,
    make_indexes,
    preview_publication,
    publish_made,
    publish_snapshot,
    try_code_body,
)
from pipelines.resources import EncodingEngineResource, LoggedProgressResource, WorkspaceResource
from pipelines.schedules import release_schedules
from pipelines.sensors import release_sensors

ASSET_MODULES = (ingest, encoder, text, selection, search, citations, zoning, formation, release)
CHECK_MODULES = (
    ingest_checks,
    text_checks,
    search_checks,
    citation_checks,
    zoning_checks,
    freshness_checks,
    formation_checks,
    release_checks,
)
JOBS = (
    build_code_body,
    try_code_body,
    build_zoning_layer,
    check_law,
    check_map,
    judge_citations,
    make_answers,
    make_bulk_files,
    make_indexes,
    preview_publication,
    publish_made,
    publish_snapshot,
)


@dg.definitions
def defs() -> dg.Definitions:
    """Return the definitions with the settings of this process."""
    settings = BuildSettings.from_env()
    registry = load_registry(settings.open().registry)
    return dg.Definitions(
        assets=dg.load_assets_from_modules(ASSET_MODULES),
        asset_checks=[check for module in CHECK_MODULES for check in module.CHECKS],
        jobs=JOBS,
        sensors=release_sensors(registry),
        schedules=release_schedules(registry),
        # A step takes less time than a process takes to start; an operator at scale sets another executor.
        executor=dg.in_process_executor,
        resources={
            "workspace": WorkspaceResource(
                root=str(settings.workspace),
                datasets=str(settings.datasets),
                snapshots=str(settings.snapshots),
                served_at=settings.served_at,
                log_key=None if settings.log_key is None else str(settings.log_key),
                store=settings.store,
                snapshots_store=settings.snapshots_store,
            ),
            "progress": LoggedProgressResource(),
            "encoding_engine": EncodingEngineResource(engine=settings.encode_engine),
        },
    )
