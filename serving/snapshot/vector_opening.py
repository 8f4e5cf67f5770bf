"""Opening of a snapshot's vectors: by their short codes or, without these, by their table in LanceDB."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from serving.contract.layout import VECTOR_CODES
from serving.contract.records import Jurisdiction
from serving.snapshot.code_index import CodeIndex
from serving.snapshot.filters import Filters
from serving.snapshot.lance_index import LanceIndex
from serving.snapshot.vector import VectorIndex


def has_codes(folder: Path) -> bool:
    """Return whether short codes stand beside the table in a folder of vectors.

    Few vectors have none, nor have those of snapshots that earlier versions built.
    """
    return (folder / VECTOR_CODES).exists()


def open_vectors(
    folder: Path,
    nodes: np.ndarray,
    *,
    jurisdictions: tuple[Jurisdiction, ...],
    dimension: int,
    passing: Callable[[Filters], np.ndarray],
) -> VectorIndex:
    """Open the vectors of chunks. Do so after the fork.

    Args:
        folder: their folder.
        nodes: the provision of each chunk.
        jurisdictions: those of the snapshot, which say what lies within which.
        dimension: dimension of the vectors.
        passing: tells for each provision whether it passes filters.

    Raises:
        SnapshotCorruptError: the folder holds no vectors of these chunks.
    """
    if has_codes(folder):
        return CodeIndex(folder, nodes, dimension=dimension, passing=passing)
    return LanceIndex(folder, jurisdictions=jurisdictions, dimension=dimension, passing=passing)
