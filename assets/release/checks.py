"""Checks of the release stage."""

import pyarrow.parquet as pq

from assets.checking import artefact_check
from assets.findings import Verdict
from assets.registry import load_registry
from assets.release.assets import bulk_files, citation_quality, coverage, response_store, snapshot
from assets.release.coverage import coverage_did_not_shrink
from assets.release.preview import manifest_in_service
from assets.release.quality.report import (
    load_quality,
    round_trip_verdict,
    second_reader_verdict,
    spellings_verdict,
)
from assets.release.verification import verify_snapshot
from assets.search.counts import counts_match
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import load_selection
from assets.selection.sidecar import built_from
from assets.workspace import Workspace
from serving.contract.downloads import PARQUET, PROVISIONS, file_name
from serving.contract.layout import NODES
from serving.contract.records import SNAPSHOT_NODES
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.table import map_table


def response_store_is_complete(workspace: Workspace) -> Verdict:
    """Count the ready answers."""
    folder = workspace.artefact("response_store")
    selection = load_selection(workspace, load_registry(workspace.registry), built_from(folder))
    found = map_table(folder / NODES, SNAPSHOT_NODES).num_rows
    return counts_match("response_store", found=found, expected=len(selection), what="provisions")


def bulk_files_hold_every_provision(workspace: Workspace) -> Verdict:
    """Count the rows of the Parquet files."""
    folder = workspace.artefact("bulk_files")
    selection = load_selection(workspace, load_registry(workspace.registry), built_from(folder))
    found = sum(
        pq.read_metadata(folder / body.body.key / file_name(PROVISIONS, PARQUET)).num_rows
        for body in selection.bodies
    )
    return counts_match("bulk_files", found=found, expected=len(selection), what="provisions")


def coverage_does_not_shrink(workspace: Workspace) -> Verdict:
    """Compare with the snapshot in service."""
    bodies = built_from(workspace.artefact("coverage"))
    selection = load_selection(workspace, load_registry(workspace.registry), bodies)
    served = manifest_in_service(workspace)
    # The first publication has nothing to shrink from.
    return coverage_did_not_shrink(() if served is None else served.code_bodies, code_body_entries(selection))


def citations_lead_to_their_provisions(workspace: Workspace) -> Verdict:
    """Judge the round trip."""
    return round_trip_verdict(load_quality(workspace.artefact("citation_quality")))


def spellings_lead_to_their_provisions(workspace: Workspace) -> Verdict:
    """Judge the generated spellings."""
    return spellings_verdict(load_quality(workspace.artefact("citation_quality")))


def a_second_reader_agrees(workspace: Workspace) -> Verdict:
    """Judge the comparison with an independent reader."""
    return second_reader_verdict(load_quality(workspace.artefact("citation_quality")))


def snapshot_opens_and_its_hashes_match(workspace: Workspace) -> Verdict:
    """Open the snapshot in service as the server does and hash every file."""
    return verify_snapshot(workspace.snapshots / current_snapshot_id(workspace.snapshots))


CHECKS = [
    artefact_check(
        response_store,
        response_store_is_complete,
        description="There is a ready answer for every provision of the selected code bodies.",
    ),
    artefact_check(
        citation_quality,
        citations_lead_to_their_provisions,
        description="The citation of each live provision leads to it alone, or to all that bear that number.",
    ),
    artefact_check(
        citation_quality,
        spellings_lead_to_their_provisions,
        description="Citations written as people write them lead to the provision that is meant.",
    ),
    artefact_check(
        citation_quality,
        a_second_reader_agrees,
        description="An independent reader of citations reads the same wherever it finds any.",
    ),
    artefact_check(
        bulk_files,
        bulk_files_hold_every_provision,
        description="The files for download hold every provision of the selected code bodies.",
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
