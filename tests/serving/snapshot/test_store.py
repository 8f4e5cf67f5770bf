"""Opening a snapshot, and refusing what is not one."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from serving.contract.errors import NotFoundError, SnapshotCorruptError
from serving.contract.identity import content_etag
from serving.contract.manifest import Manifest, root_sha256
from serving.encoder.config import load_config, verify_files
from serving.snapshot.store import Snapshot, open_snapshot
from tests.serving.manifests import edit_manifest


@pytest.fixture
def copy(small_snapshot: Path, tmp_path: Path) -> Path:
    """A copy of the small snapshot, to be spoilt; its encoder is shared."""
    folder = tmp_path / small_snapshot.name
    shutil.copytree(small_snapshot, folder, ignore=shutil.ignore_patterns("encoder"))
    shutil.copytree(small_snapshot / "encoder", folder / "encoder", copy_function=os.link)
    return folder


def test_it_opens_with_all_its_parts(snapshot: Snapshot, small_snapshot: Path) -> None:
    assert snapshot.id == small_snapshot.name == snapshot.manifest.id
    assert snapshot.folder == small_snapshot
    counts = snapshot.manifest.counts
    assert len(snapshot.nodes) == len(snapshot.keyword) == counts["nodes"] == 12
    assert len(snapshot.chunks) == len(snapshot.vectors) == counts["chunks"]
    assert len(snapshot.browse) == counts["browse"]
    passages, queries = small_snapshot / "encoder", small_snapshot / "encoder" / "queries"
    assert verify_files(passages, load_config(passages)) == snapshot.manifest.encoder.sha256
    assert verify_files(queries, load_config(queries)) == snapshot.encoder.sha256


@pytest.mark.parametrize("name", ["coverage", "code-bodies"])
def test_static_answers_are_ready(name: str, snapshot: Snapshot) -> None:
    body = snapshot.static(name)
    assert json.loads(bytes(body.plain))
    assert body.etag == content_etag(bytes(body.plain))
    assert snapshot.static(name) is body


@pytest.mark.parametrize("name", ["nothing", "../manifest", ""])
def test_an_unknown_static_answer_is_not_found(name: str, snapshot: Snapshot) -> None:
    with pytest.raises(NotFoundError):
        snapshot.static(name)


@pytest.mark.parametrize(
    "path", ["nodes.arrow", "chunks.arrow", "browse.arrow", "static/coverage.json", "keyword/meta.json"]
)
def test_a_missing_file_is_named(path: str, copy: Path) -> None:
    (copy / path).unlink()
    with pytest.raises(SnapshotCorruptError, match=path) as refused:
        open_snapshot(copy)
    assert refused.value.reason == "is missing"


def test_a_cut_file_is_named(copy: Path) -> None:
    (copy / "chunks.arrow").write_bytes(b"ARROW1")
    with pytest.raises(SnapshotCorruptError, match=r"chunks\.arrow: has 6 bytes instead of \d+"):
        open_snapshot(copy)


def test_a_table_of_another_kind_is_refused(copy: Path) -> None:
    size = (copy / "nodes.arrow").stat().st_size
    (copy / "nodes.arrow").write_bytes(bytes(size))
    entries = [
        replace(entry, sha256=hashlib.sha256(bytes(size)).hexdigest())
        if entry.path == "nodes.arrow"
        else entry
        for entry in Manifest.load(copy).files
    ]
    edit_manifest(copy, files=tuple(entries), root_sha256=root_sha256(entries))
    with pytest.raises(SnapshotCorruptError, match=r"nodes\.arrow: is no Arrow file"):
        open_snapshot(copy)


def test_counts_that_differ_from_the_manifest_are_refused(copy: Path) -> None:
    edit_manifest(copy, counts={"nodes": 13, "chunks": 1})
    with pytest.raises(SnapshotCorruptError, match=r"nodes\.arrow: holds 12 rows; the manifest says 13"):
        open_snapshot(copy)


def test_another_root_hash_is_refused(copy: Path) -> None:
    edit_manifest(copy, root_sha256="0" * 64)
    with pytest.raises(SnapshotCorruptError, match="root hash"):
        open_snapshot(copy)


def test_another_format_is_refused(copy: Path) -> None:
    edit_manifest(copy, format=99)
    with pytest.raises(SnapshotCorruptError, match="has format 99; this server reads 2"):
        open_snapshot(copy)


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SnapshotCorruptError, match=r"manifest\.json: is missing"):
        open_snapshot(tmp_path)


def test_answers_outlive_the_snapshot_they_came_from(copy: Path) -> None:
    opened = open_snapshot(copy)
    body = opened.nodes.body(0)
    opened.close()
    del opened
    assert content_etag(bytes(body.plain)) == body.etag


READ_AS_NOBODY = """
import os, sys
from pathlib import Path
import lancedb  # where only root may read the interpreter's files, they are read now
from serving.snapshot.store import open_snapshot
from serving.snapshot.filters import Filters

NOBODY = 65534
os.setgroups([])
os.setgid(NOBODY)
os.setuid(NOBODY)
snapshot = open_snapshot(Path(sys.argv[1]))
print(snapshot.keyword.search("landlord", filters=Filters(), limit=5).total)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")
def test_another_user_opens_it_where_nothing_may_be_written(small_snapshot: Path) -> None:
    with tempfile.TemporaryDirectory() as shared:
        Path(shared).chmod(0o755)
        folder = Path(shared) / small_snapshot.name
        shutil.copytree(small_snapshot, folder)
        result = subprocess.run(
            [sys.executable, "-c", READ_AS_NOBODY, str(folder)],
            env={"PATH": os.environ["PATH"], "HOME": shared},
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.stdout.strip() == "3", result.stderr
        assert {path.name for path in folder.rglob("*")} == {path.name for path in small_snapshot.rglob("*")}
