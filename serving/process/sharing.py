"""Packages and the encoder that the workers of a server share: loaded before the fork, and not by each.

Memory that no one writes to stays shared. Nothing here may leave a thread behind, since a fork copies none;
an index of LanceDB, which starts some, is opened by each worker.
"""

import gc
import importlib
import warnings
from pathlib import Path

from serving.contract.errors import NoSnapshotError, SnapshotCorruptError
from serving.contract.layout import ENCODER
from serving.encoder.encoder import Encoder
from serving.encoder.opened import opened_encoder
from serving.snapshot.pointer import current_snapshot_id

PACKAGES = ("lance_namespace", "lancedb", "mcp.server", "sqlalchemy", "serving.process.application")
"""Packages of many modules and classes, with what they import."""


def load_shared(snapshots: Path) -> Encoder | None:
    """Load what the workers share; the encoder returned is theirs as long as it is kept.

    Args:
        snapshots: folder of the snapshots. None of them need be there or be sound: the workers tell.
    """
    for name in PACKAGES:
        importlib.import_module(name)
    _stop_loop_of_lancedb()
    try:
        encoder = opened_encoder(snapshots / current_snapshot_id(snapshots) / ENCODER)
    except (NoSnapshotError, SnapshotCorruptError):
        encoder = None  # each worker comes to it again, and logs it
    # The collector would write into every object, and no page of them would stay shared.
    gc.collect()
    gc.freeze()
    return encoder


def _stop_loop_of_lancedb() -> None:
    """Stop the thread that LanceDB starts when it is imported; it starts another in each worker."""
    background = importlib.import_module("lancedb.background_loop").LOOP
    background.loop.call_soon_threadsafe(background.loop.stop)
    background.thread.join()
    background.loop.close()
    # It warns of threads that a fork may catch at work: there are none.
    warnings.filterwarnings("ignore", "lancedb fork support is experimental", RuntimeWarning)
