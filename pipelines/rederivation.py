"""`lawbuild --verify-nodes`: provisions in service, derived again from the bytes that they were read from."""

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from assets.errors import BuildError
from assets.ingest.rederivation import rederive
from assets.registry import load_registry
from assets.release.revision import code_revision
from assets.workspace import Workspace
from pipelines.progress import progress_on_stderr
from pipelines.wanted import Wanted
from serving.contract.answers import NodeBody
from serving.contract.layout import NODES
from serving.contract.manifest import Manifest
from serving.snapshot.nodes import NodeTable
from serving.snapshot.pointer import current_snapshot_id

_LISTED = 10


def verify_nodes(count: int, wanted: Sequence[Wanted], workspace: Workspace) -> int:
    """Draw provisions of each code body in service, derive them again, and say what differs.

    Args:
        count: how many to draw of each code body, at most.
        wanted: the code bodies; none: all in service.
        workspace: holds the snapshots, and the sources as they were pinned.

    Returns:
        0 if all are as they were published, else 1.

    Raises:
        BuildError: a code body is not in service.
        SourceError: a source is not kept, or not what was pinned.
        NoSnapshotError, SnapshotCorruptError: there is no snapshot, or it cannot be read.
    """
    registry = load_registry(workspace.registry)
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    manifest = Manifest.load(folder)
    drawn = _drawn(count, [build.key for build in wanted], folder, manifest)
    failed = False
    for key, answers in drawn.items():
        with progress_on_stderr() as progress, progress.stage(f"{key}: read again", "files") as advance:
            verdict = rederive(
                answers,
                workspace.source_files(key),
                registry.code_body(key),
                tag_rules=workspace.registry / "tags.toml",
                progress=advance,
            )
        derived = verdict.measured["derived"]
        sys.stdout.write(f"{key}: {derived:,} of {verdict.examined:,} provisions derived again, ")
        sys.stdout.write(f"{len(verdict.findings):,} findings\n" if verdict.findings else "all the same\n")
        for finding in verdict.findings[:_LISTED]:
            sys.stdout.write(f"  {finding.where}: {finding.message}\n")
        if len(verdict.findings) > _LISTED:
            sys.stdout.write(f"  and {len(verdict.findings) - _LISTED:,} more\n")
        differing = [
            f"{name} of {number:,}" for name, number in verdict.measured.items() if name != "derived"
        ]
        if differing:
            sys.stdout.write(f"  in all differ: {', '.join(differing)}\n")
        failed = failed or not verdict.passed
    if failed and manifest.revision != code_revision():
        sys.stdout.write(
            f"{manifest.id} was built by revision {manifest.revision} of the code, and read again by "
            f"{code_revision()}: what the one reads otherwise than the other differs, too.\n"
        )
    return 1 if failed else 0


def _drawn(count: int, wanted: Sequence[str], folder: Path, manifest: Manifest) -> dict[str, list[NodeBody]]:
    """Return as many random provisions of each code body as are wanted, by its key."""
    bodies = manifest.code_bodies
    absent = set(wanted) - {body.key for body in bodies}
    if absent:
        raise BuildError(f"Not in service in {folder.name}: {', '.join(sorted(absent))}.")
    nodes = NodeTable(folder / NODES, bodies)
    of_rows = nodes.code_body_indexes()
    drawn: dict[str, list[NodeBody]] = {}
    for number, body in enumerate(bodies):
        if wanted and body.key not in wanted:
            continue
        rows = (of_rows == number).nonzero()[0].tolist()
        # Whoever publishes must not know beforehand which provisions are looked at.
        chosen = random.SystemRandom().sample(rows, min(count, len(rows)))
        drawn[body.key] = [nodes.answer(row) for row in chosen]  # type: ignore[misc]  # what the snapshot holds
    return drawn
