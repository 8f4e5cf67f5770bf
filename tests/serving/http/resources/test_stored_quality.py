"""`/api/v1/quality` over HTTP: keyless, and absent where a snapshot was published without figures."""

import shutil

import pytest

from serving.contract.layout import QUALITY
from serving.contract.manifest import Manifest
from serving.services.snapshots import SnapshotHolder
from tests.serving.manifests import edit_manifest


@pytest.fixture
def unmeasured(client_over, snapshots_folder, tmp_path):
    """A client over the sample law, as if published without figures."""
    folder = tmp_path / "snapshots"
    shutil.copytree(snapshots_folder, folder)
    snapshot = folder / "2026.11.21-1"
    files = Manifest.load(snapshot).files
    edit_manifest(snapshot, files=tuple(entry for entry in files if entry.path != QUALITY))
    (snapshot / QUALITY).unlink()
    holder = SnapshotHolder(folder)
    holder.refresh()
    yield client_over(holder)
    holder.close()


def test_figures_need_no_key_and_cost_nothing(client, snapshots_folder):
    result = client.get("/api/v1/quality", key=None)
    assert result.status_code == 200
    assert result.content == (snapshots_folder / "2026.11.21-1" / QUALITY).read_bytes()
    assert result.json["citations"]
    assert result.headers["cache-control"] == "public, max-age=300"
    assert result.headers["x-snapshot-id"] == "2026.11.21-1"
    assert not [name for name in result.headers if "credits" in name or "ratelimit" in name]


def test_figures_are_tagged_by_content(client):
    first = client.get("/api/v1/quality", key=None)
    again = client.get("/api/v1/quality", key=None, headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    head = client.request("HEAD", "/api/v1/quality", key=None)
    assert (head.status_code, head.headers["etag"]) == (200, first.headers["etag"])


def test_named_snapshot_is_read(client):
    named = client.get("/api/v1/quality", key=None, params={"snapshot": "2026.11.21-1"})
    assert named.content == client.get("/api/v1/quality", key=None).content
    gone = client.get("/api/v1/quality", key=None, params={"snapshot": "2020.01.01-1"})
    assert (gone.status_code, gone.json["kind"]) == (404, "snapshot_gone")


def test_snapshot_without_figures_is_404(unmeasured):
    result = unmeasured.get("/api/v1/quality", key=None)
    assert (result.status_code, result.json["error"], result.json["kind"]) == (404, "not_found", "quality")
    assert "2026.11.21-1" in result.json["message"]
    assert unmeasured.get("/api/v1/search", params={"q": "harbor"}).status_code == 200


def test_figures_are_compressed_as_wished(client, decoded):
    plain = client.get("/api/v1/quality", key=None)
    for encoding in ("gzip", "zstd"):
        packed = client.get("/api/v1/quality", key=None, headers={"Accept-Encoding": encoding})
        assert packed.headers["content-encoding"] == encoding
        assert decoded(packed) == plain.content
