"""Packages, the encoder and the codes of vectors that the workers of a server share: loaded before the fork.

Memory that no one writes to stays shared. Nothing here may leave a thread behind, since a fork copies none;
a table of LanceDB, which starts some, is opened by each worker.
"""

import gc
import importlib
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from serving.contract.collection import collection_paused
from serving.contract.errors import NoSnapshotError, SnapshotCorruptError
from serving.contract.layout import ENCODER, QUESTIONS, VECTOR_CODES, VECTORS
from serving.encoder.config import query_folder
from serving.encoder.encoder import Encoder
from serving.encoder.opened import opened_encoder
from serving.snapshot.codes import VectorCodes, opened_codes
from serving.snapshot.lance import load_engine
from serving.snapshot.memory import keep_large_apart
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.vector_opening import has_codes

PACKAGES = ("mcp.server", "sqlalchemy", "serving.process.application")
"""Packages of many modules and classes, with what they import."""

UNUSED = ("pandas",)
"""Packages that nothing here uses, and others load where they are installed, as beside the pipeline: Arrow
looks for pandas when it is given an array, which takes half a second and 25 MB."""


class _Absent(MetaPathFinder):
    """Finds none of these packages, as where they are not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if fullname in UNUSED:
            raise ModuleNotFoundError(f"{fullname} is left out of a server", name=fullname)
        return None


class Shared(NamedTuple):
    """Parts of the snapshot in service, as far as they could be read."""

    encoder: Encoder | None
    codes: tuple[VectorCodes, ...]


def load_shared(snapshots: Path) -> Shared:
    """Load what the workers share; what is returned is theirs as long as it is kept.

    Args:
        snapshots: folder of the snapshots. None of them need be there or be sound: the workers tell.
    """
    keep_large_apart()
    sys.meta_path.insert(0, _Absent())
    # The weights are read and packed beside the imports; when this is left, so has the thread.
    with collection_paused(), ThreadPoolExecutor(1) as beside:
        opening = beside.submit(_open_encoder, snapshots)
        for name in PACKAGES:
            importlib.import_module(name)
        codes = _open_codes(snapshots)
        if not codes:
            load_engine()
        encoder = opening.result()
    # The collector would write into every object, and no page of them would stay shared.
    gc.collect()
    gc.freeze()
    return Shared(encoder, codes)


def _open_codes(snapshots: Path) -> tuple[VectorCodes, ...]:
    """Open the codes of the vectors in service; none where these are searched in LanceDB."""
    try:
        folder = snapshots / current_snapshot_id(snapshots)
        if not has_codes(folder / VECTORS):
            return ()
        paths = (folder / name / VECTOR_CODES for name in (VECTORS, QUESTIONS))
        return tuple(opened_codes(path) for path in paths if path.exists())
    except (NoSnapshotError, SnapshotCorruptError):
        return ()  # each worker comes to it again, and logs it


def _open_encoder(snapshots: Path) -> Encoder | None:
    try:
        return opened_encoder(query_folder(snapshots / current_snapshot_id(snapshots) / ENCODER))
    except (NoSnapshotError, SnapshotCorruptError):
        return None  # each worker comes to it again, and logs it
