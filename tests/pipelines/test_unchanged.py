"""`lawbuild` of what is there already, and of a source of which a part changed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from assets.stage_record import made_from
from assets.workspace import Workspace
from serving.snapshot.pointer import current_snapshot_id, list_snapshots

Build = Callable[..., tuple[int, str]]


@pytest.fixture
def city(tmp_path: Path) -> Path:
    """The source of a city code in D.C.'s format."""
    return Path(shutil.copytree("datasets/sample/sample-city-code", tmp_path / "city"))


def amend(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_unchanged_source_builds_and_publishes_nothing(
    workspace: Workspace, lawbuild: Build, city: Path
) -> None:
    assert lawbuild(f"sample-city-code={city}")[0] == 0
    accepted = workspace.accepted("sample-city-code").stat().st_ino
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    assert "sample-city-code: nothing changed since it was accepted." in said
    assert "Nothing changed: the snapshot in service is what would be published." in said
    assert workspace.accepted("sample-city-code").stat().st_ino == accepted
    assert len(list_snapshots(workspace.snapshots)) == 1

    # A file that went amiss in service is no reason to rest.
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    (folder / "static" / "coverage.json.gz").unlink()
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    assert len(list_snapshots(workspace.snapshots)) == 2


def test_of_a_changed_source_only_what_changed_is_made_anew(
    workspace: Workspace, lawbuild: Build, city: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lawbuild(f"sample-city-code={city}")[0] == 0
    amend(city / "titles/1/sections/1-101.xml", "may be cited", "shall be cited")
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    assert "1 chunks" in said or "chunks in" in said
    updated = tables(workspace)
    (anew := tmp_path / "anew").mkdir()
    monkeypatch.setenv("LAW_WORKSPACE", str(anew / "work"))
    monkeypatch.setenv("LAW_SNAPSHOTS", str(anew / "snapshots"))
    shutil.copytree(workspace.encoder, anew / "work" / "encoder")
    shutil.copytree(workspace.artefact("naics_table"), anew / "work" / "naics_table")
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    clean = Workspace(anew / "work", workspace.datasets, anew / "snapshots")
    assert tables(clean) == updated
    assert made_from(clean.accepted("sample-city-code") / "chunks") != ""


def tables(workspace: Workspace) -> dict[str, object]:
    """Return the accepted tables, without the times of retrieval, which differ."""
    folder = workspace.accepted("sample-city-code")
    return {
        "provisions": pq.read_table(folder / "provisions" / "provisions.parquet").to_pylist(),
        "chunks": (folder / "chunks" / "chunks.parquet").read_bytes(),
        "embeddings": (folder / "embeddings" / "embeddings.npy").read_bytes(),
    }
