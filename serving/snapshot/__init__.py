"""The open snapshot: memory-mapped tables, indexes and ready answers, read-only."""

from serving.snapshot.store import Snapshot, open_snapshot

__all__ = ["Snapshot", "open_snapshot"]
