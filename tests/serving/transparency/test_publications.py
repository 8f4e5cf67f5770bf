"""Snapshots and their entries: every publication enters the log, and what was changed since is named."""

import json
import shutil
from pathlib import Path

import pytest

from serving.cli import main
from serving.contract.layout import LOG, MANIFEST, POINTER, TREE
from serving.contract.leaves import leaf_fields
from serving.contract.manifest import Manifest, root_sha256
from serving.transparency.log import CHECKPOINT, read_log
from serving.transparency.publications import (
    LogLostError,
    add_snapshots,
    log_faults,
    logged_snapshots,
    require_log,
)
from tests.serving.manifests import edit_manifest

FIRST, SECOND = "2026.11.21-1", "2026.11.21-2"


@pytest.fixture
def snapshots(small_snapshot: Path, tmp_path: Path) -> Path:
    """A copy of the published small snapshot with its log, to be damaged."""
    return Path(shutil.copytree(small_snapshot.parent, tmp_path / "snapshots"))


def test_a_publication_is_in_the_log(snapshots: Path) -> None:
    log = read_log(snapshots / LOG)
    assert log is not None
    (entry,) = log.entries
    manifest = Manifest.load(snapshots / FIRST)
    fields = leaf_fields(entry)
    assert fields["snapshot"] == FIRST
    assert fields["nodes"] == "12"
    assert (fields["nodes-root"], fields["files-root"]) == (manifest.nodes_root, manifest.root_sha256)
    assert log_faults(snapshots, FIRST) == []


def test_what_the_log_lacks_is_added_once(snapshots: Path) -> None:
    shutil.copytree(snapshots / FIRST, snapshots / SECOND)
    edit_manifest(snapshots / SECOND, id=SECOND)
    assert log_faults(snapshots, SECOND) == [f"log: {SECOND} is not in it"]
    assert add_snapshots(snapshots, None) == (SECOND,)
    assert add_snapshots(snapshots, None) == ()
    shutil.rmtree(snapshots / FIRST)
    assert add_snapshots(snapshots, None) == ()
    assert logged_snapshots(snapshots) == {FIRST, SECOND}, "what is not retained any more stays in the log"


def test_a_snapshot_of_an_earlier_build_is_in_no_log(snapshots: Path) -> None:
    old = snapshots / SECOND
    shutil.copytree(snapshots / FIRST, old)
    (old / TREE).unlink()
    files = tuple(entry for entry in Manifest.load(old).files if entry.path != TREE)
    edit_manifest(old, id=SECOND, files=files, root_sha256=root_sha256(files), nodes_root=None)
    assert add_snapshots(snapshots, None) == ()
    assert log_faults(snapshots, SECOND) == []


def test_a_manifest_that_was_replaced_is_named_though_it_is_sealed(
    snapshots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_manifest(snapshots / FIRST, revision="another")
    wrong = f"{MANIFEST}: is not the one that the log holds of {FIRST}"
    assert log_faults(snapshots, FIRST) == [wrong]
    assert main(["snapshot", "verify", "--json", "--snapshots", str(snapshots)]) == 1
    assert json.loads(capsys.readouterr().out)["problems"] == [wrong]
    assert add_snapshots(snapshots, None) == (), "it does not enter the log by that"


def test_a_damaged_log_is_named_and_never_added_to(
    snapshots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = snapshots / LOG / "tile/entries/000.p/1"
    path.write_bytes(path.read_bytes().replace(b"nodes 12", b"nodes 13"))
    (fault,) = log_faults(snapshots, FIRST)
    assert fault.startswith("log/tile/entries/000.p/1: ")
    assert main(["log", "show", "--snapshots", str(snapshots)]) == 1
    assert "tile/entries/000.p/1" in capsys.readouterr().err


def test_another_log_is_begun_only_where_there_is_none(
    snapshots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require_log(snapshots)
    assert main(["log", "begin", "--snapshots", str(snapshots)]) == 1
    assert "has a log" in capsys.readouterr().err
    shutil.rmtree(snapshots / LOG)
    with pytest.raises(LogLostError, match=f"no log, though {FIRST} stood in one: put it back"):
        require_log(snapshots)
    assert main(["log", "key", "law.example/log", str(tmp_path / "key")]) == 0
    begin = ["log", "begin", "--key", str(tmp_path / "key"), "--snapshots", str(snapshots)]
    assert main(begin) == 0
    require_log(snapshots)
    log = read_log(snapshots / LOG)
    assert log is not None
    assert log.origin == "law.example/log"
    assert logged_snapshots(snapshots) == {FIRST}
    assert log_faults(snapshots, FIRST) == []


def test_no_log_is_missed_where_nothing_that_stood_in_one_is_in_service(snapshots: Path) -> None:
    shutil.rmtree(snapshots / LOG)
    manifest = (snapshots / FIRST / MANIFEST).read_bytes()
    edit_manifest(snapshots / FIRST, nodes_root=None)
    require_log(snapshots)
    (snapshots / FIRST / MANIFEST).write_bytes(manifest)
    (snapshots / POINTER).unlink()
    require_log(snapshots)


def test_the_log_is_shown_and_a_key_made(
    snapshots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["log", "show", "--snapshots", str(snapshots)]) == 0
    assert FIRST in capsys.readouterr().out
    assert main(["log", "show", "--json", "--snapshots", str(snapshots)]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["entries"]
    assert entry["snapshot"] == FIRST
    (snapshots / LOG / CHECKPOINT).unlink()
    assert main(["log", "show", "--snapshots", str(snapshots)]) == 1, "it is lost"
    assert f"has no log, though {FIRST} stood in one" in capsys.readouterr().out
    assert main(["log", "show", "--json", "--snapshots", str(snapshots)]) == 1
    assert json.loads(capsys.readouterr().out)["unlogged"] == [FIRST]
    edit_manifest(snapshots / FIRST, nodes_root=None)
    assert main(["log", "show", "--snapshots", str(snapshots)]) == 0
    assert "nothing was published with a tree yet" in capsys.readouterr().out
    assert main(["log", "key", "law.example/log", str(tmp_path / "key")]) == 0
    assert capsys.readouterr().out.startswith("law.example/log+")
    assert main(["log", "key", "law.example/log", str(tmp_path / "key")]) == 1
