"""Changes of a staged snapshot from the one in service, written into it before it is published."""

from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from assets.release.manifest import instant
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import Selection
from serving.comparison.compared_law import COVERAGE, ComparedLaw, open_law, stale_titles
from serving.comparison.comparison import Comparison, Difference
from serving.comparison.digest_table import read_digests
from serving.contract.changes import FIRST_SNAPSHOT, NOT_COMPARED, ComparedBody, Summary
from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import CHANGES, CHANGES_SUMMARY, NODES
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import SNAPSHOT_CHANGES
from serving.snapshot.nodes import NodeTable


def write_changes(
    staging: Path, selection: Selection, *, snapshot: str, created: datetime, before: Path | None
) -> Summary:
    """Write the changes of a staged snapshot from the one in service.

    Args:
        staging: holds the tables, digests too, and the coverage of the new snapshot.
        selection: what it was built from.
        snapshot: its id.
        created: instant of its publication.
        before: folder of the snapshot in service; None where there is none.

    Returns:
        The numbers of the changes. A snapshot in service that cannot be read is not compared with, and that
        is said: it must not keep a sound one from taking its place.
    """
    entries = code_body_entries(selection)
    new = ComparedLaw(
        id=snapshot,
        created=instant(created),
        code_bodies=entries,
        jurisdictions=selection.jurisdictions,
        nodes=NodeTable(staging / NODES, entries),
        digests=read_digests(staging, len(selection)),
        stale=stale_titles(orjson.loads((staging / COVERAGE).read_bytes())),
    )
    rows: list[dict[str, Any]] = []
    summary: Summary = {
        "from": None,
        "to": {"id": new.id, "createdAt": new.created},
        "reason": FIRST_SNAPSHOT,
        "codeBodies": [],
    }
    if before is not None:
        try:
            rows = _compare(open_law(before), new, summary)
        except SnapshotCorruptError:
            summary["reason"] = NOT_COMPARED
    with (
        pa.OSFile(str(staging / CHANGES), "wb") as sink,
        pa.ipc.new_file(sink, SNAPSHOT_CHANGES) as writer,
    ):
        writer.write_batch(pa.RecordBatch.from_pylist(rows, SNAPSHOT_CHANGES))
    (staging / CHANGES_SUMMARY).write_bytes(orjson.dumps(summary))
    return summary


def count_changes(summary: Summary) -> int:
    """Return the number of all changes."""
    return sum(count for body in summary["codeBodies"] for count in body["counts"].values())


def _compare(old: ComparedLaw, new: ComparedLaw, summary: Summary) -> list[dict[str, Any]]:
    """Return the rows of the table of changes, and complete the summary of them."""
    comparison = Comparison(old, new)
    rows: list[dict[str, Any]] = []
    bodies: list[ComparedBody] = []
    for body in comparison.code_bodies:
        differences = comparison.differences(body.id)
        bodies.append(comparison.summary(body, differences))
        rows += [_row(comparison, body, difference) for difference in differences]
    summary["from"] = {"id": old.id, "createdAt": old.created}
    summary["reason"] = None
    summary["codeBodies"] = bodies
    return rows


def _row(comparison: Comparison, body: CodeBodyEntry, difference: Difference) -> dict[str, Any]:
    return {
        "code_body": body.id,
        "kind": difference.kind,
        "containers": comparison.containers(difference),
        "body": orjson.dumps(comparison.describe(body, difference)),
    }
