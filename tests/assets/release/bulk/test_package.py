"""The data dictionary of a snapshot's files: held against the standard's own schema, and against the files."""

import gzip
import hashlib
import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pyarrow.parquet as pq
import pytest
from jsonschema import Draft7Validator, FormatChecker

from assets.release.bulk.tables import CHANGE_TABLE, TABLES
from assets.release.publish import publish_snapshot
from assets.selection.selection import load_selection
from serving.contract.downloads import DATA_PACKAGE, FORMATS, file_name
from serving.contract.downloads import TABLES as NAMES
from serving.contract.layout import CHANGES, DOWNLOADS, MANIFEST
from serving.contract.manifest import Manifest, root_sha256
from serving.snapshot.changes import ChangeTable
from serving.snapshot.store import open_snapshot
from serving.snapshot.verify import verify_files
from tests.assets.release.bulk.amended import change_text

PROFILE = Path(__file__).with_name("data-package-2-0.json")
"""JSON Schema of the Data Package standard 2.0, as check-datapackage 0.37.0 (MIT) carries it."""
LATER = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def profile():
    return Draft7Validator(json.loads(PROFILE.read_bytes()), format_checker=FormatChecker())


@pytest.fixture
def package(small_snapshot):
    return orjson.loads((small_snapshot / DOWNLOADS / "sample-code" / DATA_PACKAGE).read_bytes())


@pytest.mark.parametrize("key", ["sample-code", "sample-city-code"])
def test_the_dictionary_keeps_to_the_standard(small_snapshot, profile, key):
    package = orjson.loads((small_snapshot / DOWNLOADS / key / DATA_PACKAGE).read_bytes())
    assert not list(profile.iter_errors(package))
    broken = {**package, "resources": [{**package["resources"][0], "path": "../../secret"}]}
    assert list(profile.iter_errors(broken))


def test_the_dictionary_names_every_file_with_its_hash_and_rows(small_snapshot, package):
    folder = small_snapshot / DOWNLOADS / "sample-code"
    told = {resource["path"]: resource for resource in package["resources"]}
    assert set(told) == {path.name for path in folder.iterdir()} - {DATA_PACKAGE}
    for name, resource in told.items():
        content = (folder / name).read_bytes()
        assert resource["bytes"] == len(content)
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        rows = (
            pq.read_metadata(folder / name).num_rows
            if name.endswith(".parquet")
            else len(gzip.decompress(content).splitlines())
        )
        assert resource["rows"] == rows, name
        fields = [field["name"] for field in resource["schema"]["fields"]]
        table = pq.read_schema(folder / f"{name.split('.')[0]}.parquet")
        assert fields == table.names
    assert told["provisions.parquet"]["schema"]["primaryKey"] == ["node_id"]
    assert (
        told["references.jsonl.gz"]["schema"]["foreignKeys"][0]["reference"]["resource"] == "provisions-jsonl"
    )


def test_the_dictionary_says_whose_law_it_is(small_snapshot, package):
    assert package["version"] == small_snapshot.name
    assert package["created"] == "2026-11-21T12:00:00Z"
    assert package["sources"][0]["title"]
    assert package["license"]
    assert package["gaps"] == ["Title 3 could not be read."]
    assert not package["complete"]
    changes = package["resources"][-1]
    assert "first_snapshot" in changes["description"]
    assert changes["rows"] == 0


def test_every_column_is_described():
    assert [table.name for table in TABLES] == list(NAMES)
    for table in TABLES:
        for field in table.dictionary():
            assert field["description"].endswith("."), field


def test_the_manifest_covers_the_files_and_roots_what_does_not_depend_on_the_past(small_snapshot):
    manifest = Manifest.load(small_snapshot)
    assert verify_files(small_snapshot, manifest) == []
    rooted = {
        entry.path.removeprefix(f"{DOWNLOADS}/sample-code/"): (entry.rooted, entry.rows)
        for entry in manifest.files
        if entry.path.startswith(f"{DOWNLOADS}/sample-code/")
    }
    assert rooted == {
        "changes.jsonl.gz": (False, None),
        "changes.parquet": (False, 0),
        "datapackage.json": (False, None),
        "provisions.jsonl.gz": (True, None),
        "provisions.parquet": (True, 9),
        "references.jsonl.gz": (True, None),
        "references.parquet": (True, rooted["references.parquet"][1]),
    }


def test_changes_are_those_of_the_snapshot(workspace, registry, artefact_builder, publish):
    publish()
    change_text(workspace, "sample-city-code", "20 coins", "25 coins")
    artefact_builder(workspace, registry)
    published = publish_snapshot(
        workspace,
        load_selection(workspace, registry),
        revision="test",
        clock=lambda: LATER,
        publish_worse=True,
    )
    folder = published.folder / DOWNLOADS / "sample-city-code"
    [line] = [
        json.loads(one) for one in gzip.decompress((folder / "changes.jsonl.gz").read_bytes()).splitlines()
    ]
    table = ChangeTable(published.folder / CHANGES)
    [change] = [table.change(row) for row in table.find()]
    assert change["after"] is not None
    assert list(line) == [column.name for column in CHANGE_TABLE.columns]
    assert (line["kind"], line["code_body"]) == (change["kind"], "sample-city-code")
    assert line["after"]["node_id"] == change["after"]["nodeId"]
    assert [(place["removed"], place["added"]) for place in line["words"]] == [("20", "25")]
    assert (line["published_on"], line["known_on"]) == (change["publishedOn"], change["knownOn"])
    [row] = pq.read_table(folder / "changes.parquet").to_pylist()
    assert json.loads(orjson.dumps(row)) == line
    package = orjson.loads((folder / DATA_PACKAGE).read_bytes())
    assert "2026.11.21-1" in package["resources"][-1]["description"]
    other = orjson.loads((published.folder / DOWNLOADS / "sample-code" / DATA_PACKAGE).read_bytes())
    assert other["resources"][-1]["rows"] == 0


def test_a_snapshot_without_the_files_opens_as_before(small_snapshot, tmp_path):
    older = tmp_path / "2026.11.20-1"
    shutil.copytree(small_snapshot, older)
    shutil.rmtree(older / DOWNLOADS)
    manifest = Manifest.load(older)
    files = tuple(entry for entry in manifest.files if not entry.path.startswith(f"{DOWNLOADS}/"))
    manifest = replace(manifest, files=files, root_sha256=root_sha256(files))
    (older / MANIFEST).write_bytes(manifest.to_json())
    snapshot = open_snapshot(older)
    assert snapshot.read(f"{DOWNLOADS}/sample-code/{DATA_PACKAGE}") is None
    snapshot.close()


def test_all_names_of_files_are_known():
    assert [file_name(NAMES[0], form) for form in FORMATS] == ["provisions.parquet", "provisions.jsonl.gz"]
