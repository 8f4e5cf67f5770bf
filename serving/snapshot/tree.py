"""The tree over all nodes of a snapshot, mapped: what leads from an answer to the root in the manifest."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import numpy as np
import orjson

from serving.contract.errors import DamagedFileError, SnapshotCorruptError
from serving.contract.identity import join
from serving.contract.layout import NODES, TREE
from serving.contract.leaves import node_leaf
from serving.contract.manifest import Manifest
from serving.contract.merkle import HASH_BYTES, inclusion_path, leaf_hash, root_along, tree_root
from serving.contract.records import SNAPSHOT_NODES
from serving.snapshot.table import Strings, integers, map_table


class NodeTree:
    """Hashes of the complete subtrees over the leaves of all nodes, in the order of the rows.

    Args:
        folder: folder of the snapshot.
        size: nodes of the snapshot.
        root: root of the tree, in hexadecimal digits, as the manifest has it.

    Raises:
        DamagedFileError: the file is none of a tree of so many leaves, or of another root.
    """

    def __init__(self, folder: Path, size: int, root: str) -> None:
        self._path = folder / TREE
        try:
            hashes: np.ndarray = np.load(self._path, mmap_mode="r")
        except (OSError, ValueError) as error:
            raise DamagedFileError(str(self._path), f"holds no tree: {error}") from error
        starts = level_starts(size)
        if hashes.shape != (starts[-1], HASH_BYTES) or hashes.dtype != np.uint8:
            raise DamagedFileError(str(self._path), f"holds no tree of {size} nodes")
        self.size = size
        self.root = root
        self._hashes = hashes.data.cast("B") if len(hashes) else memoryview(b"")
        self._starts = starts
        if tree_root(size, self.hash_at).hex() != root:
            raise DamagedFileError(str(self._path), "has another root than the manifest says")

    def hash_at(self, level: int, index: int) -> bytes:
        """Return the hash over 2**level leaves."""
        start = (self._starts[level] + index) * HASH_BYTES
        return bytes(self._hashes[start : start + HASH_BYTES])

    def path(self, row: int, leaf: bytes) -> list[bytes]:
        """Return the hashes that lead from a node's leaf to the root, from below.

        Raises:
            DamagedFileError: they do not lead there.
        """
        path = inclusion_path(row, self.size, self.hash_at)
        found = root_along(path, leaf_hash(leaf), row, self.size)
        if found is None or found.hex() != self.root:
            raise DamagedFileError(str(self._path), f"does not lead from the node in row {row} to its root")
        return path


def level_starts(size: int) -> list[int]:
    """Return the place of the first hash of each level in the file, and the place after the last hash."""
    starts = [0]
    while size:
        starts.append(starts[-1] + size)
        size >>= 1
    return starts


def open_tree(folder: Path, manifest: Manifest) -> NodeTree | None:
    """Return the tree of a snapshot; None for one of an earlier build.

    Raises:
        DamagedFileError: it differs from what was published.
    """
    if manifest.nodes_root is None:
        return None
    return NodeTree(folder, manifest.counts["nodes"], manifest.nodes_root)


def altered_nodes(folder: Path, tree: NodeTree) -> Iterator[UUID]:
    """Yield the ids of the nodes whose answers are not those of the tree. This reads every answer.

    Raises:
        SnapshotCorruptError: the table of nodes is no table of so many.
    """
    batch = map_table(folder / NODES, SNAPSHOT_NODES)
    if batch.num_rows != tree.size:
        raise SnapshotCorruptError(
            str(folder / NODES), f"holds {batch.num_rows} nodes instead of {tree.size}"
        )
    high, low = integers(batch.column("id_hi"), "Q"), integers(batch.column("id_lo"), "Q")
    bodies = Strings(batch.column("body"))
    for row in range(tree.size):
        try:
            is_as_published = leaf_hash(node_leaf(orjson.loads(bodies.view(row)))) == tree.hash_at(0, row)
        except (ValueError, TypeError, AttributeError):
            is_as_published = False
        if not is_as_published:
            yield join(high[row], low[row])
