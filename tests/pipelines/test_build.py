"""`lawbuild` from sources to a snapshot in service, and what it does with broken ones."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from assets.findings import Verdict
from assets.ingest.rederivation import rederive
from assets.registry import load_registry
from assets.workspace import Workspace
from serving.contract.identity import node_id
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.store import open_snapshot
from tests.formation import add_naics_vectors

Build = Callable[..., tuple[int, str]]
Filled = Callable[..., None]
SAMPLE = Path("datasets/sample/sample-code")


def gaps(workspace: Workspace, jurisdiction: str) -> list[str]:
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    coverage = json.loads((folder / "static" / "coverage.json").read_bytes())
    (entry,) = [row for row in coverage["jurisdictions"] if row["shortCode"] == jurisdiction]
    return list(entry["gaps"])


def citations(workspace: Workspace) -> set[str]:
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    snapshot = open_snapshot(folder)
    try:
        return {snapshot.nodes.citation(row) for row in range(len(snapshot.nodes))}
    finally:
        snapshot.close()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "source"))


def test_the_sample_is_published_and_read(workspace: Workspace, lawbuild: Build) -> None:
    status, said = lawbuild("sample-code", "sample-city-code")
    assert status == 0, said
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    snapshot = open_snapshot(folder)
    try:
        row = snapshot.nodes.find(node_id("/sample/code/t1/s101"))
        assert row is not None
        assert snapshot.nodes.citation(row) == "1 Sample Code § 101"
        assert {body.key for body in snapshot.manifest.code_bodies} == {"sample-code", "sample-city-code"}
    finally:
        snapshot.close()


def test_two_builds_of_one_source_agree(workspace: Workspace, lawbuild: Build) -> None:
    roots = []
    for how in ([], ["--anew"]):
        status, said = lawbuild("sample-code", *how)
        assert status == 0, said
        folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
        roots.append((folder.name, json.loads((folder / "manifest.json").read_bytes())["root_sha256"]))
    (first, root), (second, again) = roots
    assert first != second
    assert root == again


ELSEWHERE = """
import os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from pipelines.build import main
sys.exit(main(["sample-code"]))
"""


def test_a_clean_build_elsewhere_has_the_same_root(
    workspace: Workspace, already_built: Filled, tmp_path: Path, encoder_folder: Path
) -> None:
    """Another folder, another time, another number of cores: the same law has the same root."""
    already_built("sample-code")
    elsewhere = Workspace(tmp_path / "other" / "place", workspace.datasets, tmp_path / "others")
    shutil.copytree(encoder_folder, elsewhere.encoder)
    add_naics_vectors(elsewhere, encoder_folder)
    environment = {"LAW_WORKSPACE": str(elsewhere.root), "LAW_SNAPSHOTS": str(elsewhere.snapshots)}
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], env={**os.environ, **environment}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    first, second = (
        open_snapshot(one.snapshots / current_snapshot_id(one.snapshots)) for one in (workspace, elsewhere)
    )
    retrieved = [one.nodes.answer(0)["provenance"]["retrievedAt"] for one in (first, second)]
    assert retrieved[0] != retrieved[1], "else the time was not another"
    assert first.manifest.nodes_root == second.manifest.nodes_root is not None
    first.close()
    second.close()


def test_what_is_in_service_is_derived_again_from_its_bytes(
    workspace: Workspace, lawbuild: Build, already_built: Filled
) -> None:
    already_built("sample-code", "sample-city-code")
    status, said = lawbuild("--verify-nodes", "1000")
    assert status == 0, said
    assert "sample-code: " in said
    assert said.count("all the same") == 2
    status, said = lawbuild("--verify-nodes", "3", "sample-code")
    assert status == 0, said
    assert "sample-code: 3 of 3 provisions derived again, all the same" in said
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    nodes = folder / "nodes.arrow"
    content = nodes.read_bytes()
    assert content.count(b'"heading":"Return of security deposit"') == 1
    nodes.chmod(0o644)
    nodes.write_bytes(content.replace(b'"heading":"Return of', b'"heading":"Return by'))
    status, said = lawbuild("--verify-nodes", "1000", "sample-code")
    assert status == 1
    assert "nodes.arrow: holds another answer in row" in said
    nodes.write_bytes(content)
    pinned = workspace.source_files("sample-code") / "files.parquet"
    damaged = bytearray(pinned.read_bytes())
    damaged[len(damaged) // 3] ^= 1
    pinned.write_bytes(damaged)
    status, said = lawbuild("--verify-nodes", "1000", "sample-code")
    assert status == 1
    assert "files.parquet" in said
    with pytest.raises(SystemExit):
        lawbuild("--verify-nodes", "0")


def read_again(answers: Sequence[Any], workspace: Workspace) -> Verdict:
    """Derive provisions of the sample code again."""
    return rederive(
        answers,
        workspace.source_files("sample-code"),
        load_registry(workspace.registry).code_body("sample-code"),
        tag_rules=workspace.registry / "tags.toml",
        progress=lambda _done, _total: None,
    )


def test_what_is_not_in_the_bytes_is_named_with_its_field(
    workspace: Workspace, already_built: Filled
) -> None:
    already_built("sample-code")
    snapshot = open_snapshot(workspace.snapshots / current_snapshot_id(workspace.snapshots))
    forged: list[tuple[str, Any, list[str]]] = [
        ("heading", "Forged", ["derived_otherwise"]),
        ("text", "Forged.", ["derived_otherwise"]),
        ("notes", [{"topic": "forged", "heading": None, "text": "Forged."}], ["derived_otherwise"]),
        ("byteStart", 1, ["place_differs", "derived_otherwise"]),
        ("sha256", "0" * 64, ["source_not_kept"]),
        ("id", str(node_id("/sample/code/t1/s999")), ["not_derived"]),
    ]
    answers: list[Any] = [snapshot.nodes.answer(row) for row in range(len(forged) + 1)]
    snapshot.close()
    for answer, (field, value, _) in zip(answers, forged, strict=False):
        place = answer["provenance"] if field in answer["provenance"] else answer
        place[field] = value
    verdict = read_again(answers, workspace)
    found = [
        [finding.code for finding in verdict.findings if finding.where == answer["citation"]]
        for answer in answers
    ]
    assert found == [*(codes for _, _, codes in forged), []]
    assert verdict.measured == {"derived": 6, "heading": 1, "text": 1, "notes": 1, "byte_start": 1}
    (start,) = [finding for finding in verdict.findings if "byte_start" in finding.message]
    assert start.message.startswith("differs in byte_start (published 1, derived ")


def test_a_broken_title_keeps_its_last_good_version(
    workspace: Workspace, lawbuild: Build, already_built: Filled, source: Path
) -> None:
    already_built("sample-code")
    before = citations(workspace)
    broken = source / "title02.xml"
    broken.write_bytes(broken.read_bytes()[:5_000])
    status, said = lawbuild(f"sample-code={source}")
    assert status == 0, said
    assert "title02.xml:" in said
    assert citations(workspace) == before
    assert any("title02.xml:" in gap for gap in gaps(workspace, "sample"))


def test_a_broken_title_without_an_earlier_one_is_a_gap(
    workspace: Workspace, lawbuild: Build, source: Path
) -> None:
    (source / "title02.xml").write_bytes(b"<uscDoc>\n<main></uscDoc>")
    status, said = lawbuild(f"sample-code={source}")
    assert status == 0, said
    kept = citations(workspace)
    assert "1 Sample Code § 101" in kept
    assert not any(citation.startswith("2 Sample Code §") for citation in kept)
    assert any("title02.xml:2:" in gap for gap in gaps(workspace, "sample"))
    snapshot = open_snapshot(workspace.snapshots / current_snapshot_id(workspace.snapshots))
    answer: Any = snapshot.nodes.answer(0)
    snapshot.close()
    content = (source / "title02.xml").read_bytes()
    answer["id"] = str(node_id("/sample/code/t2/s1"))
    answer["provenance"] |= {"file": "title02.xml", "sha256": sha256(content).hexdigest()}
    answer["provenance"] |= {"byteStart": 0, "byteEnd": len(content)}
    (finding,) = read_again([answer], workspace).findings
    assert finding.code == "source_not_read"
    assert finding.message.startswith("cannot be derived: title02.xml:2:")


def test_a_broken_index_of_a_title_is_a_gap_and_the_rest_is_published(
    workspace: Workspace, lawbuild: Build, tmp_path: Path
) -> None:
    city = shutil.copytree("datasets/sample/sample-city-code", tmp_path / "city")
    index = city / "titles/1/index.xml"
    index.write_bytes(index.read_bytes()[:500])
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    assert any("Title 1 is missing: titles/1/index.xml:" in gap for gap in gaps(workspace, "sample-city"))
    assert "Sample City Code § 2-101" in citations(workspace)
    assert "Sample City Code § 1-101" not in citations(workspace)


def test_a_title_with_a_broken_index_is_kept_though_its_sections_changed(
    workspace: Workspace, lawbuild: Build, already_built: Filled, tmp_path: Path
) -> None:
    city = shutil.copytree("datasets/sample/sample-city-code", tmp_path / "city")
    already_built("sample-city-code")
    before = citations(workspace)
    index = city / "titles/1/index.xml"
    index.write_bytes(index.read_bytes()[:500])
    changed = city / "titles/1/sections/1-101.xml"
    changed.write_bytes(changed.read_bytes().replace(b"may be cited", b"shall be cited"))
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    assert citations(workspace) == before


def test_an_archive_that_ends_early_says_so_without_a_traceback(lawbuild: Build, tmp_path: Path) -> None:
    archive = tmp_path / "short.tar.xz"
    archive.write_bytes(b"")
    status, said = lawbuild(f"us-usc={archive}")
    assert status == 1
    assert "short.tar.xz" in said
    assert "line " not in said
    assert "SourceError" not in said


def test_a_failed_check_leaves_the_body_as_it_was(
    workspace: Workspace, lawbuild: Build, already_built: Filled, source: Path
) -> None:
    already_built("sample-code")
    accepted = pq.read_table(workspace.accepted("sample-code") / "provisions" / "provisions.parquet")
    title = source / "title01.xml"
    text = title.read_text(encoding="utf-8")
    # A paragraph between two sections belongs to neither: the reader keeps it, but out of order.
    marker = "</chapter>"
    assert marker in text
    title.write_text(
        text.replace(marker, f"<p>Stray words after the sections.</p>{marker}", 1), encoding="utf-8"
    )
    status, said = lawbuild(f"sample-code={source}")
    assert status == 1
    assert "text_is_not_lost" in said
    assert "title01.xml" in said
    after = pq.read_table(workspace.accepted("sample-code") / "provisions" / "provisions.parquet")
    assert after.equals(accepted)
    assert "1 Sample Code § 101" in citations(workspace)


def test_a_trial_says_what_the_checks_say_and_accepts_nothing(
    workspace: Workspace, lawbuild: Build, source: Path
) -> None:
    status, said = lawbuild("--trial", f"sample-code={source}")
    assert status == 0
    assert "Nothing was encoded, accepted or published" in said
    assert "embeddings" not in said
    assert re.search(r"sample-code: \d+ provisions are read, \d+ of them sections, of \d titles", said)
    assert re.search(r"sample-code: [1-9]\d* provisions have parts with designations", said)
    assert not workspace.accepted("sample-code").exists()
    assert not list(workspace.snapshots.glob("*/manifest.json"))
    title = source / "title01.xml"
    text = title.read_text(encoding="utf-8")
    title.write_text(text.replace("</chapter>", "<p>Stray words.</p></chapter>", 1), encoding="utf-8")
    status, said = lawbuild("--trial", f"sample-code={source}")
    assert status == 1
    assert "text_is_not_lost" in said
    (empty := source.with_name("empty")).mkdir()
    status, said = lawbuild("--trial", f"sample-code={empty}")
    assert status == 1
    assert "provisions are read" not in said, "nothing is, and what was read before is no news"
    title.write_text(text, encoding="utf-8")
    status, said = lawbuild("--trial", "sample-city")
    assert status == 1
    assert "sample-city is a zoning layer" in said
    assert lawbuild(f"sample-code={source}")[0] == 0
    assert "1 Sample Code § 101" in citations(workspace)


def test_an_unknown_code_body_names_the_known(lawbuild: Build) -> None:
    status, said = lawbuild("us-usk")
    assert status == 1
    assert "us-usc" in said


def test_a_body_without_a_packaged_source_says_what_to_do(lawbuild: Build) -> None:
    status, said = lawbuild("chickasaw-code")
    assert status == 1
    assert "BODIES=chickasaw-code=PATH" in said


def test_a_missing_path_is_named(lawbuild: Build) -> None:
    status, said = lawbuild("dc-code=/no/such/archive.tar.xz")
    assert status == 1
    assert "/no/such/archive.tar.xz" in said


def test_what_is_no_source_by_its_look_is_told_before_the_build(
    workspace: Workspace, lawbuild: Build, tmp_path: Path
) -> None:
    empty, text = tmp_path / "empty", tmp_path / "law.txt"
    empty.mkdir()
    text.write_text("Section 1.", encoding="utf-8")
    began = time.monotonic()
    for given, told in ((empty, "holds no files"), (text, "neither a folder nor an archive")):
        status, said = lawbuild(f"dc-code={given}")
        assert (status, said.count("\n")) == (1, 1)
        assert told in said
    assert time.monotonic() - began < 30
    assert not workspace.source_files("dc-code").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sample-code", "sample-code=elsewhere"), "sample-code is named 2 times"),
        (("sample-code=",), "no path after 'sample-code='"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_built(
    workspace: Workspace, lawbuild: Build, arguments: tuple[str, ...], said: str
) -> None:
    status, answer = lawbuild(*arguments)
    assert status == 1
    assert said in answer
    assert not workspace.source_files("sample-code").exists()


def test_outside_the_project_it_says_where_to_run(tmp_path: Path) -> None:
    status, said = in_a_process(tmp_path, "")
    assert status == 1
    assert said.startswith("lawbuild: ")
    assert "set LAW_DATASETS" in said


def test_an_install_for_serving_alone_says_what_to_install() -> None:
    status, said = in_a_process(Path.cwd(), "sys.modules['dagster'] = None;")
    assert status == 1
    assert said.startswith("lawbuild: ")
    assert "without dagster" in said
    assert "requirements.lock" in said


def in_a_process(folder: Path, before: str) -> tuple[int, str]:
    """Run `lawbuild sample-code` in a fresh interpreter, after a statement that changes what it finds."""
    command = f"import sys; {before} from pipelines.build import main; sys.exit(main(['sample-code']))"
    environment = {"PATH": os.defpath, "PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(
        [sys.executable, "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_the_list_shows_every_code_body(lawbuild: Build) -> None:
    status, said = lawbuild("--list")
    assert status == 0
    assert {"us-usc", "dc-code", "sample-code", "sample-city-code"} <= set(said.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--list", "--check"], "--list and --check are tasks of their own: give one at a time"),
        (["--check", "--trial", "sample-code"], "--check and --trial are tasks of their own"),
        (
            ["--trial", "sample-code", "--drop", "sample-city-code"],
            "--trial publishes nothing, and --drop is",
        ),
        (["--verify-nodes", "3", "--publish"], "--verify-nodes publishes nothing, and --publish is"),
        (["--check", "--dry-run"], "--check publishes nothing, and --dry-run is about a publication"),
    ],
)
def test_an_option_that_would_be_passed_over_is_a_misuse(
    lawbuild: Build, capfd: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        lawbuild(*arguments)
    assert stopped.value.code == 2
    assert said in capfd.readouterr().err


def test_nothing_named_is_a_misuse(lawbuild: Build) -> None:
    with pytest.raises(SystemExit) as stopped:
        lawbuild()
    assert stopped.value.code == 2


def test_a_kept_title_says_how_old_it_is(
    workspace: Workspace, lawbuild: Build, already_built: Filled, source: Path
) -> None:
    already_built("sample-code")
    for title in source.glob("*.xml"):
        title.write_bytes(title.read_bytes().replace(b"2026-1<", b"2026-2<"))
    (source / "title02.xml").write_bytes(b"<uscDoc>")
    assert lawbuild(f"sample-code={source}")[0] == 0
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    snapshot = open_snapshot(folder)
    try:
        found = {}
        for identifier in ("/sample/code/t1/s101", "/sample/code/t2/s3103"):
            row = snapshot.nodes.find(node_id(identifier))
            assert row is not None
            body = json.loads(bytes(snapshot.nodes.body(row).plain))
            found[identifier] = (body["currentThrough"], body["provenance"]["releasePoint"])
    finally:
        snapshot.close()
    assert found == {
        "/sample/code/t1/s101": ("2026-2", "2026-2"),
        "/sample/code/t2/s3103": ("2026-1", "2026-1"),
    }
