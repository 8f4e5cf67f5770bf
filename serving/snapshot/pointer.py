"""The pointer to the snapshot in service, and the list of published snapshots."""

import json
import re
from pathlib import Path

from serving.contract.errors import NoSnapshotError
from serving.contract.layout import MANIFEST, POINTER

SNAPSHOT_ID = re.compile(r"(\d{4}\.\d{2}\.\d{2})-(\d+)")


def current_snapshot_id(snapshots: Path) -> str:
    """Return the id of the snapshot in service among those in `snapshots`.

    Raises:
        NoSnapshotError: nothing was published there yet, or the pointer cannot be read.
    """
    path = snapshots / POINTER
    try:
        raw = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise NoSnapshotError(f"No snapshot has been published in {snapshots}.") from None
    except ValueError as error:
        raise NoSnapshotError(f"{path} is not JSON: {error}") from error
    found = raw.get("snapshot") if isinstance(raw, dict) else None
    if not isinstance(found, str) or SNAPSHOT_ID.fullmatch(found) is None:
        raise NoSnapshotError(f"{path} names no snapshot.")
    return found


def list_snapshots(snapshots: Path) -> list[str]:
    """Return the ids of all published snapshots in `snapshots`, oldest first."""
    if not snapshots.is_dir():
        return []
    ids = [
        entry.name
        for entry in snapshots.iterdir()
        if SNAPSHOT_ID.fullmatch(entry.name) and (entry / MANIFEST).is_file()
    ]
    return sorted(ids, key=snapshot_order)


def snapshot_order(snapshot: str) -> tuple[str, int]:
    """Return the sort key of a snapshot id: its date, then its number on that day."""
    day, _, number = snapshot.rpartition("-")
    return day, int(number)
