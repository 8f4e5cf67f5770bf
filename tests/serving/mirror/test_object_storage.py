"""A mirror in a bucket: what is put there in the order of the guide is pulled over HTTP, verified and opened."""

import json
import shutil
import urllib.request
from pathlib import Path

import fsspec
import pytest

from serving.mirror.errors import MirrorUnreachableError
from serving.snapshot.store import open_snapshot
from tests.object_stores import S3Server, needs_s3
from tests.serving.mirror.conftest import NOW, Publisher


@needs_s3
def test_a_server_pulls_a_mirror_from_a_bucket(
    s3: S3Server, publisher: Publisher, host: Path, snapshots_folder: Path
) -> None:
    from serving.mirror.pulling import pull  # noqa: PLC0415 - of an extra

    shutil.copytree(snapshots_folder, publisher.snapshots)
    publisher.publish()
    bucket = s3.new_bucket()
    files = fsspec.filesystem("s3", s3_additional_kwargs={"ACL": "public-read"})
    files.put(f"{publisher.mirror}/targets", f"{bucket}/mirror/targets", recursive=True)
    address = f"{s3.url}/{bucket}/mirror"
    with pytest.raises(MirrorUnreachableError):
        pull(address, host, publisher.first_root, keep=5, now=NOW)
    metadata = sorted(
        (publisher.mirror / "metadata").iterdir(), key=lambda path: path.name == "timestamp.json"
    )
    for path in metadata:
        files.put_file(str(path), f"{bucket}/mirror/metadata/{path.name}")
    got = pull(address, host, publisher.first_root, keep=5, now=NOW)
    opened = open_snapshot(host / got.snapshot)
    assert len(opened.nodes) > 0
    opened.close()
    with urllib.request.urlopen(f"{address}/metadata/timestamp.json") as answer:
        assert json.load(answer)["signed"]["_type"] == "timestamp"
