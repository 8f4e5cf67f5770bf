"""Checks of the release stage."""

import orjson

from assets.checking import artefact_check
from assets.findings import Finding, Verdict
from assets.registry import load_registry
from assets.release.assets import coverage, response_store, snapshot, zoning_answers
from assets.release.coverage import code_body_entries, coverage_did_not_shrink
from assets.release.selection import load_selection
from assets.release.sidecar import built_from
from assets.release.verification import verify_snapshot
from assets.search.counts import counts_match
from assets.workspace import Workspace
from assets.zoning import validate
from assets.zoning.publication import PublishedLayers
from serving.contract.errors import NoSnapshotError
from serving.contract.layers import ZONES, answer_file, zones_file
from serving.contract.layout import GIS, NODES
from serving.contract.manifest import CodeBodyEntry, Manifest
from serving.contract.records import SNAPSHOT_NODES
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.table import map_table


def response_store_is_complete(workspace: Workspace) -> Verdict:
    """Count the ready answers."""
    folder = workspace.artefact("response_store")
    selection = load_selection(workspace, load_registry(workspace.registry), built_from(folder))
    found = map_table(folder / NODES, SNAPSHOT_NODES).num_rows
    return counts_match("response_store", found=found, expected=len(selection), what="provisions")


def coverage_does_not_shrink(workspace: Workspace) -> Verdict:
    """Compare with the snapshot in service."""
    bodies = built_from(workspace.artefact("coverage"))
    selection = load_selection(workspace, load_registry(workspace.registry), bodies)
    return coverage_did_not_shrink(_in_service(workspace), code_body_entries(selection))


def zone_provisions_exist(workspace: Workspace) -> Verdict:
    """Look up every provision that a zone cites."""
    folder = workspace.artefact("zoning_answers")
    bodies = built_from(folder)
    selection = load_selection(workspace, load_registry(workspace.registry), bodies)
    cited = [
        (f"{code} {row['zone_code']}", row["node_id"])
        for code in PublishedLayers.load(folder).entries
        for row in map_table(folder / GIS / zones_file(code), ZONES).to_pylist()
        if row["node_id"] is not None
    ]
    known = set(selection.provisions.column("node_id").to_pylist()) if cited else set()
    return validate.zone_provisions_exist(cited, known)


def zones_are_counted_right(workspace: Workspace) -> Verdict:
    """Count the zones of every layer's answer."""
    folder = workspace.artefact("zoning_answers")
    entries = PublishedLayers.load(folder).entries.values()
    findings = []
    for entry in entries:
        answer = orjson.loads((folder / GIS / answer_file(entry.short_code)).read_bytes())
        rows = map_table(folder / GIS / zones_file(entry.short_code), ZONES).num_rows
        found = (answer["featureCount"], len(answer["geojson"]["features"]), rows)
        if set(found) != {entry.feature_count}:
            message = f"says {entry.feature_count} zones; its answer and tables hold {found}."
            findings.append(Finding("zones_differ", entry.short_code, message))
    return Verdict(1 + len(entries), findings)


def snapshot_opens_and_its_hashes_match(workspace: Workspace) -> Verdict:
    """Open the snapshot in service as the server does and hash every file."""
    return verify_snapshot(workspace.snapshots / current_snapshot_id(workspace.snapshots))


def _in_service(workspace: Workspace) -> tuple[CodeBodyEntry, ...]:
    try:
        current = current_snapshot_id(workspace.snapshots)
    except NoSnapshotError:
        return ()  # the first publication has nothing to shrink from
    return Manifest.load(workspace.snapshots / current).code_bodies


CHECKS = [
    artefact_check(
        response_store,
        response_store_is_complete,
        description="There is a ready answer for every provision of the selected code bodies.",
    ),
    artefact_check(
        zoning_answers,
        zone_provisions_exist,
        description="Every provision that a zone cites is in the publication.",
    ),
    artefact_check(
        zoning_answers,
        zones_are_counted_right,
        description="Every layer has as many zones, in its answer and its tables, as it says.",
    ),
    artefact_check(
        coverage,
        coverage_does_not_shrink,
        description="No code body of the snapshot in service is gone or has lost more than a small share.",
        blocking=False,
    ),
    artefact_check(
        snapshot,
        snapshot_opens_and_its_hashes_match,
        description="The published snapshot opens in the server's reader, and every file has its hash.",
    ),
]
