"""The files of a code body: what is in them, equal in both formats, and the same bytes for the same law."""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest

from assets.errors import BuildError
from assets.release.bulk.build import build_bulk_files
from assets.release.bulk.rows import snake_case
from assets.release.bulk.tables import PROVISION_TABLE, REFERENCE_TABLE
from assets.release.quality.report import Artefacts
from assets.selection.selection import load_selection
from assets.selection.sidecar import SIDECAR
from serving.contract.answers import NodeBody
from serving.contract.downloads import FORMATS, file_name
from tests.assets.release.bulk.amended import change_text

KEYS = ("sample-city-code", "sample-code")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


@pytest.fixture
def artefacts(workspace):
    return Artefacts(workspace.artefact("response_store"), workspace.artefact("citation_index"))


@pytest.fixture
def built(workspace):
    return workspace.artefact("bulk_files")


def test_a_provision_is_told_as_the_api_answers_it(built, node):
    found = {row["identifier"]: row for row in lines(built / "sample-code" / "provisions.jsonl.gz")}
    row, answer = found["/sample/code/t1/s102"], node("/sample/code/t1/s102")
    assert list(row) == [column.name for column in PROVISION_TABLE.columns]
    same = (
        "citation",
        "heading",
        "text",
        "breadcrumb",
        "outline",
        "tags",
        "citedByCount",
        "textSha256",
        "status",
    )
    for name in same:
        assert row[snake_case(name)] == answer[name], name
    assert row["node_id"] == answer["id"]
    assert row["parent_id"] == answer["ancestors"][-1]["id"]
    assert row["notes"] == [{**note, "offset": None} for note in answer["notes"]]
    provenance = answer["provenance"]
    assert (row["source_file"], row["byte_start"], row["byte_end"]) == ("law.xml", 30, 40)
    assert (row["source_sha256"], row["retrieved_at"]) == (provenance["sha256"], "2026-11-01T00:00:00Z")
    assert (row["code_body"], row["jurisdiction"], row["citable"]) == ("sample-code", "sample", True)


def test_provisions_stand_in_the_order_of_the_code(built):
    rows = lines(built / "sample-code" / "provisions.jsonl.gz")
    assert [row["ordinal"] for row in rows] == list(range(9))
    numbers = [row["num"] for row in rows]
    assert numbers == ["1", "1", "101", "102", "102a", "103", "104", "2", "201"]
    assert rows[5]["status"] == "repealed"
    assert rows[0]["parent_id"] is None


def test_references_lead_across_code_bodies_and_say_why_not(built, node):
    rows = lines(built / "sample-code" / "references.jsonl.gz")
    assert list(rows[0]) == [column.name for column in REFERENCE_TABLE.columns]
    section = node("/sample/code/t1/s102")
    own = [row for row in rows if row["node_id"] == section["id"]]
    assert [
        {
            "start": row["start"],
            "end": row["end"],
            "citation": row["cited"],
            "nodeId": row["target_id"],
            "reason": row["reason"],
        }
        for row in own
    ] == section["references"]
    words = [section["text"][row["start"] : row["end"]] for row in own]
    assert words == ["section 101", "section 999"]
    assert own[0]["citation"] == "1 Sample Code § 102"
    assert own[1]["target_id"] is None
    assert own[1]["reason"]
    assert {row["origin"] for row in rows} <= {"markup", "text"}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("table", [PROVISION_TABLE, REFERENCE_TABLE], ids=lambda table: table.name)
def test_both_formats_hold_the_same(built, key, table):
    parquet, jsonl = (built / key / file_name(table.name, form) for form in FORMATS)
    read = pq.read_table(parquet)
    assert read.schema.equals(table.schema)
    assert json.loads(orjson.dumps(read.to_pylist(), option=orjson.OPT_UTC_Z)) == lines(jsonl)
    assert read.num_rows > 0


def test_the_same_law_makes_the_same_bytes(built, selection, artefacts, tmp_path):
    again = tmp_path / "again"
    again.mkdir()
    build_bulk_files(selection, again, artefacts=artefacts)
    names = sorted(path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file())
    assert len(names) == 10
    for name in names:
        assert (again / name).read_bytes() == (built / name).read_bytes(), name


def test_what_did_not_change_is_kept_and_the_rest_is_as_built_from_nothing(
    built, workspace, registry, artefact_builder, artefacts, tmp_path
):
    before, kept, anew = tmp_path / "before", tmp_path / "kept", tmp_path / "anew"
    shutil.copytree(built, before)
    change_text(workspace, "sample-city-code", "20 coins", "25 coins")
    artefact_builder(workspace, registry)
    selection = load_selection(workspace, registry)
    done: list[int] = []
    for folder, options in ((kept, {"before": before, "progress": done.append}), (anew, {})):
        folder.mkdir()
        build_bulk_files(selection, folder, artefacts=artefacts, **options)
    assert sum(done) == len(selection)
    for path in anew.rglob("*.*"):
        assert (kept / path.relative_to(anew)).read_bytes() == path.read_bytes(), path
    name = "provisions.jsonl.gz"
    same = [(before / key / name).samefile(kept / key / name) for key in KEYS]
    assert same == [False, True]
    assert "25 coins" in gzip.decompress((kept / KEYS[0] / name).read_bytes()).decode()
    # What cannot be read, or is not there, is made.
    (before / "versions.json").write_text("{")
    again = tmp_path / "again"
    again.mkdir()
    build_bulk_files(selection, again, artefacts=artefacts, before=before)
    assert not (before / KEYS[1] / name).samefile(again / KEYS[1] / name)


def test_progress_counts_every_provision(selection, artefacts, tmp_path):
    done: list[int] = []
    counts = build_bulk_files(selection, tmp_path, artefacts=artefacts, progress=done.append)
    assert sum(done) == counts["published_provisions"] == len(selection) == 12


def test_an_artefact_of_other_law_is_refused(workspace, selection, artefacts, tmp_path):
    sidecar = workspace.artefact("response_store") / SIDECAR
    record = json.loads(sidecar.read_bytes())
    record["inputs"]["provisions"] = "0" * 64
    sidecar.write_text(json.dumps(record))
    with pytest.raises(BuildError, match="build it again"):
        build_bulk_files(selection, tmp_path, artefacts=artefacts)


def test_every_field_of_a_node_has_a_column_or_a_reason():
    elsewhere = {
        "id": "node_id",
        "ancestors": "parent_id, breadcrumb",
        "codeBody": "code_body",
        "previousId": "ordinal",
        "nextId": "ordinal",
        "childCount": "parent_id",
        "references": "the table of references",
        "provenance": "source_file, byte_start, byte_end, source_sha256, release_point, retrieved_at",
        "successor": "successor_citation, successor_id",
        "effective": "effective_start, effective_end, effective_words",
    }
    columns = {column.name for column in PROVISION_TABLE.columns}
    fields = set(NodeBody.__annotations__)
    assert {name for name in fields if snake_case(name) not in columns} <= set(elsewhere)
