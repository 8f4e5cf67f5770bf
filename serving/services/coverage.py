"""Coverage of a snapshot: the jurisdictions that are covered, and the law that is known to be missing."""

from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody


def coverage(snapshot: Snapshot) -> StoredBody:
    """Return the ready coverage answer."""
    return snapshot.static("coverage")
