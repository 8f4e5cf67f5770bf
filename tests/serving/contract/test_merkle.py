"""Merkle trees against the figures of the field and against the RFC's own definitions, written out."""

import hashlib

import pytest

from serving.contract.merkle import (
    EMPTY_ROOT,
    inclusion_path,
    leaf_hash,
    levels_over,
    node_hash,
    root_along,
    tree_root,
)

LEAVES = [
    bytes.fromhex(one)
    for one in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Roots over the first one to eight leaves, with which implementations of Certificate Transparency are tested."""


def root_of(hashes: list[bytes]) -> bytes:
    levels = levels_over(hashes)
    return tree_root(len(hashes), lambda level, index: levels[level][index])


def path_of(index: int, hashes: list[bytes]) -> list[bytes]:
    levels = levels_over(hashes)
    return inclusion_path(index, len(hashes), lambda level, at: levels[level][at])


def defined_root(hashes: list[bytes]) -> bytes:
    """MTH of RFC 9162, section 2.1.1."""
    if len(hashes) == 1:
        return hashes[0]
    half = max(1 << power for power in range(20) if 1 << power < len(hashes))
    return node_hash(defined_root(hashes[:half]), defined_root(hashes[half:]))


def defined_path(index: int, hashes: list[bytes]) -> list[bytes]:
    """PATH of RFC 9162, section 2.1.3.1."""
    if len(hashes) == 1:
        return []
    half = max(1 << power for power in range(20) if 1 << power < len(hashes))
    if index < half:
        return [*defined_path(index, hashes[:half]), defined_root(hashes[half:])]
    return [*defined_path(index - half, hashes[half:]), defined_root(hashes[:half])]


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_are_those_of_certificate_transparency(size: int) -> None:
    assert root_of([leaf_hash(leaf) for leaf in LEAVES[:size]]).hex() == ROOTS[size - 1]


def test_no_leaves_have_the_hash_of_nothing() -> None:
    assert root_of([]) == EMPTY_ROOT == hashlib.sha256(b"").digest()


def test_leaves_and_inner_nodes_are_hashed_apart() -> None:
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert leaf_hash(left + right) != node_hash(left, right)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 70])
def test_every_path_is_the_defined_one_and_leads_to_the_root(size: int) -> None:
    hashes = [leaf_hash(b"%d" % one) for one in range(size)]
    root = root_of(hashes)
    assert root == defined_root(hashes)
    for index in range(size):
        path = path_of(index, hashes)
        assert path == defined_path(index, hashes)
        assert root_along(path, hashes[index], index, size) == root


@pytest.mark.parametrize("size", [1, 2, 6, 7, 33])
def test_what_is_not_the_path_leads_elsewhere(size: int) -> None:
    hashes = [leaf_hash(b"%d" % one) for one in range(size)]
    root = root_of(hashes)
    for index in range(size):
        path = path_of(index, hashes)
        wrong = [path[:-1], [*path, hashes[0]], path[::-1]] if path else [[hashes[0]]]
        wrong += [
            [*path[:at], bytes([path[at][0] ^ 1]) + path[at][1:], *path[at + 1 :]] for at in range(len(path))
        ]
        for other in wrong:
            assert other == path or root_along(other, hashes[index], index, size) != root
        for beside in {*range(-1, size + 2)} - {index}:
            assert root_along(path, hashes[index], beside, size) != root
        assert root_along(path, leaf_hash(b"other"), index, size) != root
