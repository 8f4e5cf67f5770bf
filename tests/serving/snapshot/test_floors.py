"""The file of the floors, and snapshots without one."""

import pytest

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import FLOORS
from serving.services.floors import least_likeness, least_similarity
from serving.snapshot.floors import default_floors, parse_floors
from serving.snapshot.store import Snapshot

STORED = b'[[floor]]\nencoder = "%s"\nknown_words = 0.5\nno_known_word = 0.75\nlike_question = 0.625\n'


def test_a_snapshot_carries_the_floors_of_its_day(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert snapshot.read(FLOORS) is not None
    assert snapshot.floors == default_floors()
    assert snapshot.encoder.config.name in snapshot.floors
    theirs = parse_floors(STORED % snapshot.encoder.config.name.encode(), "here")
    monkeypatch.setitem(snapshot.__dict__, "floors", theirs)
    assert least_similarity(snapshot, "harbor") == 0.5
    assert least_similarity(snapshot, "asdfghjkl") == 0.75
    assert least_likeness(snapshot, "harbor") == 0.625


def test_a_snapshot_of_an_earlier_build_has_those_of_the_package(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_files", {})
    monkeypatch.delitem(snapshot.__dict__, "floors", raising=False)
    assert snapshot.floors is default_floors()
    monkeypatch.undo()
    snapshot.__dict__.pop("floors", None)


def test_an_encoder_without_a_floor_finds_whatever_is_nearest(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(snapshot.__dict__, "floors", parse_floors(STORED % b"another", "here"))
    assert (least_similarity(snapshot, "harbor"), least_likeness(snapshot, "harbor")) == (-1, 1)


@pytest.mark.parametrize(
    "stored", [b"[[floor", b"[floor]\nencoder = 1\n", b"[[floor]]\nencoder = 1\n", b"\xff"]
)
def test_what_holds_no_floors_is_refused(stored: bytes) -> None:
    with pytest.raises(SnapshotCorruptError, match="holds no floors"):
        parse_floors(stored, "here")
