"""Versions in a store: what is old leaves it, and what somebody may be at work with stays."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assets.storage.object_store import ObjectStore
from assets.storage.versions import (
    KEPT,
    StoredFile,
    Version,
    add_version,
    new_push,
    newest_version,
    objects_of,
    sweep,
)
from assets.storage.workspace_parts import Part

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
PART = Part("encoder", None, Path(), ("encoder",))


@pytest.fixture
def store(store_url: str) -> ObjectStore:
    return ObjectStore.open(store_url)


def add(store: ObjectStore, number: int, stored_at: datetime, *objects: str) -> Version:
    for name in objects:
        store.replace(name, b"bytes")
    files = tuple(StoredFile(f"encoder/{n}", "0" * 64, 5, name) for n, name in enumerate(objects))
    version = Version(number, stored_at.isoformat(), "host", files)
    assert add_version(store, PART, version)
    return version


def named(age: timedelta, token: str) -> str:
    return f"{objects_of(PART, new_push(NOW - age, token))}/{token}"


def test_a_number_is_had_once(store: ObjectStore) -> None:
    first = add(store, 1, NOW)
    assert add_version(store, PART, first), "the same again is nobody else's"
    assert not add_version(store, PART, Version(1, NOW.isoformat(), "other", ()))
    assert newest_version(store, PART) == first
    tenth = add(store, 10, NOW)
    add(store, 9, NOW)
    assert newest_version(store, PART) == tenth


def test_old_versions_leave_with_what_they_alone_name(store: ObjectStore) -> None:
    day = timedelta(days=1)
    names = [named(age * day, f"n{age}") for age in (40, 30, 20, 6)]
    unfinished = [named(30 * day, "killed"), named(day, "underway")]
    for name in unfinished:
        store.replace(name, b"part of a push")
    add(store, 1, NOW - 40 * day, names[0], names[1])
    add(store, 2, NOW - 20 * day, names[1], names[2])
    add(store, 3, NOW - 6 * day, names[2], names[3])
    assert sweep(store, PART, NOW) == 3
    assert set(store.keys("parts/encoder/files")) == {*names[1:], unfinished[1]}
    assert len(store.keys("parts/encoder/versions")) == 2, "the second was the newest six days ago"
    assert newest_version(store, PART).number == 3


def test_nothing_leaves_while_all_is_young(store: ObjectStore) -> None:
    add(store, 1, NOW - 3 * KEPT, named(3 * KEPT, "one"))
    add(store, 2, NOW - KEPT, named(KEPT, "two"))
    assert sweep(store, PART, NOW) == 0
    assert len(store.keys("parts")) == 4
