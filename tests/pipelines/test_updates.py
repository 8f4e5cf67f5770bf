"""`lawbuild` of a second edition over a first: what is new is in service, and what stays behind says so."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from assets.workspace import Workspace
from serving.contract.identity import node_id
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.store import Snapshot, open_snapshot

Build = Callable[..., tuple[int, str]]
FIRST, SECOND = "2026-10-15", "2026-11-20"
INDEX = "titles/1/index.xml"
SECTION = "titles/1/sections/1-101.xml"


@pytest.fixture
def city(tmp_path: Path) -> Path:
    """The source of a city code in D.C.'s format."""
    return Path(shutil.copytree("datasets/sample/sample-city-code", tmp_path / "city"))


@pytest.fixture
def updated(city: Path, already_built: Callable[..., None]) -> Path:
    """The same source, built in its first edition, and then changed to the second in titles 1 and 2."""
    already_built("sample-city-code")
    change(city / "index.xml", FIRST, SECOND)
    change(city / SECTION, "may be cited", "shall be cited")
    change(city / "titles/2/sections/2-101.xml", "<heading>", "<heading>Newer: ")
    return city


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@contextmanager
def in_service(workspace: Workspace) -> Iterator[Snapshot]:
    snapshot = open_snapshot(workspace.snapshots / current_snapshot_id(workspace.snapshots))
    try:
        yield snapshot
    finally:
        snapshot.close()


def node(workspace: Workspace, identifier: str) -> dict[str, Any] | None:
    with in_service(workspace) as snapshot:
        row = snapshot.nodes.find(node_id(identifier))
        answer: dict[str, Any] | None = None if row is None else orjson.loads(snapshot.nodes.body(row).plain)
        return answer


def covered(workspace: Workspace) -> tuple[dict[str, Any], list[str]]:
    """Return the city's code body in the coverage, and the gaps."""
    folder = workspace.snapshots / current_snapshot_id(workspace.snapshots)
    coverage = json.loads((folder / "static" / "coverage.json").read_bytes())
    (entry,) = [row for row in coverage["jurisdictions"] if row["shortCode"] == "sample-city"]
    return entry["codeBodies"][0], entry["gaps"]


def test_a_title_is_updated_beside_a_file_that_nothing_leads_to(
    workspace: Workspace, lawbuild: Build, updated: Path
) -> None:
    stray = "titles/1/sections/1-999.xml"
    (updated / stray).write_bytes((updated / SECTION).read_bytes().replace(b"1-101", b"1-999"))
    status, said = lawbuild(f"sample-city-code={updated}")
    assert status == 0, said
    section = node(workspace, "/sample-city/code/1-101")
    assert section is not None
    assert "shall be cited" in section["text"]
    assert "staleSince" not in section
    assert node(workspace, "/sample-city/code/1-999") is None
    body, gaps = covered(workspace)
    assert gaps == [f"Title 1 is read without 1 file that no index leads to: {stray}."]
    assert "staleTitles" not in body
    assert "OLD LAW" not in said


def test_a_broken_section_costs_itself_and_the_title_is_updated(
    workspace: Workspace, lawbuild: Build, updated: Path
) -> None:
    broken = updated / "titles/1/sections/1-102.xml"
    broken.write_bytes(broken.read_bytes()[:300])
    status, said = lawbuild(f"sample-city-code={updated}")
    assert status == 0, said
    section = node(workspace, "/sample-city/code/1-101")
    assert section is not None
    assert "shall be cited" in section["text"]
    assert node(workspace, "/sample-city/code/1-102") is None
    body, gaps = covered(workspace)
    assert len(gaps) == 1
    assert re.match(r"Title 1 is incomplete: titles/1/sections/1-102\.xml:\d+:\d+: ", gaps[0])
    assert (body["complete"], "staleTitles" in body) == (False, False)


