"""Merkle trees as RFC 9162 defines them: leaves and inner nodes are hashed apart, with SHA-256."""

import hashlib
from collections.abc import Callable, Sequence

HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256().digest()
"""Root of a tree without leaves."""

HashAt = Callable[[int, int], bytes]
"""Gives the hash over 2**level leaves, by the level and by the number from the left in it."""


def leaf_hash(leaf: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return hashlib.sha256(b"\1" + left + right).digest()


def levels_over(leaves: Sequence[bytes]) -> list[Sequence[bytes]]:
    """Return the hashes of all complete subtrees: those of the leaves, of each pair of them, and so on."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        below = levels[-1]
        levels.append([node_hash(below[at], below[at + 1]) for at in range(0, len(below) - 1, 2)])
    return levels


def tree_root(size: int, hash_at: HashAt) -> bytes:
    """Return the root of a tree of so many leaves."""
    return _over(0, size, hash_at) if size else EMPTY_ROOT


def inclusion_path(index: int, size: int, hash_at: HashAt) -> list[bytes]:
    """Return the hashes that lead from a leaf to the root, from below."""
    path: list[bytes] = []
    start = 0
    while size > 1:
        half = _split(size)
        if index - start < half:
            path.append(_over(start + half, size - half, hash_at))
            size = half
        else:
            path.append(_over(start, half, hash_at))
            start, size = start + half, size - half
    return path[::-1]


def root_along(path: Sequence[bytes], leaf: bytes, index: int, size: int) -> bytes | None:
    """Return the root to which a path leads from the hash of a leaf; None: its length fits no such leaf."""
    hashed, last = leaf, size - 1
    if not 0 <= index < size:
        return None
    for beside in path:
        if not last:
            return None
        if index & 1 or index == last:
            hashed = node_hash(beside, hashed)
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            hashed = node_hash(hashed, beside)
        index, last = index >> 1, last >> 1
    return None if last else hashed


def _over(start: int, size: int, hash_at: HashAt) -> bytes:
    """Return the hash over a run of leaves that begins where a complete subtree of its size may begin."""
    if not size & (size - 1):
        level = size.bit_length() - 1
        return hash_at(level, start >> level)
    half = _split(size)
    return node_hash(_over(start, half, hash_at), _over(start + half, size - half, hash_at))


def _split(size: int) -> int:
    """Return the largest power of two below a size of more than one."""
    return 1 << ((size - 1).bit_length() - 1)
