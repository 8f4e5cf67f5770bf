"""The metrics that there are."""

from pathlib import Path

import pytest

from serving.services.snapshots import SnapshotHolder
from tests.deploy.metrics import metrics


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Every metric: its type, and its labels."""
    folder: Path = tmp_path_factory.mktemp("metrics")
    return metrics(SnapshotHolder(folder), f"sqlite:///{folder / 'none.sqlite'}")
