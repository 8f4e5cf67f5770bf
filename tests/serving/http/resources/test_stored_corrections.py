"""`/api/v1/corrections` over HTTP: keyless, and empty where a snapshot was published without a list."""

import shutil

import pytest

from serving.contract.layout import CORRECTIONS, STATIC
from serving.contract.manifest import Manifest, root_sha256
from serving.services.snapshots import SnapshotHolder
from tests.serving.manifests import edit_manifest

PATH = "/api/v1/corrections"
SNAPSHOT = "2026.11.21-1"


@pytest.fixture
def unlisted(client_over, snapshots_folder, tmp_path):
    """A client over the sample law, as if published by a version that knew no corrections."""
    folder = tmp_path / "snapshots"
    shutil.copytree(snapshots_folder, folder)
    snapshot = folder / SNAPSHOT
    files = Manifest.load(snapshot).files
    listed = {entry.path for entry in files if entry.path.startswith(f"{STATIC}/{CORRECTIONS}.")}
    assert listed
    for path in listed:
        (snapshot / path).unlink()
    others = tuple(entry for entry in files if entry.path not in listed)
    edit_manifest(snapshot, files=others, root_sha256=root_sha256(others))
    holder = SnapshotHolder(folder)
    holder.refresh()
    yield client_over(holder)
    holder.close()


def test_the_list_needs_no_key_and_costs_nothing(client, node):
    result = client.get(PATH, key=None)
    assert result.status_code == 200
    assert result.headers["cache-control"] == "public, max-age=300"
    assert result.headers["x-snapshot-id"] == SNAPSHOT
    assert not [name for name in result.headers if "credits" in name or "ratelimit" in name]
    assert (result.json["source"], result.json["date"]) == ("the tests", "2026-11-20")
    newest, fixed = result.json["corrections"]
    assert newest == {
        "nodeId": None,
        "identifier": None,
        "citation": "1 S.F.C. § 9",
        "wrong": "The harbor’s name is spelled otherwise than in the publication.",
        "foundBy": "Comparison with the publisher's pages.",
        "foundOn": "2026-11-20",
        "status": "open",
        "fixedIn": None,
    }
    assert (fixed["status"], fixed["fixedIn"]) == ("fixed", "2026.11.19-1")
    assert fixed["nodeId"] == str(node("/us/sample/t1/s7"))
    assert client.get(f"/api/v1/node/{fixed['nodeId']}").json["citation"] == fixed["citation"]


def test_the_list_is_tagged_by_content_and_read_from_named_snapshots(client):
    first = client.get(PATH, key=None)
    tag = first.headers["etag"]
    assert client.get(PATH, key=None, headers={"If-None-Match": tag}).status_code == 304
    head = client.request("HEAD", PATH, key=None)
    assert (head.status_code, head.headers["etag"], head.content) == (200, tag, b"")
    assert client.get(PATH, key=None, params={"snapshot": SNAPSHOT}).content == first.content
    gone = client.get(PATH, key=None, params={"snapshot": "2020.01.01-1"})
    assert (gone.status_code, gone.json["kind"]) == (404, "snapshot_gone")


def test_a_snapshot_without_a_list_answers_an_empty_one(unlisted):
    result = unlisted.get(PATH, key=None)
    assert (result.status_code, result.headers["x-snapshot-id"]) == (200, SNAPSHOT)
    assert result.json == {"source": None, "date": None, "corrections": []}
    again = unlisted.get(PATH, key=None, headers={"If-None-Match": result.headers["etag"]})
    assert again.status_code == 304
