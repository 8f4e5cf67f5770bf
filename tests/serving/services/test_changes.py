"""Changes between retained snapshots, their history and their feeds, over three publications."""

import shutil
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from serving.api.rendering import ANSWERS
from serving.contract.errors import NotFoundError, SnapshotDamagedError, SnapshotGoneError, ValidationError
from serving.contract.identity import code_body_id, node_id
from serving.services.changes import changes_page, find_pair
from serving.services.feeds import make_feed
from serving.services.history import node_history
from serving.services.requests import ChangesRequest, PageRequest
from serving.services.retained_laws import close_removed
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.verify import verify_files

FIRST, SECOND, THIRD = "2026.11.20-1", "2026.11.21-1", "2026.11.22-1"


@pytest.fixture(scope="module")
def holder(changed_folder):
    holder = SnapshotHolder(changed_folder)
    holder.refresh()
    yield holder
    holder.close()


def asked(holder, **question):
    request = ChangesRequest(**question)
    return ANSWERS.plain(changes_page(holder, find_pair(holder, request), request))


def told(page):
    return [
        (one["kind"], one["after"] and one["after"]["citation"], tuple(one["fields"]))
        for one in page["results"]
    ]


LAST = [("amended", "1 S.F.C. § 1", ("text",)), ("status", "1 S.F.C. § 2", ("text", "status"))]


def test_the_newest_pair_is_the_default(holder):
    page = asked(holder)
    assert (page["from"]["id"], page["to"]["id"], page["reason"]) == (SECOND, THIRD, None)
    assert told(page) == LAST
    assert page["counts"] == {"status": 1, "amended": 1}
    assert page["results"][0]["words"][0]["added"] == "week."
    assert page["results"][0]["publishedOn"] == "2026-11-22"


def test_a_new_code_body_and_a_credit(holder):
    page = asked(holder, until=SECOND)
    new, dues, light = page["results"]
    assert (dues["kind"], dues["fields"], dues["creditAdded"]) == (
        "amended",
        ["text", "sourceCredit"],
        ["Act 1", "Act 2"],
    )
    assert (light["kind"], light["fields"]) == ("amended", ["heading"])
    assert (new["kind"], new["level"], new["nodeCount"]) == ("added", "code_body", 1)
    assert page["codeBodies"][0]["staleTitles"] == ["Title 3"]


def test_the_first_snapshot_says_that_it_has_none(holder):
    page = asked(holder, until=FIRST)
    assert (page["from"], page["reason"], page["results"], page["total"]) == (None, "first_snapshot", [], 0)


def test_snapshots_that_were_not_compared_are_on_demand(holder):
    page = asked(holder, since=FIRST)
    assert (page["from"]["id"], page["to"]["id"]) == (FIRST, THIRD)
    new, dues, _ = page["results"]
    assert [(one["removed"], one["added"]) for one in dues["words"]] == [("ten", "twelve"), ("day.", "week.")]
    assert new["codeBody"]["name"] == "Sample State Code"
    # What is found on demand and what was found at publication is the same.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("serving.services.changes._is_found", lambda law, since: False)
        assert asked(holder) == asked(holder, since=SECOND)
        on_demand = asked(holder)
    assert on_demand == asked(holder)


@pytest.mark.parametrize("pair", [{}, {"since": FIRST}])
def test_filters(holder, pair):
    def total(**filters):
        return asked(holder, **pair, **filters)["total"]

    every = total()
    assert total(jurisdiction="us") == total(code_body=code_body_id("us-sample")) == 2
    assert total(jurisdiction="dc") == 0
    assert total(kind="status") == 1
    assert total(container=node_id("/us/sample/t1/ch1")) == 1
    assert total(container=node_id("/us/sample/t1")) == 2
    pages = [asked(holder, **pair, page=PageRequest(page=page, limit=1)) for page in range(1, every + 2)]
    assert [len(page["results"]) for page in pages] == [1] * every + [0]


def test_what_cannot_be_compared_is_refused(holder):
    with pytest.raises(ValidationError, match="not older"):
        asked(holder, since=THIRD, until=SECOND)
    with pytest.raises(SnapshotGoneError):
        asked(holder, since="2026.11.01-1")
    with pytest.raises(SnapshotGoneError):
        asked(holder, until="2026.11.30-1")
    with pytest.raises(ValidationError, match="Nearest"):
        asked(holder, jurisdiction="uz")
    with pytest.raises(ValidationError, match="codeBody"):
        asked(holder, code_body=uuid4())
    for pair in ({}, {"since": FIRST}, {"until": FIRST}):
        with pytest.raises(ValidationError, match="container"):
            asked(holder, container=uuid4(), **pair)


