"""The small snapshot, open."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from serving.contract.identity import node_id
from serving.snapshot.store import Snapshot, open_snapshot


@pytest.fixture(scope="module")
def snapshot(small_snapshot: Path) -> Iterator[Snapshot]:
    """The small snapshot, open."""
    opened = open_snapshot(small_snapshot)
    yield opened
    opened.close()


@pytest.fixture
def row(snapshot: Snapshot) -> Callable[[str], int]:
    """Return the row of the node with a canonical identifier."""

    def find(identifier: str) -> int:
        found = snapshot.nodes.find(node_id(identifier))
        assert found is not None
        return found

    return find
