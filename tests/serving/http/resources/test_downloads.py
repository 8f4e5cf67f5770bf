"""`/api/v1/downloads` and the files over HTTP: keyless, in parts, and gone with their snapshot."""

import gzip
import hashlib
import io
import json
import shutil
from contextlib import ExitStack
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from serving.contract.downloads import DATA_PACKAGE, FORMATS, TABLES, file_name
from serving.contract.layout import DOWNLOADS, STATIC
from serving.contract.manifest import Manifest, root_sha256
from serving.services.snapshots import SnapshotHolder
from tests.serving.manifests import edit_manifest

PATH = "/api/v1/downloads"
SNAPSHOT = "2026.11.21-1"
FILE = f"{PATH}/{SNAPSHOT}/us-sample/provisions.parquet"


@pytest.fixture
def own_snapshots(snapshots_folder, tmp_path):
    """A copy of the snapshots that a test may change."""
    return shutil.copytree(snapshots_folder, tmp_path / "snapshots")


@pytest.fixture
def own_client(own_snapshots, client_over):
    """Makes a client of the copy as it is then."""
    with ExitStack() as holders:

        def make():
            holder = SnapshotHolder(own_snapshots)
            holders.callback(holder.close)
            holder.refresh()
            return client_over(holder)

        yield make


def test_the_list_needs_no_key_and_has_every_file(client, snapshots_folder):
    result = client.get(PATH, key=None)
    assert (result.status_code, result.headers["cache-control"]) == (200, "public, max-age=300")
    assert (result.json["snapshot"], result.headers["x-snapshot-id"]) == (SNAPSHOT, SNAPSHOT)
    manifest = Manifest.load(snapshots_folder / SNAPSHOT)
    entries = {entry.path: entry for entry in manifest.files}
    assert [body["key"] for body in result.json["codeBodies"]] == [body.key for body in manifest.code_bodies]
    names = [file_name(table, form) for table in TABLES for form in FORMATS]
    for body in result.json["codeBodies"]:
        assert body["publisher"] == "Sample Publisher"
        assert body["license"] == "CC0-1.0"
        assert [file["path"].rpartition("/")[2] for file in body["files"]] == names
        for file in (*body["files"], body["dataPackage"]):
            entry = entries[file["path"].replace(f"{PATH}/{SNAPSHOT}", DOWNLOADS)]
            assert (file["bytes"], file["sha256"]) == (entry.bytes, entry.sha256)


def test_every_listed_file_is_there_and_is_what_the_list_says(client):
    for body in client.get(PATH, key=None).json["codeBodies"]:
        for file in (*body["files"], body["dataPackage"]):
            result = client.get(file["path"], key=None)
            assert result.status_code == 200
            assert len(result.content) == file["bytes"] == int(result.headers["content-length"])
            assert hashlib.sha256(result.content).hexdigest() == file["sha256"]
            assert result.headers["etag"] == f'"{file["sha256"]}"'
            assert "content-encoding" not in result.headers
            if file.get("format") == "parquet":
                assert pq.read_table(io.BytesIO(result.content)).num_rows == file["rows"]
            elif file.get("format") == "jsonl":
                assert len(gzip.decompress(result.content).splitlines()) == file["rows"]
            else:
                assert json.loads(result.content)["name"] == body["key"]


def test_a_row_is_the_provision_that_the_api_answers(client, node):
    content = client.get(f"{PATH}/{SNAPSHOT}/us-sample/provisions.jsonl.gz", key=None).content
    rows = {row["node_id"]: row for row in map(json.loads, gzip.decompress(content).splitlines())}
    answer = client.get(f"/api/v1/node/{node('/us/sample/t1/s7')}").json
    row = rows[answer["id"]]
    assert (row["text"], row["citation"], row["text_sha256"]) == (
        answer["text"],
        answer["citation"],
        answer["textSha256"],
    )


def test_a_file_is_the_same_for_good_under_its_address(client):
    whole = client.get(FILE, key=None)
    assert whole.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert whole.headers["accept-ranges"] == "bytes"
    assert whole.headers["x-snapshot-id"] == SNAPSHOT
    assert whole.headers["content-disposition"] == (
        f'attachment; filename="us-sample-{SNAPSHOT}-provisions.parquet"'
    )
    tag = whole.headers["etag"]
    assert client.get(FILE, key=None, headers={"If-None-Match": tag}).status_code == 304
    head = client.request("HEAD", FILE, key=None, headers={"Range": "bytes=5-"})
    assert (head.status_code, head.content) == (200, b"")
    assert (head.headers["content-length"], head.headers["etag"]) == (str(len(whole.content)), tag)
    # What a client has is told before what part it asks for.
    both = {"If-None-Match": tag, "Range": "bytes=5-"}
    assert client.get(FILE, key=None, headers=both).status_code == 304


