"""`lawbuild` of what is there already, and of a source of which a part changed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from assets.citations.kept_readings import KeptReadings
from assets.registry import Citing, Registry
from assets.workspace import Workspace
from pipelines.publication import Contents
from pipelines.unchanged import is_published, nothing_to_do
from pipelines.wanted import Publication, Wanted
from serving.contract.citations import CitationScheme, PopularName
from serving.contract.layout import CITING
from serving.snapshot.filters import Filters
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.snapshot.store import open_snapshot

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


def test_in_an_empty_workspace_there_is_everything_to_do(tmp_path: Path, registry: Registry) -> None:
    empty = Workspace(tmp_path / "work", Path("datasets").absolute(), tmp_path / "snapshots")
    assert not nothing_to_do([Wanted("sample-code", None)], Publication(), empty)
    assert not is_published(Contents(), registry, empty)


def test_a_changed_source_over_the_old_one_is_as_if_built_from_nothing(
    workspace: Workspace, lawbuild: Build, city: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lawbuild(f"sample-city-code={city}")[0] == 0
    old = kept_readings(workspace)
    amend(city / "titles/1/sections/1-101.xml", "may be cited", "shall be cited")
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    assert len(old - kept_readings(workspace)) == 1

    monkeypatch.setenv("LAW_WORKSPACE", str(tmp_path / "anew" / "work"))
    monkeypatch.setenv("LAW_SNAPSHOTS", str(tmp_path / "anew" / "snapshots"))
    clean = Workspace(tmp_path / "anew" / "work", workspace.datasets, tmp_path / "anew" / "snapshots")
    shutil.copytree(workspace.encoder, clean.encoder)
    shutil.copytree(workspace.embedding_cache, clean.embedding_cache)
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    assert accepted(workspace) == accepted(clean)
    assert published(workspace) == published(clean)


def kept_readings(workspace: Workspace) -> set[bytes]:
    """Return the keys of the texts whose citations are kept."""
    folder = workspace.artefact("citation_index")
    known = orjson.loads((folder / CITING).read_bytes())
    schemes = tuple(map(CitationScheme.from_dict, known["schemes"]))
    names = tuple(map(PopularName.from_dict, known["popularNames"]))
    return set(KeptReadings.load(folder, Citing(schemes, names)).keys())


def accepted(workspace: Workspace) -> dict[str, bytes]:
    """Return the tables of the code body."""
    folder = workspace.accepted("sample-city-code")
    names = ("provisions/provisions.parquet", "chunks/chunks.parquet", "embeddings/embeddings.npy")
    return {name: (folder / name).read_bytes() for name in names}


def published(workspace: Workspace) -> dict[str, object]:
    """Return what the snapshot holds and finds, without the times at which files were retrieved."""
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    found: dict[str, object] = {
        name: (folder / name).read_bytes()
        for name in ("chunks.arrow", "citations.arrow", "references.arrow", "citing.json", "browse.arrow")
    }
    found["vectors"] = (folder / "vectors" / "passages.npy").read_bytes()
    snapshot = open_snapshot(folder)
    try:
        bodies = [orjson.loads(snapshot.nodes.body(row).plain) for row in range(len(snapshot.nodes))]
        for words in ("permit", "shall be cited", "fee", "council"):
            hits = snapshot.keyword.search(words, filters=Filters(), limit=50)
            found[words] = (hits.rows, hits.scores)
    finally:
        snapshot.close()
    for body in bodies:
        del body["provenance"]["retrievedAt"]
    found["nodes"] = bodies
    return found
