"""`lawbuild` with zoning layers: linked and published, and what a broken map leaves in service."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.registry import load_registry
from assets.selection.accepted_layers import newer_failure
from assets.workspace import Workspace
from assets.zoning.assets import zoning_layers
from assets.zoning.sources import LayerSource
from pipelines.definitions import defs
from pipelines.wanted import Wanted, wanted_builds
from serving.contract.errors import LawError
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.store import open_snapshot

Build = Callable[..., tuple[int, str]]
MAP = Path("datasets/sample/sample-city-zoning.geojson")


def published(workspace: Workspace) -> Path:
    return workspace.snapshots / current_snapshot_id(workspace.snapshots)


def answer(workspace: Workspace) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((published(workspace) / "gis" / "sample-city.json").read_bytes())
    return found


def coverage(workspace: Workspace) -> tuple[dict[str, Any], int]:
    body = json.loads((published(workspace) / "static" / "coverage.json").read_bytes())
    (entry,) = [row for row in body["jurisdictions"] if row["shortCode"] == "sample-city"]
    return entry, body["publishedGisLayers"]


def test_a_layer_is_published_and_a_broken_one_keeps_its_last_good_version(
    workspace: Workspace, lawbuild: Build, already_built: Callable[..., None], tmp_path: Path
) -> None:
    already_built("sample-city-code", "sample-city")
    snapshot = open_snapshot(published(workspace))
    try:
        layer = snapshot.layers.find("sample-city")
        assert layer is not None
        for zone in layer.zones():
            assert zone.node_id is not None
            assert zone.zone_code in zone.reason
    finally:
        snapshot.close()
    good = answer(workspace)
    assert (good["citationQuality"], good["featureCount"], good["stale"]) == ("linked", 5, False)
    assert [value["polygons"] for value in good["notZones"]] == [4]
    entry, layers = coverage(workspace)
    assert (entry["gisStatus"], entry["citationQuality"], entry["gaps"], layers) == (
        "published",
        "linked",
        [],
        1,
    )
    files = json.loads((published(workspace) / "manifest.json").read_bytes())["files"]
    assert all(file["rooted"] for file in files if file["path"].startswith("gis/"))

    broken = tmp_path / "zoning.geojson"
    broken.write_bytes(MAP.read_bytes()[:-2_000])
    status, said = lawbuild("sample-city-code", f"sample-city={broken}", "--publish-rest")
    assert status == 1
    assert "zoning.geojson: cannot be read" in said
    assert "AS BEFORE: its build failed" in said
    kept = answer(workspace)
    assert kept["geojson"] == good["geojson"]
    assert kept["stale"] is True
    assert kept["since"] is not None
    entry, layers = coverage(workspace)
    assert layers == 1
    assert "zoning.geojson: cannot be read" in entry["gaps"][0]


def test_a_failed_check_stops_its_layer_alone(workspace: Workspace, lawbuild: Build, tmp_path: Path) -> None:
    unlabelled = tmp_path / "zoning.geojson"
    unlabelled.write_text(MAP.read_text(encoding="utf-8").replace('"SM"', "null", 3), encoding="utf-8")
    status, said = lawbuild("sample-city-code", f"sample-city={unlabelled}", "--publish-rest")
    assert status == 1
    assert "3 polygons have no zone code" in said
    assert not (published(workspace) / "gis").exists()
    entry, layers = coverage(workspace)
    assert (entry["gisStatus"], entry["nodeCount"] > 0, layers) == (None, True, 0)
    assert entry["gaps"] == [
        "There is no zoning layer: its build failed. It did not finish, or a check of it failed."
    ]


def test_planted_zones_stay_placeholders(workspace: Workspace, lawbuild: Build, tmp_path: Path) -> None:
    planted = tmp_path / "zoning.geojson"
    text = MAP.read_text(encoding="utf-8")
    for old, new in (('"SO"', '"S"'), ('"SM"', '"X9"'), ('"SC"', '"A"')):
        text = text.replace(old, new)
    planted.write_text(text, encoding="utf-8")
    status, said = lawbuild("sample-city-code", f"sample-city={planted}")
    assert status == 0, said
    links = {
        feature["properties"]["zoneCode"]: feature["properties"]
        for feature in answer(workspace)["geojson"]["features"]
    }
    assert {code for code, zone in links.items() if zone["nodeId"] is None} == {"S", "X9", "A"}
    assert all(links[code]["reason"] for code in ("S", "X9", "A"))
    assert answer(workspace)["citationQuality"] == "pending"
    assert coverage(workspace)[0]["gaps"] == ["3 of 5 zones cite no provision: A, S, X9."]


def test_a_draft_is_built_and_not_published(
    workspace: Workspace, lawbuild: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = tmp_path / "datasets"
    shutil.copytree("datasets", datasets)
    registry = datasets / "registry" / "layers.toml"
    text = registry.read_text(encoding="utf-8")
    registry.write_text(
        text.replace('zone_field = "zone"\n', 'zone_field = "zone"\ndraft = true\n'), encoding="utf-8"
    )
    monkeypatch.setenv("LAW_DATASETS", str(datasets))
    status, said = lawbuild("sample-city-code", "sample-city")
    assert status == 0, said
    assert workspace.accepted_layer("sample-city").is_dir()
    assert not (published(workspace) / "gis").exists()


def test_the_ui_shows_a_picture_and_the_evidence(workspace: Workspace) -> None:
    result = (
        defs()
        .resolve_job_def("build_zoning_layer")
        .execute_in_process(partition_key="sample-city", resources={"workspace": workspace})
    )
    (made,) = [
        event.materialization
        for event in result.get_asset_materialization_events()
        if event.asset_key == dg.AssetKey("zoning_layers")
    ]
    assert str(made.metadata["map"].value).startswith(
        "![Zoning of Sample City (invented)](data:image/png;base64,"
    )
    assert "| SR-1 |" in str(made.metadata["zones"].value)


def test_a_layer_that_fails_when_built_alone_is_stale_until_it_is_accepted(workspace: Workspace) -> None:
    job = defs().resolve_job_def("build_zoning_layer")
    resources = {"workspace": workspace}
    assert job.execute_in_process(partition_key="sample-city", resources=resources).success
    assert newer_failure(workspace, "sample-city") is None

    source = LayerSource.load(workspace.layer_source("sample-city"))
    polygons = workspace.layer_source("sample-city") / source.polygons
    polygons.write_bytes(polygons.read_bytes()[:-2_000])
    alone = dg.materialize(
        [zoning_layers], partition_key="sample-city", resources=resources, raise_on_error=False
    )
    assert not alone.success
    assert "cannot be read" in (newer_failure(workspace, "sample-city") or "")


def test_bodies_come_before_the_layers_that_cite_them(tmp_path: Path) -> None:
    registry = load_registry(Path("datasets/registry"))
    (tmp_path / "index.xml").touch()
    builds = wanted_builds(["sample-city", f"sample-city-code={tmp_path}"], registry)
    assert [(build.key, build.is_layer) for build in builds] == [
        ("sample-city-code", False),
        ("sample-city", True),
    ]
    assert builds[1] == Wanted("sample-city", None, is_layer=True)
    with pytest.raises(LawError, match=r"code bodies .*us-usc.*; zoning layers .*sample-city"):
        wanted_builds(["sample-town"], registry)
