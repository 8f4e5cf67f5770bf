"""The tree of a snapshot: it leads to the manifest's root, and what differs from it is named."""

import shutil
from pathlib import Path

import orjson
import pytest

from serving.contract.errors import DamagedFileError
from serving.contract.identity import node_id
from serving.contract.layout import NODES, TREE
from serving.contract.leaves import node_leaf
from serving.contract.manifest import Manifest, root_sha256
from serving.contract.merkle import leaf_hash, root_along
from serving.snapshot.store import Snapshot, open_snapshot
from serving.snapshot.tree import altered_nodes, open_tree
from serving.snapshot.verify import verify_files
from tests.serving.manifests import edit_manifest


@pytest.fixture
def copy(small_snapshot: Path, tmp_path: Path) -> Path:
    """A copy of the small snapshot to be damaged."""
    return Path(shutil.copytree(small_snapshot, tmp_path / small_snapshot.name))


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.chmod(0o644)
    path.write_bytes(content)


def test_every_answer_leads_to_the_root_in_the_manifest(snapshot: Snapshot) -> None:
    tree = snapshot.tree
    assert tree is not None
    assert tree.size == len(snapshot.nodes) == 12
    for row in range(tree.size):
        leaf = node_leaf(orjson.loads(snapshot.nodes.body(row).plain))
        found = root_along(tree.path(row, leaf), leaf_hash(leaf), row, tree.size)
        assert found is not None
        assert found.hex() == snapshot.manifest.nodes_root


def test_a_flipped_byte_of_an_answer_names_its_node(copy: Path) -> None:
    nodes = copy / NODES
    flip(nodes, nodes.read_bytes().index(b"Return of a security deposit") + 3)
    manifest = Manifest.load(copy)
    tree = open_tree(copy, manifest)
    assert tree is not None
    # The heading stands in the table's own column first; the answer holds it again.
    flip(nodes, nodes.read_bytes().index(b'"heading":"Return of a security deposit"') + 14)
    wanted = node_id("/sample/code/t1/s102")
    assert list(altered_nodes(copy, tree)) == [wanted]
    problems = verify_files(copy, manifest)
    assert f"{NODES}: the answer of node {wanted} differs" in problems


def test_a_flipped_byte_of_the_tree_is_found(copy: Path) -> None:
    path = copy / TREE
    flip(path, len(path.read_bytes()) - 400)
    manifest = Manifest.load(copy)
    assert [problem.split(":")[0] for problem in verify_files(copy, manifest)] == [TREE]


def test_a_path_that_does_not_lead_to_the_root_is_never_given(copy: Path) -> None:
    manifest = Manifest.load(copy)
    tree = open_tree(copy, manifest)
    assert tree is not None
    with pytest.raises(DamagedFileError, match=r"row 3"):
        tree.path(3, b"another leaf")


def test_a_tree_of_another_root_is_refused(copy: Path) -> None:
    edit_manifest(copy, nodes_root="0" * 64)
    with pytest.raises(DamagedFileError, match="another root"):
        open_tree(copy, Manifest.load(copy))
    assert f"{TREE}: has another root than the manifest says" in verify_files(copy, Manifest.load(copy))


def test_a_snapshot_of_an_earlier_build_opens_without_a_tree(copy: Path) -> None:
    (copy / TREE).unlink()
    files = tuple(entry for entry in Manifest.load(copy).files if entry.path != TREE)
    edit_manifest(copy, files=files, root_sha256=root_sha256(files), nodes_root=None)
    opened = open_snapshot(copy)
    assert opened.tree is None
    assert verify_files(copy, Manifest.load(copy)) == []
    opened.close()