def test_too_much_is_refused_on_demand(holder, monkeypatch):
    monkeypatch.setattr("serving.services.changes.MOST_DIFFERENCES", 1)
    with pytest.raises(ValidationError, match="codeBody"):
        asked(holder, since=FIRST)
    assert asked(holder, since=FIRST, code_body=code_body_id("sample-code"))["total"] == 1


def test_changes_outlive_the_snapshot_they_start_from(changed_folder, tmp_path):
    shutil.copytree(changed_folder, tmp_path / "snapshots")
    shutil.rmtree(tmp_path / "snapshots" / SECOND)
    holder = SnapshotHolder(tmp_path / "snapshots")
    holder.refresh()
    assert asked(holder, since=SECOND)["total"] == 2
    with pytest.raises(SnapshotGoneError):
        asked(holder, until=SECOND)
    holder.close()


def mapped(folder):
    """Files below a folder that this process has mapped, whether they are still there or not."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if str(folder) in line]


def test_a_removed_snapshot_gives_its_disk_back(changed_folder, tmp_path):
    shutil.copytree(changed_folder, tmp_path / "snapshots")
    holder = SnapshotHolder(tmp_path / "snapshots")
    holder.refresh()
    asked(holder, since=FIRST)
    assert mapped(tmp_path / "snapshots" / FIRST)
    shutil.rmtree(tmp_path / "snapshots" / FIRST)
    close_removed()
    assert not mapped(tmp_path / "snapshots" / FIRST)
    # What is there is opened again.
    assert asked(holder)["total"] == 2
    holder.close()


def test_a_damaged_snapshot_is_named_and_leaves_service(changed_folder, tmp_path):
    shutil.copytree(changed_folder, tmp_path / "snapshots")
    (tmp_path / "snapshots" / FIRST / "digests.arrow").write_bytes(b"")
    holder = SnapshotHolder(tmp_path / "snapshots")
    holder.refresh()
    with pytest.raises(SnapshotDamagedError):
        asked(holder, since=FIRST)
    holder.refresh()
    assert FIRST not in holder.retained()
    assert holder.current_id == THIRD
    holder.close()


def test_the_files_are_in_the_manifest(holder):
    with holder.lease() as snapshot:
        rows = {entry.path: entry.rows for entry in snapshot.manifest.files}
        assert (rows["changes.arrow"], rows["digests.arrow"]) == (2, len(snapshot.nodes))
        rooted = {entry.path for entry in snapshot.manifest.files if entry.rooted}
        assert "digests.arrow" in rooted
        assert not {"changes.arrow", "changes.json"} & rooted
        assert verify_files(snapshot.folder, snapshot.manifest) == []


def test_the_history_of_a_provision(holder):
    history = ANSWERS.plain(node_history(holder, node_id("/us/sample/t1/s2")))
    assert [(one["snapshot"], one["status"]) for one in history["states"]] == [
        (THIRD, "repealed"),
        (SECOND, "in_force"),
        (FIRST, "in_force"),
    ]
    assert [(one["from"]["id"], one["change"]["kind"]) for one in history["changes"]] == [
        (SECOND, "status"),
        (FIRST, "amended"),
    ]
    assert (history["notCompared"], history["knownSince"]) == ([FIRST], "2026-11-20")


def test_the_history_of_what_came_later(holder):
    history = ANSWERS.plain(node_history(holder, node_id("/sample/code/1")))
    assert [one["held"] for one in history["states"]] == [True, True, False]
    assert history["states"][2]["citation"] is None
    with pytest.raises(NotFoundError):
        node_history(holder, uuid4())


def test_feeds_have_every_change_and_the_numbers(holder):
    with holder.lease() as served:
        feed = make_feed(holder, served, code_body_id("us-sample"))
        with pytest.raises(NotFoundError):
            make_feed(holder, served, UUID(int=1))
    assert [entry.title for entry in feed.entries] == [
        "Sample Federal Code: 1 status, 1 amended",
        "1 S.F.C. § 1 (Dues): amended",
        "1 S.F.C. § 2 (Lights): status",
        "Sample Federal Code: 2 amended",
        "1 S.F.C. § 1 (Dues): amended",
        "1 S.F.C. § 2 (Lights): amended",
    ]
    assert len({entry.id for entry in feed.entries}) == 6
    text = feed.entries[1].text
    assert "Words put in: week." in text
    assert "Published here on 2026-11-22, known to us on 2026-11-01." in text
    assert "in force on" not in text
