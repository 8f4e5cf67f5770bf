"""Proofs that answers are what was published: the path from an answer to the root of its snapshot's tree."""

from uuid import UUID

import orjson

from serving.contract.answers import NodeBody, Proof
from serving.contract.errors import NotFoundError
from serving.contract.leaves import PROOF, node_leaf
from serving.services.nodes import Rendition, find_node, rendition
from serving.snapshot.store import Snapshot


def proved_node(snapshot: Snapshot, node: UUID) -> Rendition:
    """Return the JSON answer of a node with its proof.

    Raises:
        NotFoundError: the snapshot has no such node, or was published without a tree.
        DamagedFileError: the answer or the tree differs from what was published.
    """
    row = find_node(snapshot, node)
    plain = bytes(snapshot.nodes.body(row).plain)
    proof = proof_of(snapshot, row, orjson.loads(plain))
    return rendition(plain[:-1] + b"," + orjson.dumps({PROOF: proof})[1:])


def proof_of(snapshot: Snapshot, row: int, answer: NodeBody) -> Proof:
    """Return the proof of the answer of a node.

    Args:
        snapshot: the snapshot.
        row: row of the node in it.
        answer: all of the answer.

    Raises:
        NotFoundError: the snapshot was published without a tree.
        DamagedFileError: the answer or the tree differs from what was published.
    """
    tree = snapshot.tree
    if tree is None:
        raise NotFoundError(
            f"Snapshot {snapshot.id} was published without the tree that proofs are made from; leave `proof` "
            "out to read it.",
            kind="proof",
        )
    leaf = node_leaf(answer)
    return {
        "snapshot": snapshot.id,
        "leaf": leaf.decode(),
        "index": row,
        "size": tree.size,
        "path": [beside.hex() for beside in tree.path(row, leaf)],
        "root": tree.root,
    }
