"""`lawctl watches`, over both engines: matched with the snapshot in service, delivered, and delivered again."""

import shutil
from pathlib import Path

import pytest

from serving.contract.identity import node_id
from serving.metering.database import Database
from serving.watches.subjects import NODE, SEARCH, Subject
from serving.watches.watches import Watches
from tests.serving.watches.receivers import receiving

DUES = Subject(NODE, str(node_id("/us/sample/t1/s1")))


@pytest.fixture
def receiver(monkeypatch, changed_folder):
    monkeypatch.setenv("LAW_SNAPSHOTS", str(changed_folder))
    monkeypatch.setenv("LAW_WEBHOOK_HOSTS", "local")
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def watch(lawctl, url, receiver):
    account = int(lawctl("accounts", "create", "--email", "a@example.org", "--json").json["id"])
    database = Database(url)
    made = Watches(database).create(account, DUES, f"{receiver.url}/hook", seen="2026.11.20-1")
    database.close()
    return made.watch.watch_id


def test_a_pass_matches_and_delivers_what_changed(lawctl, receiver, watch):
    assert lawctl("watches", "deliver").out == "2 events matched; 2 deliveries arrived, 0 did not.\n"
    assert lawctl("watches", "deliver", "--json").json == {"matched": 0, "delivered": 0, "failed": 0}
    assert len(set(receiver.ids)) == 2
    listed = lawctl("watches", "list", "--json").json
    assert [(one["id"], one["node"], one["seen"]) for one in listed] == [(watch, DUES.value, "2026.11.22-1")]
    assert receiver.url in lawctl("watches", "list", "a@example.org").out


def test_events_are_delivered_again_by_their_ids(lawctl, receiver, watch):
    lawctl("watches", "deliver")
    assert lawctl("watches", "replay", watch, "--days", "9", "--json").json == {"events": 2}
    lawctl("watches", "deliver")
    assert sorted(receiver.ids[:2]) == sorted(receiver.ids[2:])
    assert "No watch" in lawctl("watches", "replay", "no-watch", "--days", "9", fails=True).err


def test_what_is_due_is_delivered_though_a_snapshot_is_damaged(
    lawctl, url, receiver, watch, changed_folder, monkeypatch, tmp_path
):
    lawctl("watches", "deliver")
    lawctl("watches", "replay", watch, "--days", "9")
    database = Database(url)
    account = Watches(database).get(watch)[0].account_id
    Watches(database).create(account, DUES, None, seen="2026.11.20-1")
    database.close()
    damaged = tmp_path / "snapshots"
    shutil.copytree(changed_folder, damaged)
    (damaged / "2026.11.22-1" / "changes.json").write_bytes(b"{}")
    monkeypatch.setenv("LAW_SNAPSHOTS", str(damaged))
    assert "damaged" in lawctl("watches", "deliver", fails=True).err
    assert len(receiver.ids) == 4


def test_between_passes_no_snapshot_is_open(lawctl, url, watch, changed_folder, monkeypatch):
    database = Database(url)
    account = Watches(database).get(watch)[0].account_id
    searched = Subject(SEARCH, "coins a ship pays")
    Watches(database).create(account, searched, None, seen="2026.11.20-1")
    database.close()
    mapped: list[str] = []

    def paused(_seconds):
        lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
        mapped.extend(line for line in lines if str(changed_folder) in line and "chunks.arrow" in line)
        raise KeyboardInterrupt

    monkeypatch.setattr("serving.commands.watches.time.sleep", paused)
    told = lawctl("watches", "deliver", "--every", "30", fails=True)
    assert "4 events matched" in told.out
    assert mapped == []


def test_nothing_is_matched_where_nothing_is_in_service(lawctl, watch, monkeypatch, tmp_path):
    monkeypatch.setenv("LAW_SNAPSHOTS", str(tmp_path / "none"))
    assert lawctl("watches", "deliver", "--json").json == {"matched": 0, "delivered": 0, "failed": 0}
