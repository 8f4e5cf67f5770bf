"""`lawbuild` of what is there already, and of a source of which a part changed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from assets.citations.kept_readings import KeptReadings
from assets.registry import Citing, Registry
from assets.workspace import Workspace
from pipelines.publication import Contents
from pipelines.unchanged import is_published, look_for_changes
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


WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BANNED:
            raise ModuleNotFoundError(f"{name} is not wanted yet", name=name)

BANNED = set(sys.argv[2].split(","))
sys.meta_path.insert(0, Absent())
from pipelines.build import main
sys.exit(main([sys.argv[1]]))
"""

FOR_A_BUILD = {
    *(
        "dagster",
        "faiss",
        "geopandas",
        "lancedb",
        "lxml",
        "onnxruntime",
        "pandas",
        "shapely",
        "tantivy",
    ),  # to build with
    *("httpx", "tuf"),  # to ask a publisher with
}


def test_that_nothing_changed_is_seen_before_what_builds_is_loaded(
    workspace: Workspace, lawbuild: Build, city: Path
) -> None:
    assert lawbuild(f"sample-city-code={city}")[0] == 0
    banned = FOR_A_BUILD | ({"fsspec"} if workspace.store is None else set())

    def seen() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", WITHOUT, f"sample-city-code={city}", ",".join(sorted(banned))]
        return subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=False)

    resting = seen()
    assert resting.returncode == 0, resting.stderr
    assert "Nothing changed: the snapshot in service is what would be published." in resting.stderr
    amend(city / "titles/1/sections/1-101.xml", "may be cited", "shall be cited")
    building = seen()
    assert building.returncode == 1
    assert "install for serving alone" in building.stderr


@pytest.fixture
def own_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the datasets, which the workspace is opened with."""
    datasets = Path(shutil.copytree("datasets", tmp_path / "datasets"))
    monkeypatch.setenv("LAW_DATASETS", str(datasets))
    return datasets


def test_whatever_changed_is_a_reason_to_build(
    own_datasets: Path, workspace: Workspace, lawbuild: Build, city: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lawbuild(f"sample-city-code={city}")[0] == 0
    wanted = [Wanted("sample-city-code", str(city))]

    def rests() -> bool:
        return look_for_changes(wanted, Publication(), workspace) is None

    assert rests()
    accepted, pinned = workspace.accepted("sample-city-code"), workspace.source_files("sample-city-code")
    served = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    for path in (
        *(city / "titles/1/sections/1-101.xml", pinned / "files.parquet", pinned / "source.json"),
        *(accepted / "provisions/provisions.parquet", accepted / "provisions/report.json"),
        *(accepted / "chunks/chunks.parquet", *accepted.glob("*/made.json")),
        *(workspace.encoder / "model.onnx", workspace.encoder / "tokenizer.json"),
        *(workspace.encoder / "config.json", workspace.published, served / "nodes.arrow"),
        *(own_datasets / "registry/tags.toml", own_datasets / "corrections.toml"),
        own_datasets / "citations/popular_names.toml",
    ):
        with otherwise(path, path.read_bytes()[: path.stat().st_size // 2]):
            assert not rests(), f"{path} was cut"
    entries = own_datasets / "registry/code_bodies.toml"
    for old, new in (("Sample City Code", "Simple City Code"), ("CC0-1.0", "CC-BY-4.0")):
        with otherwise(entries, entries.read_bytes().replace(old.encode(), new.encode())):
            assert not rests(), f"{old} was changed in the registry"
    for added in (city / "titles/1/sections/1-999.xml", own_datasets / "training/more.jsonl"):
        with otherwise(added, b"{}\n"):
            assert not rests(), f"{added} was added"
    for stage in ("ingest", "text", "release"):
        with monkeypatch.context() as changed:
            changed.setattr(f"assets.{stage}.lineage.CODE", "changed")
            assert not rests(), f"the code of {stage} was changed"
    for asked in (Publication(anew=True), Publication(only=True), Publication(dropped=("sample-code",))):
        assert look_for_changes(wanted, asked, workspace) == frozenset()
    assert rests()


@contextmanager
def otherwise(path: Path, content: bytes) -> Iterator[None]:
    """Give a file another content, and then again what it had."""
    before = path.read_bytes() if path.exists() else None
    assert content != before
    path.unlink(missing_ok=True)  # tables are linked in several places, of which one changes
    path.write_bytes(content)
    yield
    path.unlink()
    if before is not None:
        path.write_bytes(before)


def test_in_an_empty_workspace_there_is_everything_to_do(tmp_path: Path, registry: Registry) -> None:
    empty = Workspace(tmp_path / "work", Path("datasets").absolute(), tmp_path / "snapshots")
    assert look_for_changes([Wanted("sample-code", None)], Publication(), empty) == frozenset()
    assert not is_published(Contents(), registry, empty)


def test_a_changed_source_over_the_old_one_is_as_if_built_from_nothing(
    workspace: Workspace,
    lawbuild: Build,
    already_built: Callable[..., None],
    city: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    already_built("sample-city-code")
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