def test_a_number_that_two_titles_give_is_two_provisions(
    workspace: Workspace, lawbuild: Build, updated: Path
) -> None:
    twin = (updated / "titles/1/sections/1-103.xml").read_text(encoding="utf-8")
    twin = re.sub(r"<heading>.*?</heading>", "<heading>Twin.</heading>", twin)
    (updated / "titles/2/sections/1-103.xml").write_text(twin, encoding="utf-8")
    change(
        updated / "titles/2/index.xml", "<xi:include", '<xi:include href="./sections/1-103.xml"/><xi:include'
    )
    status, said = lawbuild(f"sample-city-code={updated}")
    assert status == 0, said
    second = node(workspace, "/sample-city/code/1-103@twin")
    assert second is not None
    assert second["breadcrumb"][1].startswith("Title 2.")
    (first,) = second["duplicateOf"]
    with in_service(workspace) as snapshot:
        rows = range(len(snapshot.nodes))
        same = [row for row in rows if snapshot.nodes.citation(row) == second["citation"]]
        bodies = [orjson.loads(snapshot.nodes.body(row).plain) for row in same]
    assert {body["id"] for body in bodies} == {first, second["id"]}
    assert node(workspace, "/sample-city/code/1-103") is None


def test_a_title_that_cannot_be_read_stays_in_service_and_says_how_old_it_is(
    workspace: Workspace, lawbuild: Build, updated: Path
) -> None:
    whole = (updated / INDEX).read_bytes()
    (updated / INDEX).write_bytes(whole[:500])
    status, said = lawbuild(f"sample-city-code={updated}")
    assert status == 0, said
    old, new = node(workspace, "/sample-city/code/1-101"), node(workspace, "/sample-city/code/2-101")
    assert old is not None
    assert new is not None
    assert "may be cited" in old["text"]
    assert (old["staleSince"], old["currentThroughDate"]) == (SECOND, FIRST)
    assert ("staleSince" in new, new["currentThroughDate"]) == (False, SECOND)
    assert new["heading"].startswith("Newer: ")
    body, gaps = covered(workspace)
    (title,) = body["staleTitles"]
    assert title.pop("nodeCount") > 10
    assert title == {
        "label": "Title 1",
        "currentThrough": f"Sample Law 24-6 (through {FIRST})",
        "currentThroughDate": FIRST,
        "staleSince": SECOND,
    }
    assert body["currentThroughDate"] == SECOND
    assert f"could not be updated since {SECOND}: {INDEX}:" in gaps[0]
    last = said.rstrip().splitlines()[-1]
    assert last.startswith("OLD LAW IN SERVICE: Sample City Municipal Code (invented), Title 1 (")
    assert f"(through {FIRST}) and could not be updated from the edition of {SECOND}." in last

    (updated / INDEX).write_bytes(whole)
    status, said = lawbuild(f"sample-city-code={updated}")
    assert status == 0, said
    mended = node(workspace, "/sample-city/code/1-101")
    assert mended is not None
    assert "shall be cited" in mended["text"]
    assert "staleSince" not in mended
    assert "staleTitles" not in covered(workspace)[0]
    assert "OLD LAW" not in said


def test_a_section_that_moved_out_of_a_kept_title_is_in_service_once(
    workspace: Workspace, lawbuild: Build, updated: Path
) -> None:
    (updated / INDEX).write_bytes((updated / INDEX).read_bytes()[:500])
    shutil.move(updated / SECTION, updated / "titles/2/sections/1-101.xml")
    change(
        updated / "titles/2/index.xml", "<xi:include", '<xi:include href="./sections/1-101.xml"/><xi:include'
    )
    status, said = lawbuild(f"sample-city-code={updated}")
    assert status == 0, said
    moved = node(workspace, "/sample-city/code/1-101")
    assert moved is not None
    assert "shall be cited" in moved["text"]
    assert moved["breadcrumb"][1].startswith("Title 2.")
    assert "staleSince" not in moved
    stays = node(workspace, "/sample-city/code/1-102")
    assert stays is not None
    assert stays["staleSince"] == SECOND
