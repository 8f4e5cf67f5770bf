"""Layers from small maps: any form and CRS, repairs counted, zones joined, coordinates as they are published."""

import gzip
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely

from assets.findings import Verdict
from assets.registry import Layer
from assets.zoning.confined import build_confined
from assets.zoning.report import LayerReport
from assets.zoning.sources import pin_layer
from assets.zoning.topology import Topology
from assets.zoning.validate import (
    every_polygon_has_a_zone_code,
    every_polygon_is_counted,
    geometry_is_valid,
    no_zone_is_spelled_twice,
    overlaps_are_small,
    zones_lie_within_bounds,
)
from assets.zoning.zones_table import BuiltZones, read_zones
from tests.assets.zoning.layers import frame, layer, square, town, write

NOW = datetime(2026, 11, 21, tzinfo=UTC)
CUSTOM = "+proj=lcc +lat_0=29.5 +lon_0=-40.5 +lat_1=30 +lat_2=31 +x_0=2000000 +y_0=500000 +ellps=GRS80 +units=ft +no_defs"


def built(path: Path, folder: Path, entry: Layer | None = None) -> tuple[LayerReport, BuiltZones]:
    """Pin and build a map."""
    entry = entry or layer()
    pin_layer(path, entry, folder / "pinned", retrieved_at=NOW)
    zones = folder / "zones"
    zones.mkdir()
    report = build_confined(folder / "pinned", entry, zones, built_at=NOW)
    found = read_zones(zones)
    for verdict in (
        geometry_is_valid(found),
        zones_lie_within_bounds(found, entry),
        every_polygon_is_counted(found, report),
    ):
        assert verdict.findings == []
    return report, found


def overlaps(folder: Path, report: LayerReport) -> Verdict:
    """Return the verdict on the overlaps of what `built` built there."""
    return overlaps_are_small(Topology.load(folder / "zones"), report)


def as_zip(polygons: gpd.GeoDataFrame, folder: Path, name: str) -> Path:
    """Return a zip of what a form of `name` is made of."""
    parts = folder / "parts"
    parts.mkdir()
    write(polygons, parts / name)
    with zipfile.ZipFile(folder / "map.zip", "w") as archive:
        for part in sorted(parts.iterdir()):
            archive.write(part, part.name)
    return folder / "map.zip"


@pytest.mark.parametrize("form", [".geojson", ".gpkg", ".shp", "zip", "gz", "folder"])
def test_a_map_may_come_in_any_form(tmp_path: Path, form: str) -> None:
    if form == "zip":
        path = as_zip(town(), tmp_path, "town.shp")
    elif form == "gz":
        path = tmp_path / "town.geojson.gz"
        path.write_bytes(gzip.compress(write(town(), tmp_path / "town.geojson").read_bytes()))
    elif form == "folder":
        path = tmp_path / "given"
        path.mkdir()
        as_zip(town(), path, "town.shp").rename(path / "zoning.zip")
        for part in (path / "parts").iterdir():
            part.unlink()
    else:
        path = write(town(), tmp_path / f"town{form}")
    report, zones = built(path, tmp_path)
    assert zones.codes == ["C1", "R1"]
    assert [zone.polygons for zone in zones.zones] == [2, 2]
    assert [type(zone.geometry).__name__ for zone in zones.zones] == ["MultiPolygon", "Polygon"]
    assert report.bbox == pytest.approx((-40.0, 30.0, -39.994, 30.006))


@pytest.mark.parametrize("crs", ["EPSG:3857", "EPSG:32624", CUSTOM])
def test_a_map_may_be_in_any_crs(tmp_path: Path, crs: str) -> None:
    path = as_zip(town().to_crs(crs), tmp_path, "town.shp")
    _, zones = built(path, tmp_path)
    for own, drawn in zip(zones.geometries, town().dissolve("zone").geometry, strict=True):
        assert shapely.hausdorff_distance(own, drawn) < 2e-6


