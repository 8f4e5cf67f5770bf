"""Opening a snapshot, and refusing what is not one."""

from pathlib import Path

import pytest

from serving.snapshot import open_snapshot


def test_opens(small_snapshot: Path) -> None:
    snapshot = open_snapshot(small_snapshot)
    assert snapshot.id == small_snapshot.name
    assert len(snapshot.nodes) == len(snapshot.keyword) == snapshot.manifest.counts["nodes"] == 12
