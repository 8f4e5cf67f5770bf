"""`?proof=true` of a node: the same answer with a proof that the client's own checks accept."""

import shutil
from uuid import uuid4

import pytest

from legal_client.proofs import node_faults
from serving.contract.layout import TREE
from serving.contract.manifest import Manifest, root_sha256
from serving.services.snapshots import SnapshotHolder
from tests.serving.manifests import edit_manifest

SNAPSHOT = "2026.11.21-1"


def test_a_provision_comes_with_its_proof(client, node):
    path = f"/api/v1/node/{node('/us/sample/t1/s7')}"
    plain, result = client.get(path), client.get(path, params={"proof": "true"})
    assert result.headers["content-type"] == "application/json"
    answer = result.json
    proof = answer.pop("proof")
    assert answer == plain.json
    assert proof["snapshot"] == SNAPSHOT == result.headers["x-snapshot-id"]
    (listed,) = client.get("/api/v1/snapshots").json["snapshots"]
    assert proof["root"] == listed["nodesRoot"]
    assert proof["size"] == listed["nodeCount"]
    assert list(node_faults({**plain.json, "proof": proof}, root=listed["nodesRoot"])) == []
    assert result.headers["etag"] != plain.headers["etag"]
    again = client.get(path, params={"proof": "true"}, headers={"If-None-Match": result.headers["etag"]})
    assert again.status_code == 304
    assert client.get(path, params={"proof": "false"}).headers["etag"] == plain.headers["etag"]


def test_a_proof_is_json_alone(client, node):
    path = f"/api/v1/node/{node('/us/sample/t1/s7')}"
    result = client.get(path, params={"proof": "true"}, headers={"Accept": "text/markdown"})
    assert result.status_code == 406
    assert client.get(path, params={"proof": "yes"}).status_code == 422
    assert client.get(f"/api/v1/node/{uuid4()}", params={"proof": "true"}).json["kind"] == "node"


@pytest.fixture
def unproved(client_over, snapshots_folder, tmp_path):
    """A client over the sample law, as if published by a version that knew no trees."""
    snapshot = shutil.copytree(snapshots_folder, tmp_path / "snapshots") / SNAPSHOT
    (snapshot / TREE).unlink()
    files = tuple(entry for entry in Manifest.load(snapshot).files if entry.path != TREE)
    edit_manifest(snapshot, files=files, root_sha256=root_sha256(files), nodes_root=None)
    holder = SnapshotHolder(tmp_path / "snapshots")
    holder.refresh()
    yield client_over(holder)
    holder.close()


def test_a_snapshot_without_a_tree_has_no_proofs(unproved, node):
    path = f"/api/v1/node/{node('/us/sample/t1/s7')}"
    assert unproved.get(path).status_code == 200
    result = unproved.get(path, params={"proof": "true"})
    assert (result.status_code, result.json["kind"]) == (404, "proof")
    assert unproved.get("/api/v1/snapshots").json["snapshots"][0]["nodesRoot"] is None