def test_the_entry_names_the_crs_that_a_file_lacks(tmp_path: Path) -> None:
    path = write(town().to_crs("EPSG:32624"), tmp_path / "town.shp")
    path.with_suffix(".prj").unlink()
    _, zones = built(path, tmp_path, layer(crs="EPSG:32624"))
    assert zones.codes == ["C1", "R1"]


def test_what_is_broken_is_repaired_and_counted(tmp_path: Path) -> None:
    bow = shapely.Polygon([(-40, 30.002), (-39.998, 30.004), (-39.998, 30.002), (-40, 30.004)])
    slit = square(3, 0, width=0.0005)
    path = write(
        frame(
            [
                ("R1", square(0, 0)),
                ("R1", square(0, 0)),
                ("C1", square(0, 0)),
                ("R1", bow),
                ("R1", shapely.Polygon()),
                ("R1", slit),
                ("C1", square(2, 0)),
            ]
        ),
        tmp_path / "town.geojson",
    )
    report, zones = built(path, tmp_path)
    repairs = report.repairs
    assert {name: repairs[name] for name in ("polygons", "empty", "invalid", "duplicates", "contested")} == {
        "polygons": 7,
        "empty": 1,
        "invalid": 1,
        "duplicates": 1,
        "contested": 1,
    }
    assert repairs["slivers"] == 1
    assert zones.geometries[1].area == pytest.approx(
        square(0, 0).area + shapely.make_valid(bow).area, rel=1e-6
    )
    (finding,) = overlaps(tmp_path, report).findings
    assert "C1 and R1: " in finding.message


def test_a_zone_of_slivers_alone_does_not_vanish(tmp_path: Path) -> None:
    path = write(frame([("R1", square(0, 0)), ("M1", square(3, 0, width=0.0005))]), tmp_path / "town.geojson")
    _, zones = built(path, tmp_path)
    assert zones.codes == ["M1", "R1"]


def test_slits_between_parcels_of_a_zone_are_closed(tmp_path: Path) -> None:
    ring = [square(0, 0, width=3), square(0, 1), square(1.0003, 1, width=1.9997), square(0, 2, width=3)]
    report, zones = built(write(frame([("R1", part) for part in ring]), tmp_path / "town.geojson"), tmp_path)
    assert report.repairs["pinholes"] == 1
    assert zones.geometries[0].geom_type == "Polygon"
    assert len(zones.geometries[0].interiors) == 0


