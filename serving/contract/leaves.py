"""Leaves of the trees that prove what was published, in the text formats that `docs/proofs.md` describes."""

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson

from serving.contract.manifest import Manifest

NODE = "legal-node/1"
"""First line of the leaf of a provision."""
SNAPSHOT = "legal-snapshot/1"
"""First line of the leaf of a snapshot."""
PROOF = "proof"
"""Field of an answer that is no part of its leaf, which it proves."""
IN_FULL = 100
"""Bytes up to which a value stands in the leaf itself, and not as its hash."""
_RETRIEVAL = ("provenance", "retrievedAt")
"""A field that depends on the day of the build, not on the law."""


def node_leaf(answer: Mapping[str, Any]) -> bytes:
    """Return the leaf of a provision: a line for each field of its answer, in the order of their names."""
    group, name = _RETRIEVAL
    lines = [NODE]
    for field in sorted(answer):
        if field == PROOF:
            continue
        value = answer[field]
        if field == group:
            value = {key: one for key, one in value.items() if key != name}
        lines.append(f"{field} {_shown(value)}")
    return ("\n".join(lines) + "\n").encode()


def _shown(value: object) -> str:
    # The canonical form of RFC 8785, where names are ASCII and numbers are whole, as they are in answers.
    canonical = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    if len(canonical) > IN_FULL:
        return f"sha256:{hashlib.sha256(canonical).hexdigest()}"
    return canonical.decode()


def snapshot_leaf(manifest: Manifest, manifest_sha256: str) -> bytes:
    """Return the leaf of a snapshot in the log of them.

    Args:
        manifest: its manifest.
        manifest_sha256: SHA-256 of the manifest's file, in hexadecimal digits.
    """
    lines = (
        SNAPSHOT,
        f"snapshot {manifest.id}",
        f"created {manifest.created}",
        f"nodes {manifest.counts['nodes']}",
        f"nodes-root {manifest.nodes_root}",
        f"files-root {manifest.root_sha256}",
        f"manifest {manifest_sha256}",
    )
    return "".join(f"{line}\n" for line in lines).encode()


def leaf_fields(leaf: bytes) -> dict[str, str]:
    """Return what a leaf says of a snapshot, by the first word of each line; empty for another format."""
    first, *lines = leaf.decode(errors="replace").split("\n")
    return dict(line.partition(" ")[::2] for line in lines if line) if first == SNAPSHOT else {}
