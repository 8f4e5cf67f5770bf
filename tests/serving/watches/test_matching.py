"""Events of watches: exactly what changed of what is watched, once each, whoever matches and however often."""

import json
import shutil

import pytest

from serving.contract.identity import code_body_id, node_id
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.lifecycle import promote
from serving.watches.matching import Matcher
from serving.watches.subjects import CODE_BODY, CONTAINER, NODE, SEARCH, Subject

FIRST, SECOND, THIRD = "2026.11.20-1", "2026.11.21-1", "2026.11.22-1"
DUES, LIGHT, TITLE = (str(node_id(f"/us/sample/t1{path}")) for path in ("/s1", "/s2", ""))


@pytest.fixture
def snapshots(changed_folder):
    holder = SnapshotHolder(changed_folder, pinned=1)
    yield holder
    holder.close()


@pytest.fixture
def match(meter, snapshots):
    return Matcher(meter.database, snapshots, public_url="https://law.example").match


def told(watches, watch_id):
    _, events = watches.get(watch_id)
    found = [json.loads(event.body)["data"] for event in events]
    return sorted(
        (data["to"]["id"], [(one["kind"], one.get("citation")) for one in data["changes"]]) for data in found
    )


DUES_CHANGED: tuple[str, str | None] = ("amended", "1 S.F.C. § 1")
SUBJECTS: dict[Subject, list[tuple[str, list[tuple[str, str | None]]]]] = {
    Subject(NODE, DUES): [(SECOND, [DUES_CHANGED]), (THIRD, [DUES_CHANGED])],
    Subject(NODE, TITLE): [],
    Subject(CODE_BODY, str(code_body_id("sample-code"))): [(SECOND, [("added", None)])],
    # Light is repealed in the third: no search leads to it any more.
    Subject(SEARCH, "coins a ship pays"): [(SECOND, [DUES_CHANGED]), (THIRD, [DUES_CHANGED])],
    Subject(SEARCH, "coins a ship pays", "dc"): [],
}


def test_each_watch_gets_its_changes_of_each_snapshot_once(watches, account, match):
    made = {
        subject: watches.create(account, subject, None, seen=FIRST).watch.watch_id for subject in SUBJECTS
    }
    assert match() == sum(len(events) for events in SUBJECTS.values())
    assert match() == 0
    assert {subject: told(watches, watch_id) for subject, watch_id in made.items()} == SUBJECTS


def test_a_container_has_all_below_it_and_an_event_says_where_to_read_on(watches, account, match):
    watch_id = watches.create(account, Subject(CONTAINER, TITLE), None, seen=SECOND).watch.watch_id
    match()
    _, (event,) = watches.get(watch_id)
    data = json.loads(event.body)["data"]
    assert (data["from"]["id"], data["to"]["id"], data["total"]) == (SECOND, THIRD, 2)
    assert [(one["kind"], one["nodeId"]) for one in data["changes"]] == [("amended", DUES), ("status", LIGHT)]
    assert data["changes"][1]["status"] == "repealed"
    assert data["changesUrl"] == (
        f"https://law.example/api/v1/changes?from={SECOND}&to={THIRD}&container={TITLE}"
    )


def test_what_was_matched_before_the_process_died_is_not_matched_again(
    watches, account, meter, snapshots, monkeypatch
):
    """Two at once stand for one that died after its writing and one that came after it: both read the same."""
    watch_id = watches.create(account, Subject(NODE, DUES), None, seen=SECOND).watch.watch_id
    one, other = (Matcher(meter.database, snapshots, public_url="") for _ in range(2))
    behind = [list(matcher._behind(THIRD)) for matcher in (one, other)]
    for matcher, found in zip((one, other), behind, strict=True):
        monkeypatch.setattr(matcher, "_behind", lambda _snapshot, found=found: iter(found))
    assert (one.match(), other.match()) == (1, 0)
    _, events = watches.get(watch_id)
    assert len(events) == 1


def test_what_was_rolled_back_is_not_told(watches, account, meter, changed_folder, tmp_path):
    folder = tmp_path / "snapshots"
    shutil.copytree(changed_folder, folder, symlinks=True)
    promote(folder, SECOND)
    watch_id = watches.create(account, Subject(NODE, DUES), None, seen=FIRST).watch.watch_id
    holder = SnapshotHolder(folder)
    matcher = Matcher(meter.database, holder, public_url="")
    assert (matcher.match(), told(watches, watch_id)) == (1, [(SECOND, [DUES_CHANGED])])
    promote(folder, THIRD)
    assert matcher.match() == 1
    promote(folder, SECOND)
    assert matcher.match() == 0
    holder.close()


def test_a_new_watch_is_not_told_of_what_was_before_it(watches, account, match):
    watch_id = watches.create(account, Subject(NODE, DUES), None, seen=THIRD).watch.watch_id
    assert match() == 0
    assert told(watches, watch_id) == []


def test_watches_beyond_one_reading_are_matched_too(watches, account, match, monkeypatch):
    monkeypatch.setattr("serving.watches.matching._AT_ONCE", 2)
    for _ in range(5):
        watches.create(account, Subject(NODE, DUES), None, seen=SECOND)
    assert match() == 5
