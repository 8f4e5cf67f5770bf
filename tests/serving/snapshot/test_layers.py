"""Zoning layers of a snapshot: opened with it, refused where they are not what they should be, bounded in memory."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from serving.contract.errors import SnapshotCorruptError
from serving.contract.identity import content_etag
from serving.contract.manifest import Manifest
from serving.snapshot import layers as module
from serving.snapshot.layers import Layers
from tests.serving.layers import SOUTH, WEST, SampleLayer, SampleZone, add_layers, sample_layers, square


@pytest.fixture
def folder(tmp_path: Path, snapshot) -> Path:
    """A folder with a manifest, and layers that may be changed."""
    shutil.copy(snapshot.folder / "manifest.json", tmp_path)
    add_layers(tmp_path, sample_layers())
    return tmp_path


def opened(folder: Path) -> Layers:
    return Layers(folder, Manifest.load(folder))


def test_a_layer_is_what_was_written(folder):
    layers = opened(folder)
    assert [layer.entry.short_code for layer in layers] == ["sample-city", "sample-town"]
    city = layers.find("sample-city")
    assert city is not None
    written = (folder / "gis" / "sample-city.json").read_bytes()
    assert (bytes(city.answer.plain), city.answer.etag) == (written, content_etag(written))
    assert [zone.zone_code for zone in city.zones()] == ["HN", "R-1", "C-1"]
    assert [city.zone(row) for row in range(city.zone_count)] == list(city.zones())
    assert layers.find("nowhere") is None


def test_a_snapshot_without_layers_has_none(folder):
    shutil.rmtree(folder / "gis")
    assert list(opened(folder)) == []


@pytest.mark.parametrize("name", ["sample-city.json", "sample-city.map.json", "sample-city.zones.arrow"])
def test_a_missing_file_is_named(folder, name):
    (folder / "gis" / name).unlink()
    with pytest.raises(SnapshotCorruptError, match=name):
        opened(folder)


@pytest.mark.parametrize("content", ["nonsense", "{}", "[{}]", '[{"shortCode": 1}]'])
def test_a_list_that_is_none_is_refused(folder, content):
    (folder / "gis" / "layers.json").write_text(content, encoding="utf-8")
    with pytest.raises(SnapshotCorruptError, match=r"layers\.json"):
        opened(folder)


def test_a_layer_that_the_manifest_does_not_list_is_refused(folder):
    listed = json.loads((folder / "gis" / "layers.json").read_bytes())
    listed[0]["shortCode"] = "../sample-city"
    (folder / "gis" / "layers.json").write_text(json.dumps(listed), encoding="utf-8")
    with pytest.raises(SnapshotCorruptError, match="is not in the manifest"):
        opened(folder)


def test_only_so_many_layers_are_indexed_at_once(folder, monkeypatch):
    monkeypatch.setattr(module, "MOST_INDEXES", 2)
    zone = SampleZone("R-1", "Homes", square(0, 0, 0.01))
    add_layers(folder, [SampleLayer(f"sample-{letter}", [zone]) for letter in "abc"])
    layers = opened(folder)
    layers.warm()
    first, second, third = list(layers)
    kept = layers.points(second)
    layers.points(third)
    assert layers.points(second) is kept
    layers.points(first)
    assert layers.points(second) is kept


def test_any_thread_may_ask(folder):
    layers = opened(folder)
    city = layers.find("sample-city")
    assert city is not None

    def ask(_):
        hits = layers.points(city).find(longitude=WEST + 0.007, latitude=SOUTH + 0.007, within_metres=1)
        return [hit.zone for hit in hits]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(200))) == [[0, 1]] * 200