def test_coordinates_are_rounded_and_still_valid(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    turns = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    reach = 0.0005 + 0.0004 * rng.random(400)
    star = shapely.Polygon(np.c_[-39.99 + reach * np.cos(turns), 30.01 + reach * np.sin(turns)])
    _, zones = built(write(frame([("R1", star)]), tmp_path / "town.geojson"), tmp_path)
    coordinates = shapely.get_coordinates(zones.geometries)
    assert (np.round(coordinates, 6) == coordinates).all()
    assert shapely.is_ccw(zones.geometries[0].exterior)


def test_gaps_and_overlaps_are_measured(tmp_path: Path) -> None:
    around = shapely.box(-40, 30, -39.99, 30.01) - shapely.box(-39.996, 30.004, -39.994, 30.006)
    path = write(
        frame([("R1", around), ("C1", square(0, 0)), ("H", square(1, 1))]), tmp_path / "town.geojson"
    )
    entry = layer(overlays=["H"])
    report, _ = built(path, tmp_path, entry)
    fit = Topology.load(tmp_path / "zones")
    assert fit.gaps == 1
    assert fit.gap_area == pytest.approx(193 * 222, rel=0.01)
    assert [(pair.first, pair.second) for pair in fit.overlaps] == [("C1", "R1")]
    assert fit.overlap_area == pytest.approx(96.5 * 110.9, rel=0.01)
    assert overlaps(tmp_path, report).measured["gaps between zones"] == 1


def test_values_that_are_no_zones_are_left_out_and_spellings_joined(tmp_path: Path) -> None:
    shapes = [("R3", square(0, 0)), ("R-3", square(1, 0)), ("unknown", square(2, 0)), (None, square(3, 0))]
    entry = layer(
        not_zones=[{"value": "unknown", "reason": "Nobody knows."}],
        aliases=[{"code": "R-3", "same_as": "R3", "reviewed_by": "Ada", "evidence": "One district."}],
    )
    report, zones = built(write(frame(shapes), tmp_path / "town.geojson"), tmp_path, entry)
    assert zones.codes == ["R3"]
    assert [(value.value, value.polygons) for value in report.not_zones] == [("unknown", 1)]
    assert [(value.value, value.zone, value.polygons) for value in report.spellings] == [("R-3", "R3", 1)]
    (finding,) = every_polygon_has_a_zone_code(report).findings
    assert "1 polygons have no zone code" in finding.message


def test_attributes_are_kept_as_far_as_all_polygons_agree(tmp_path: Path) -> None:
    _, zones = built(write(town(), tmp_path / "town.geojson"), tmp_path)
    assert zones.zones[0].attributes == {"zone": "C1", "city": "Sample City"}


def test_what_macos_leaves_in_a_zip_is_no_second_map(tmp_path: Path) -> None:
    path = as_zip(town(), tmp_path, "town.shp")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("__MACOSX/._town.shp", b"\0\5\x16\7")
    _, zones = built(path, tmp_path, layer(file="map*.zip"))
    assert zones.codes == ["C1", "R1"]


def test_numbers_too_large_for_json_are_written_all_the_same(tmp_path: Path) -> None:
    absent = -1.7976931348623157e308
    polygons = frame([("R1", square(0, 0)), ("R1", square(1, 0))]).assign(area=[absent] * 2, floors=[3.0] * 2)
    _, zones = built(write(polygons, tmp_path / "town.gpkg"), tmp_path)
    attributes = zones.zones[0].attributes
    assert (attributes["area"], attributes["floors"]) == (absent, 3)


def test_the_rendition_for_maps_is_simplified_within_its_tolerance(tmp_path: Path) -> None:
    turns = np.linspace(0, 2 * np.pi, 70_000, endpoint=False)
    disc = shapely.Polygon(np.c_[-39.99 + 0.009 * np.cos(turns), 30.01 + 0.009 * np.sin(turns)])
    report, zones = built(write(frame([("R1", disc)]), tmp_path / "town.geojson"), tmp_path)
    assert report.tolerance_metres > 0
    assert shapely.get_num_coordinates(zones.simplified[0]) < 1_000
    off = shapely.hausdorff_distance(zones.simplified[0].exterior, zones.geometries[0].exterior)
    assert off * 111_000 < report.tolerance_metres + 1.2


def test_two_builds_agree(tmp_path: Path) -> None:
    path = write(town(), tmp_path / "town.geojson")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        built(path, tmp_path / name)
    first, second = ((tmp_path / name / "zones" / "zones.parquet").read_bytes() for name in ("one", "two"))
    assert first == second


def test_zones_whose_codes_differ_in_marks_alone_are_named(tmp_path: Path) -> None:
    codes = ["R-M", "RM", "R1", "r-1", "C1", "C-1.5", "B1-1", "B11"]
    zones = frame([(code, square(number, 0)) for number, code in enumerate(codes)])
    _, found = built(write(zones, tmp_path / "map.geojson"), tmp_path)
    verdict = no_zone_is_spelled_twice(found)
    assert verdict.passed
    assert verdict.examined == len(codes)
    assert sorted(finding.where for finding in verdict.findings) == ["R-M and RM", "R1 and r-1"]


def test_zones_that_an_alias_joins_are_spelled_once(tmp_path: Path) -> None:
    joined = {
        "code": "R-M",
        "same_as": "RM",
        "reviewed_by": "this project",
        "evidence": "The map's legend has one of them.",
    }
    zones = frame([("R-M", square(0, 0)), ("RM", square(1, 0))])
    _, found = built(write(zones, tmp_path / "map.geojson"), tmp_path, layer(aliases=[joined]))
    assert not no_zone_is_spelled_twice(found).findings