def test_a_part_is_sent_where_it_is_of_the_same_file(client):
    whole = client.get(FILE, key=None)
    size, tag = len(whole.content), whole.headers["etag"]
    for asked, start, end in (("bytes=100-", 100, size), ("bytes=0-3", 0, 4), ("bytes=-8", size - 8, size)):
        part = client.get(FILE, key=None, headers={"Range": asked, "If-Range": tag})
        assert part.status_code == 206
        assert part.content == whole.content[start:end]
        assert part.headers["content-range"] == f"bytes {start}-{end - 1}/{size}"
        assert part.headers["content-length"] == str(end - start)
    for headers in (
        {"Range": "bytes=100-", "If-Range": '"another file"'},
        {"Range": "bytes=0-1,5-6"},
        {"Range": "pages=3-"},
    ):
        other = client.get(FILE, key=None, headers=headers)
        assert (other.status_code, other.content) == (200, whole.content)


def test_a_range_beyond_the_end_is_416_with_the_size(client):
    size = len(client.get(FILE, key=None).content)
    result = client.get(FILE, key=None, headers={"Range": f"bytes={size}-"})
    assert (result.status_code, result.json["error"]) == (416, "range_not_satisfiable")
    assert result.headers["content-range"] == f"bytes */{size}"
    assert result.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        (f"{PATH}/2020.01.01-1/us-sample/provisions.parquet", 404, "snapshot_gone"),
        (f"{PATH}/newest/us-sample/provisions.parquet", 422, "snapshot"),
        (f"{PATH}/{SNAPSHOT}/us-nowhere/provisions.parquet", 404, "code_body"),
        (f"{PATH}/{SNAPSHOT}/us-sample/provisions.csv", 404, "file"),
        (f"{PATH}/{SNAPSHOT}/us-sample/..", 404, "file"),
        (f"{PATH}/{SNAPSHOT}/../manifest.json", 404, "code_body"),
        (f"{PATH}/../us-sample/provisions.parquet", 422, "snapshot"),
        (f"{PATH}/{SNAPSHOT}/us-sample/..%2f..%2fmanifest.json", 404, "path"),
    ],
)
def test_what_is_not_there_is_refused(client, path, status, said):
    result = client.get(path, key=None)
    assert result.status_code == status
    assert said in (result.json.get("kind"), result.json.get("parameter"))


def test_other_types_are_406_and_keys_in_the_query_401(client):
    assert client.get(FILE, key=None, headers={"Accept": "text/csv"}).status_code == 406
    assert client.get(FILE, key=None, params={"api_key": "x"}).status_code == 401


def test_a_network_begins_so_many_downloads_a_minute(client_over, holder, settings):
    client = client_over(holder, replace(settings, downloads_per_minute=2))
    assert [client.get(FILE, key=None).status_code for _ in range(3)] == [200, 200, 429]
    refused = client.get(FILE, key=None)
    assert int(refused.headers["retry-after"]) == refused.json["retryAfterSec"] >= 1
    assert client.get(PATH, key=None).status_code == 200


def test_a_snapshot_without_files_lists_none(own_client, own_snapshots):
    snapshot = own_snapshots / SNAPSHOT
    files = Manifest.load(snapshot).files
    gone = [entry for entry in files if entry.path.startswith((f"{DOWNLOADS}/", f"{STATIC}/{DOWNLOADS}."))]
    for entry in gone:
        (snapshot / entry.path).unlink()
    others = tuple(entry for entry in files if entry not in gone)
    edit_manifest(snapshot, files=others, root_sha256=root_sha256(others))
    client = own_client()
    assert client.get(PATH, key=None).json == {
        "snapshot": SNAPSHOT,
        "createdAt": Manifest.load(snapshot).created,
        "codeBodies": [],
    }
    assert client.get(FILE, key=None).json["kind"] == "file"


def test_a_file_that_was_cut_short_is_never_sent(own_client, own_snapshots):
    client = own_client()
    damaged = own_snapshots / SNAPSHOT / DOWNLOADS / "us-sample" / "provisions.parquet"
    damaged.chmod(0o644)
    damaged.write_bytes(damaged.read_bytes()[:-1])
    result = client.get(FILE, key=None)
    assert (result.status_code, result.json["kind"]) == (404, "snapshot_damaged")


def test_the_dictionary_describes_what_is_served(client):
    address = f"{PATH}/{SNAPSHOT}/us-sample/{DATA_PACKAGE}"
    package = client.get(address, key=None)
    assert package.headers["content-type"] == "application/json"
    for resource in package.json["resources"]:
        # Its paths are relative to its own address.
        served = client.request("HEAD", address.replace(DATA_PACKAGE, resource["path"]), key=None)
        assert served.headers["content-length"] == str(resource["bytes"])
        assert served.headers["content-type"] == resource["mediatype"]
