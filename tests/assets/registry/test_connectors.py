"""Connectors of entries: the addresses that a kind needs, and those that are refused."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from assets.registry import CodeBody, ConnectorEntry, Layer, SignedBy, load_registry

REVIEWED = Path("datasets/registry")
SIGNED_BY = {"target": "toytown/law-xml", "root": "0" * 64}
TAF = {"kind": "taf", "authentication": "https://a.example/law", "repository": "https://a.example/law-xml"}


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "https", "file": "https://a.example/x.zip"},
        {"kind": "https", "file": "http://127.0.0.1:8000/x.zip", "megabytes": 5},
        {"kind": "https", "file": "http://[::1]:8000/x.zip"},
        {"kind": "git-archive", "newest": "https://a.example/HEAD", "archive": "https://a.example/{commit}"},
    ],
)
def test_sound_entries_are_read(values: dict[str, Any]) -> None:
    entry = ConnectorEntry.from_dict(values)
    assert entry.kind == values["kind"]
    assert set(entry.addresses) == set(values) - {"kind", "megabytes"}


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"kind": "ftp", "file": "https://a.example/x"},
        {"kind": "https"},
        {"kind": "https", "file": "https://a.example/x", "mirror": "https://b.example/x"},
        {"kind": "https", "file": "http://a.example/x"},
        {"kind": "https", "file": "http://localhost/x"},
        {"kind": "https", "file": "http://127.0.0.1.example/x"},
        {"kind": "https", "file": "file:///etc/passwd"},
        {"kind": "https", "file": "https:///x"},
        {"kind": "https", "file": "https://me:secret@a.example/x"},
        {"kind": "https", "file": "https://a.example/x#y"},
        {"kind": "https", "file": "https://[a.example/x"},
        {"kind": "https", "file": 5},
        {"kind": "https", "file": "https://a.example/x", "megabytes": 0},
        {"kind": "https", "file": "https://a.example/x", "megabytes": True},
        {"kind": "https", "file": "https://a.example/x", "stale_after_days": -1},
        {"kind": "https", "file": "https://a.example/x", "stale_after_days": "30"},
        {"kind": "git-archive", "newest": "https://a.example/HEAD", "archive": "https://a.example/x"},
        TAF,
        {**TAF, "signed_by": "publisher"},
        {**TAF, "signed_by": {"target": "toytown/law-xml"}},
        {**TAF, "signed_by": {**SIGNED_BY, "key": "1"}},
        {**TAF, "signed_by": {**SIGNED_BY, "target": "../law-xml"}},
        {**TAF, "signed_by": {**SIGNED_BY, "target": "law-xml"}},
        {**TAF, "signed_by": {**SIGNED_BY, "root": "A" * 64}},
        {**TAF, "signed_by": {**SIGNED_BY, "root": ""}},
        {**TAF, "signed_by": {**SIGNED_BY, "expired_days": -1}},
        {"kind": "https", "file": "https://a.example/x", "signed_by": SIGNED_BY},
        {
            "kind": "ecfr-titles",
            "titles": "https://a.example/t.json",
            "title": "https://a.example/title-1.xml",
        },
    ],
)
def test_others_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        ConnectorEntry.from_dict(values)


def test_a_signed_entry_names_its_target_its_root_and_for_how_long_it_may_have_expired() -> None:
    signed = ConnectorEntry.from_dict({**TAF, "signed_by": {**SIGNED_BY, "expired_days": 7}}).signed_by
    assert signed == SignedBy("toytown/law-xml", "0" * 64, 7)


def test_the_registry_fetches_from_publishers_by_https_alone() -> None:
    registry = load_registry(REVIEWED)
    listed: list[CodeBody | Layer] = [*registry.code_bodies, *registry.layers]
    entries = [one for one in listed if one.connector is not None]
    assert len(entries) >= 20
    for entry in entries:
        assert entry.connector is not None
        assert entry.source is None, entry.name
        for address in entry.connector.addresses.values():
            assert urlsplit(address).scheme == "https", entry.name


def test_the_regulations_and_the_real_maps_are_fetched() -> None:
    registry = load_registry(REVIEWED)
    kinds = {
        key: entry.connector.kind
        for key in ("us-cfr", "ca-san-mateo", "il-chicago")
        if (entry := registry.entry(key)).connector is not None
    }
    assert kinds == {"us-cfr": "ecfr-titles", "ca-san-mateo": "git-archive", "il-chicago": "git-archive"}
