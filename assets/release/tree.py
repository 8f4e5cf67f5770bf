"""The tree over all nodes of a staged snapshot, whose root goes into its manifest and into the log."""

from pathlib import Path

import numpy as np
import orjson

from serving.contract.layout import NODES, TREE
from serving.contract.leaves import node_leaf
from serving.contract.merkle import HASH_BYTES, leaf_hash, levels_over, tree_root
from serving.contract.records import SNAPSHOT_NODES
from serving.snapshot.table import Strings, map_table


def write_tree(staging: Path) -> str:
    """Write the tree over the nodes of a staged snapshot. This reads every answer.

    Returns:
        Its root, in hexadecimal digits.
    """
    batch = map_table(staging / NODES, SNAPSHOT_NODES)
    bodies = Strings(batch.column("body"))
    leaves = [leaf_hash(node_leaf(orjson.loads(bodies.view(row)))) for row in range(batch.num_rows)]
    levels = levels_over(leaves)
    stored = b"".join(b"".join(level) for level in levels)
    np.save(staging / TREE, np.frombuffer(stored, np.uint8).reshape(-1, HASH_BYTES))
    return tree_root(len(leaves), lambda level, index: levels[level][index]).hex()
